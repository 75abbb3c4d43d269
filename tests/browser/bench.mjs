// How long a person waits for the first rows: from opening the demo's link to rows on screen, in Chromium.
//
//     node bench.mjs LOGQUERY [RUNS]      21 runs on the rows that scripts/demo makes, each with an empty cache and once more with a full one
//
// Prints the median and the slowest of each, in milliseconds. Fails if no rows appear; what is fast enough is for people to judge.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Browser, startProgram } from './webdriver.mjs';

const [program, runs = '21'] = process.argv.slice(2);
const work = mkdtempSync(path.join(tmpdir(), 'logquery-console-bench-'));

function logquery(...args) {
  return execFileSync(path.resolve(program), args, { cwd: work, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

// When the first row was there, and the browser had drawn it: milliseconds since the page was asked for.
const watch = `new MutationObserver((_, observer) => {
  if (document.querySelector('.lines .line') === null) return;
  observer.disconnect();
  requestAnimationFrame(() => setTimeout(() => (window.firstRows = performance.now()), 0));
}).observe(document, { subtree: true, childList: true });`;

async function open(browser, url, token, project) {
  const made = await fetch(new URL('/api/console/codes', url), {
    method: 'POST', body: '{}', headers: { 'X-API-KEY': token, 'Content-Type': 'application/json' },
  });
  const { code } = await made.json();
  // A tab that is signed in already would ask before it takes the link's token. The picture is of the same site, and no page of it.
  await browser.go(new URL('/console.svg', url).href);
  await browser.run('sessionStorage.clear(); localStorage.clear()');
  await browser.go('about:blank');
  await browser.go(`${url}#endpoint=logs.all&p.project=${project}&p.project_tier=PRO&range=24h&code=${code}`);
  return browser.until('rows', () => browser.run('return window.firstRows ?? 0'));
}

const describe = (what, times) => {
  const sorted = [...times].sort((left, right) => left - right);
  console.log(`${what}: median ${Math.round(sorted[Math.floor(sorted.length / 2)])} ms, slowest ${Math.round(sorted.at(-1))} ms of ${sorted.length} runs`);
};

async function main() {
  logquery('sample', '--rows', '300000', '--projects', '20', '--days', '7', '--seed', '7', '--end', new Date().toISOString(), 'sample');
  logquery('load', '--data', 'data', 'sample');
  const token = logquery('token', 'create', '--tokens', 'tokens.json', '--all-projects').trim();
  const project = /"ref": "([a-z]+)"/.exec(readFileSync(path.join(work, 'sample/manifest.json'), 'utf8'))[1];
  const server = await startProgram(path.resolve(program), ['serve', '--data', 'data', '--tokens', 'tokens.json', '--listen', '127.0.0.1:0'],
    /listening on (http:\S+\/)/, { cwd: work });
  const browser = await Browser.start(work);
  try {
    await browser.resize(1280, 800);
    await browser.cdp('Page.addScriptToEvaluateOnNewDocument', { source: watch });
    const cold = [];
    const warm = [];
    for (let run = 0; run < Number(runs); ++run) {
      await browser.cdp('Network.clearBrowserCache', {});
      cold.push(await open(browser, server.match[1], token, project));
      warm.push(await open(browser, server.match[1], token, project));
    }
    console.log(`Chromium ${browser.version}, 300,000 rows`);
    describe('first rows, empty cache', cold);
    describe('first rows, full cache', warm);
  } finally {
    await browser.stop();
    await server.stop();
    rmSync(work, { recursive: true, force: true });
  }
}

await main();
