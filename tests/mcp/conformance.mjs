// The protocol's own conformance tests against a real server: those scenarios that ask nothing of the tools that a server has. The
// others call tools, prompts and resources of the tests' own reference server.
//
//     node conformance.mjs LOGQUERY PACKAGES WORK
//
// PACKAGES is the node_modules of package.json beside this file. Exits with 1 if a check fails, and with 77, saying so, if the package
// is not installed.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProgram } from '../browser/webdriver.mjs';

const [program, packages, work] = process.argv.slice(2, 5).map((text) => path.resolve(text));
const tests = path.join(packages, '@modelcontextprotocol/conformance/dist/index.js');
if (!existsSync(tests)) {
  console.log('mcp: skipped: the conformance tests are not there; scripts/bootstrap mcp installs them');
  process.exit(77);
}

const scenarios = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'];

rmSync(work, { recursive: true, force: true });
mkdirSync(path.join(work, 'data'), { recursive: true });
const token = execFileSync(program, ['token', 'create', '--tokens', 'tokens.json', '--all-projects'], { cwd: work, encoding: 'utf8' }).trim();
const server = await startProgram(program, ['serve', '--mcp', '--data', 'data', '--tokens', 'tokens.json', '--listen', '127.0.0.1:0'],
  /listening on (http:\S+)\//, { cwd: work });
const { port } = new URL(server.match[1]);

// The tests can send no token: a proxy adds it, and passes everything else on unchanged.
const proxy = http.createServer((request, response) => {
  const headers = { ...request.headers, 'x-api-key': token };
  const sent = http.request({ host: '127.0.0.1', port, path: request.url, method: request.method, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  sent.on('error', () => response.destroy());
  request.pipe(sent);
});
await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));

// Returns the exit code and what was printed.
function run(scenario) {
  const url = `http://localhost:${proxy.address().port}/mcp`;
  const hooks = fileURLToPath(new URL('./conformance_node20.mjs', import.meta.url));
  const child = spawn(process.execPath, ['--import', hooks, tests, 'server', '--url', url, '--scenario', scenario], { cwd: work });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => { output += chunk; });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}

let failed = 0;
for (const scenario of scenarios) {
  const { code, output } = await run(scenario);
  // Checks that only warn, or none at all, show nothing.
  const passed = /Passed: (\d+)\/\1, 0 failed, 0 warnings/.exec(output);
  const isGood = code === 0 && passed !== null && Number(passed[1]) > 0;
  if (!isGood) failed += 1;
  console.log(isGood ? `mcp conformance: ${scenario}: ok` : `mcp conformance: ${scenario}: FAILED\n${output.slice(-4_000)}`);
}
proxy.close();
proxy.closeAllConnections();
await server.stop();
process.exit(failed === 0 ? 0 : 1);
