// Others' readers against a real server: the package apache-arrow reads format=arrow, hyparquet reads format=parquet, and both have to
// give the rows that format=json gives.
//
//     node run.mjs LOGQUERY PACKAGES WORK [million]
//
// PACKAGES is the node_modules of package.json beside this file. With `million`, a million rows are read in each format instead, and
// the memory that the server takes meanwhile is bounded. Exits with 1 if a check fails, and with 77, saying so, if the packages are not
// installed.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { startProgram } from '../browser/webdriver.mjs';
import { checks } from './checks.mjs';
import { million } from './million.mjs';
import { loadReaders } from './readers.mjs';

const [program, packages, work] = process.argv.slice(2, 5).map((text) => path.resolve(text));
if (!['apache-arrow', 'hyparquet', 'hyparquet-compressors'].every((name) => existsSync(path.join(packages, name)))) {
  console.log('formats: skipped: the packages are not there; scripts/bootstrap formats installs them');
  process.exit(77);
}
const readers = await loadReaders(packages);

rmSync(work, { recursive: true, force: true });
mkdirSync(path.join(work, 'data'), { recursive: true });
mkdirSync(path.join(work, 'endpoints'));
const run = (...args) => execFileSync(program, args, { cwd: work, maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] });
const now = Date.now() * 1000;
const rows = Array.from({ length: 500 }, (_, i) => JSON.stringify({
  id: `row-${i}`, timestamp: now - i * 1_000_000, project: i % 5 === 0 ? 'other' : 'abc', event_message: `GET /${i} from 192.0.2.${i % 250}`,
  metadata: i % 3 === 0 ? {} : { request: { method: 'GET', path: `/${i}` }, response: { status_code: 200 + i % 4 } },
}));
writeFileSync(path.join(work, 'edge_logs.ndjson'), `${rows.join('\n')}\n`);
run('load', '--data', 'data', 'edge_logs.ndjson');

const define = (name, sql, settings = {}) => {
  const id = `00000000-0000-4000-8000-${String(defined).padStart(12, '0')}`;
  defined += 1;
  writeFileSync(path.join(work, 'endpoints', `${name}.json`), JSON.stringify({ id, name, ...settings }));
  writeFileSync(path.join(work, 'endpoints', `${name}.sql`), sql);
};
let defined = 1;
for (const [name, [sql, settings]] of Object.entries({ ...checks.definitions, ...million.definitions })) define(name, sql, settings);
const tokens = {
  all: String(run('token', 'create', '--tokens', 'tokens.json', '--all-projects')).trim(),
  scoped: String(run('token', 'create', '--tokens', 'tokens.json', '--project', 'abc')).trim(),
  redacted: String(run('token', 'create', '--tokens', 'tokens.json', '--all-projects', '--redact-pii')).trim(),
  short: String(run('token', 'create', '--tokens', 'tokens.json', '--all-projects', '--max-result-bytes', '3000')).trim(),
};

const server = await startProgram(program, ['serve', '--no-supervise', '--data', 'data', '--endpoints', 'endpoints', '--tokens', 'tokens.json',
  '--listen', '127.0.0.1:0', '--max-answer', '1024', '--time-limit', '300'], /listening on (http:\S+)\//, { cwd: work });
const call = (endpoint, parameters, token = tokens.all, headers = {}) => {
  const url = new URL(`${server.match[1]}/api/endpoints/query/${encodeURIComponent(endpoint)}`);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return fetch(url, { headers: { 'X-API-KEY': token, ...headers } });
};

const context = { call, readers, run, tokens, pid: server.pid, readFile: (name) => readFileSync(path.join(work, name)), work };
let failed = 0;
const chosen = process.argv[5] === 'million' ? million.checks : checks.checks;
try {
  for (const [name, check] of Object.entries(chosen)) {
    try {
      await check(context);
      console.log(`formats: ${name}: ok`);
    } catch (error) {
      failed += 1;
      console.log(`formats: ${name}: FAILED\n${error.stack}\n${server.output().slice(-2_000)}`);
    }
  }
} finally {
  await server.stop();
}
process.exit(failed === 0 ? 0 : 1);
