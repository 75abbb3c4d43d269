// Compiles the generated TypeScript clients strictly, with what a program does with them, and runs that against a real server.
//
//     node run.mjs LOGQUERY PACKAGES WORK
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startProgram } from '../../browser/webdriver.mjs';

const [program, packages, work] = process.argv.slice(2, 5).map((text) => path.resolve(text));
const here = path.dirname(fileURLToPath(import.meta.url));
const definitions = path.join(here, '../../testdata/codegen/endpoints');

function run(command, ...args) {
  try {
    return execFileSync(command, args, { cwd: work, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    throw new Error(`${path.basename(command)} ${args.join(' ')}\n${error.stdout}${error.stderr}`);
  }
}

// The compiler runs with all strict options, and once with --strict alone.
const strict = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom,dom.iterable'];
const stricter = ['--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes', '--noImplicitReturns', '--noUnusedLocals', '--noUnusedParameters',
  '--noPropertyAccessFromIndexSignature', '--noImplicitOverride', '--isolatedModules', '--verbatimModuleSyntax', '--erasableSyntaxOnly'];
const tsc = (...args) => run(process.execPath, path.join(packages, 'typescript/bin/tsc'), ...args);

function compile() {
  for (const [file, ...more] of [['client.ts'], ['bigint_client.ts', '--int64', 'bigint']]) {
    run(program, 'codegen', '--lang', 'typescript', '--endpoints', definitions, '--out', file, ...more);
  }
  // A client of few endpoints uses less of what it brings along.
  run(program, 'codegen', '--lang', 'typescript', '--endpoints', definitions, '--out', 'small.ts', 'a-b');
  copyFileSync(path.join(here, 'calls.ts'), path.join(work, 'calls.ts'));
  writeFileSync(path.join(work, 'package.json'), '{"type": "module"}');
  tsc(...strict, '--noEmit', 'client.ts');
  tsc(...strict, ...stricter, '--noEmit', '--declaration', 'client.ts', 'bigint_client.ts', 'small.ts');
  tsc(...strict, ...stricter, '--outDir', 'out', 'calls.ts');
}

async function serve() {
  run(program, 'sample', '--rows', '5000', '--projects', '2', '--days', '1', '--seed', '7', '--end', new Date().toISOString(), 'sample');
  run(program, 'load', '--data', 'data', 'sample');
  const token = run(program, 'token', 'create', '--tokens', 'tokens.json', '--all-projects').trim();
  const project = /"ref": "([a-z]+)"/.exec(readFileSync(path.join(work, 'sample/manifest.json'), 'utf8'))[1];
  const args = ['serve', '--data', 'data', '--tokens', 'tokens.json', '--listen', '127.0.0.1:0', '--endpoints', definitions];
  const server = await startProgram(program, args, /listening on (http:\S+\/)/, { cwd: work });
  return { server, token, project, url: server.match[1] };
}

rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
compile();
const { server, token, project, url } = await serve();
try {
  const calls = await import(pathToFileURL(path.join(work, 'out/calls.js')).href);
  const { LogqueryClient } = await import(pathToFileURL(path.join(work, 'out/client.js')).href);
  const { LogqueryClient: BigintClient } = await import(pathToFileURL(path.join(work, 'out/bigint_client.js')).href);
  const client = new LogqueryClient({ url, token });
  await calls.builtIn(client, project);
  await calls.types(client, new BigintClient({ url: url.replace(/\/$/, ''), token: () => token }));
  await calls.names(client);
  await calls.refused(client, url);
  await calls.unreadable();
} finally {
  await server.stop();
}
console.log('the clients compile, and their calls give what they should');
