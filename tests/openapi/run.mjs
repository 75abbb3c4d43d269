// Has programs of others read the OpenAPI document of a real server: a validator accepts it, and a client that openapi-ts makes of it
// compiles strictly, calls the server and gets rows.
//
//     node run.mjs LOGQUERY PACKAGES WORK
//
// Without PACKAGES (scripts/bootstrap openapi), or with a node that they do not run on, it says so and exits with 77.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startProgram } from '../browser/webdriver.mjs';

const [program, packages, work] = process.argv.slice(2, 5).map((text) => path.resolve(text));
const here = path.dirname(fileURLToPath(import.meta.url));

function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) skip(`openapi-ts runs on node 20.19 and later, not on ${process.versions.node}`);
if (!existsSync(path.join(packages, '@hey-api/openapi-ts'))) skip('scripts/bootstrap openapi gets the packages');

const load = (name) => import(pathToFileURL(createRequire(path.join(packages, 'any.js')).resolve(name)).href);

function run(command, ...args) {
  try {
    return execFileSync(command, args, { cwd: work, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    throw new Error(`${path.basename(command)} ${args.join(' ')}\n${error.stdout}${error.stderr}`);
  }
}

function holds(value, what) {
  if (!value) throw new Error(`expected: ${what}`);
}

// A server of the built-in endpoints and of those that codegen is tested with, which have every type and hostile names; with ingest,
// whose routes are in the document too.
async function serve() {
  run(program, 'sample', '--rows', '3000', '--projects', '2', '--days', '1', '--seed', '7', '--end', new Date().toISOString(), 'sample');
  run(program, 'load', '--data', 'data', 'sample');
  const create = (...args) => run(program, 'token', 'create', '--tokens', 'tokens.json', ...args).trim();
  const token = create('--all-projects', '--may-ingest');
  const project = /"ref": "([a-z]+)"/.exec(readFileSync(path.join(work, 'sample/manifest.json'), 'utf8'))[1];
  const narrow = create('--project', project, '--endpoint', 'usage.api-counts', '--fix', 'interval=daily');
  // openapi-ts does not take a member with an empty name, which a column of a definition there has.
  const names = ['logs.all', 'functions.invocation-stats', 'usage.api-counts', 'types.echo', 'a-b', 'as', 'reads.echo'];
  const plain = create('--all-projects', ...names.flatMap((name) => ['--endpoint', name]), '--endpoints',
    path.join(here, '../testdata/codegen/endpoints'));
  const server = await startProgram(program, ['serve', '--data', 'data', '--tokens', 'tokens.json', '--listen', '127.0.0.1:0', '--ingest',
    '--endpoints', path.join(here, '../testdata/codegen/endpoints')], /listening on (http:\S+)\//, { cwd: work });
  return { server, token, narrow, plain, project, url: server.match[1] };
}

async function documentFor(url, token) {
  const response = await fetch(`${url}/api/openapi.json`, { headers: { 'X-API-KEY': token } });
  holds(response.status === 200, `200 for the document, not ${response.status}`);
  return response.json();
}

async function validate(document, what) {
  const { Validator } = await load('@seriousme/openapi-schema-validator');
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(document));
  holds(valid, `a valid document ${what}: ${JSON.stringify(errors)}`);
  holds(validator.version === '3.1', `a document of version 3.1, not ${validator.version}`);
  // The validator does look: what it must not accept it does not.
  const wrong = structuredClone(document);
  wrong.paths['/health'].get.parameters = [{ name: 'a', in: 'nowhere' }];
  holds(!(await new Validator().validate(wrong)).valid, 'a parameter that is in no place to be refused');
}

async function makeClient(document) {
  writeFileSync(path.join(work, 'openapi.json'), JSON.stringify(document));
  const { createClient } = await load('@hey-api/openapi-ts');
  await createClient({
    input: path.join(work, 'openapi.json'),
    output: { path: path.join(work, 'client'), importFileExtension: '.js' },
    plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
    logs: { level: 'silent', file: false },
  });
  copyFileSync(path.join(here, 'calls.ts'), path.join(work, 'calls.ts'));
  run(process.execPath, path.join(packages, 'typescript/bin/tsc'), '--strict', '--target', 'es2022', '--module', 'nodenext',
    '--lib', 'es2022,dom,dom.iterable', '--outDir', 'out', 'calls.ts');
}

rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
// openapi-ts looks for TypeScript beside the program that it makes a client for.
symlinkSync(packages, path.join(work, 'node_modules'));
writeFileSync(path.join(work, 'package.json'), '{"type": "module"}');
process.chdir(work);
const { server, token, narrow, plain, project, url } = await serve();
try {
  const document = await documentFor(url, token);
  holds(document.paths['/api/logs'] !== undefined, 'the routes of ingest in the document');
  await validate(document, 'of a token that may do everything');
  await validate(await documentFor(url, narrow), 'of a token of one project and endpoint');
  await makeClient(await documentFor(url, plain));
  const { callAll } = await import(pathToFileURL(path.join(work, 'out/calls.js')).href);
  await callAll(url, plain, project);
} finally {
  await server.stop();
}
console.log('the document is valid, and a client that was made of it gets rows');
