// A person's work with the console, in Chromium, against a real server on sample rows.
//
//     node run.mjs LOGQUERY PACKAGES WORK [PATTERN]     all flows, or those whose name holds PATTERN
//
// Screenshots at three sizes stand in WORK/screenshots afterwards. Exits with 1 if a flow fails, with 77 without chromedriver.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Browser, startProgram } from './webdriver.mjs';
import { chartFlows } from './flows_chart.mjs';
import { editorFlows } from './flows_editor.mjs';
import { layoutFlows } from './flows_layout.mjs';
import { pageFlows } from './flows_page.mjs';
import { queryFlows } from './flows_query.mjs';
import { readingFlows } from './flows_reading.mjs';
import { resultFlows } from './flows_results.mjs';
import { rewritingFlows } from './flows_rewriting.mjs';
import { savedFlows } from './flows_saved.mjs';
import { searchFlows } from './flows_search.mjs';
import { signInFlows } from './flows_sign_in.mjs';

const allFlows = {
  ...signInFlows, ...queryFlows, ...editorFlows, ...rewritingFlows, ...savedFlows, ...searchFlows, ...readingFlows, ...resultFlows, ...chartFlows, ...layoutFlows,
  ...pageFlows,
};

const [program, packages, work, pattern = ''] = process.argv.slice(2).map((text, index) => (index < 3 ? path.resolve(text) : text));

function logquery(...args) {
  return execFileSync(program, args, { cwd: work, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

async function prepare() {
  rmSync(work, { recursive: true, force: true });
  for (const folder of ['screenshots', 'downloads']) mkdirSync(path.join(work, folder), { recursive: true });
  logquery('sample', '--rows', '20000', '--projects', '2', '--days', '2', '--seed', '7', '--end', new Date().toISOString(), 'sample');
  logquery('load', '--data', 'data', 'sample');
  const token = logquery('token', 'create', '--tokens', 'tokens.json', '--all-projects', '--label', 'console').trim();
  const project = /"ref": "([a-z]+)"/.exec(readFileSync(path.join(work, 'sample/manifest.json'), 'utf8'))[1];
  const server = await serve('--data', 'data');
  return { token, project, server, url: server.match[1] };
}

function serve(...more) {
  const args = ['serve', '--tokens', 'tokens.json', '--listen', '127.0.0.1:0', ...more];
  return startProgram(program, args, /listening on (http:\S+\/)/, { cwd: work });
}

// The arguments of each flow: the browser, the server, and the steps that many flows begin with.
class Suite {
  constructor(browser, prepared) {
    Object.assign(this, prepared, { browser, work, packages, logquery });
  }

  async call(address, options = {}) {
    const response = await fetch(new URL(address, this.url), { ...options, headers: { 'X-API-KEY': this.token, ...options.headers } });
    return { status: response.status, text: await response.text() };
  }

  // Runs `flow` against a second server with the same rows in the folder `data`, and settings of its own.
  async withServer(data, args, flow) {
    logquery('load', '--data', data, 'sample');
    const server = await serve('--data', data, ...args);
    const { url } = this;
    this.url = server.match[1];
    try {
      await flow();
    } finally {
      this.url = url;
      await server.stop();
    }
  }

  // The answer once it has `status`: the server reads a changed file of tokens a moment after the change.
  async callUntil(status, address, options) {
    return this.browser.until(`an answer ${status} to ${address}`, async () => {
      const answer = await this.call(address, options);
      return answer.status === status && answer;
    });
  }

  // Waits until the rows of the query that is written are there: the answer to each click is another run.
  async searched() {
    await this.browser.until('rows of what is written', () => this.browser.run(`return document.querySelector('.results').getAttribute('aria-busy') === 'false' &&
      document.querySelector('.outdated, .answer.past') === null && document.querySelector('.answer, .failed') !== null`));
  }

  // The server's answer to the query that the page ran last.
  async rowsNow() {
    const asked = await this.browser.run(`return performance.getEntriesByType('resource').map((entry) => entry.name)
      .filter((name) => name.includes('/query/') && !name.includes('dry_run') && !/count(%28|\\()/.test(name) && !/min(%28|\\()/.test(name)).at(-1)`);
    const { status, text } = await this.call(asked.slice(this.url.length - 1));
    if (status !== 200) throw new Error(text);
    return JSON.parse(text).result;
  }

  async rows(endpoint, parameters) {
    const { text } = await this.call(`/api/endpoints/query/${endpoint}?${new URLSearchParams(parameters)}`);
    return JSON.parse(text).result;
  }

  link(endpoint, parameters = {}, more = {}) {
    const text = new URLSearchParams({ endpoint, ...more });
    for (const [name, value] of Object.entries({ project: this.project, ...parameters })) text.set('p.' + name, value);
    return `${this.url}#${text}`;
  }

  // A tab as a person finds it who has never been here.
  async fresh() {
    await this.browser.go(this.url);
    // A page that is still starting without a token would clear the one that a flow puts there.
    await this.browser.awaits('#token, .query-pane');
    await this.browser.run('sessionStorage.clear(); localStorage.clear();');
  }

  async signedIn(address = this.url) {
    await this.fresh();
    await this.browser.run('sessionStorage.setItem("logquery.token", JSON.stringify(arguments[0]))', this.token);
    await this.browser.open(address);
    await this.browser.awaits('.query-pane');
    await this.editorStarted();
  }

  // The editor's code starts once the first answer is there; an endpoint that takes no SQL has no editor.
  editorStarted() {
    return this.browser.until('the editor', () => this.browser.run('const editor = document.querySelector(".editor"); return editor === null || editor.shadowRoot !== null'));
  }

  async shown(endpoint = 'logs.all', parameters = { project_tier: 'FREE' }, more = {}) {
    await this.signedIn(this.link(endpoint, parameters, more));
    await this.browser.awaits('.lines .line');
  }

  async writeSql(text) {
    const { browser } = this;
    await this.editorStarted();
    const content = await browser.inside('.editor', '.cm-content');
    await browser.post(`/element/${content}/click`);
    await browser.press(['\uE009', 'a'], '\uE017', ...text, '\uE00C');
  }

  async sqlText() {
    await this.editorStarted();
    return this.browser.run(`return [...document.querySelector('.editor').shadowRoot.querySelectorAll('.cm-line')]
      .filter((line) => !line.querySelector('.cm-placeholder')).map((line) => line.textContent).join('\\n')`);
  }

  async screenshot(name) {
    writeFileSync(path.join(work, 'screenshots', `${name}.png`), await this.browser.screenshot());
  }
}

// Messages in the browser's log that no page of ours may cause.
function complaints(log) {
  return log.map(({ message }) => message).filter((message) => /Content Security Policy|Uncaught|TypeError|ERR_BLOCKED|a status of 404/.test(message));
}

async function tryFlow(suite, name, flow, outcome) {
  const begin = Date.now();
  try {
    await suite.browser.resize(1280, 800);
    await suite.browser.log();
    await flow(suite);
    const problems = complaints(await suite.browser.log());
    if (problems.length > 0) throw new Error(`the browser says: ${problems.join('; ')}`);
    console.log(`ok     ${name} (${Date.now() - begin} ms)`);
    return true;
  } catch (error) {
    console.log(`${outcome} ${name}: ${error.stack}`);
    await suite.screenshot(`${outcome.toLowerCase()}-${name.replaceAll(/\W+/g, '-')}`).catch(() => {});
    return false;
  }
}

// A flow that fails is run once more, since a loaded machine can keep a browser from anything for a while. A first failure
// is reported as UNSTEADY all the same: .ci/run ends with it.
async function runFlow(suite, name, flow) {
  return (await tryFlow(suite, name, flow, 'UNSTEADY')) || tryFlow(suite, name, flow, 'FAILED');
}

async function main() {
  try {
    execFileSync('chromedriver', ['--version'], { stdio: 'ignore' });
  } catch {
    console.log('skipped: chromedriver is missing; scripts/bootstrap browser installs it');
    return 77;
  }
  const prepared = await prepare();
  let browser = null;
  try {
    browser = await Browser.start(path.join(work, 'downloads'));
    console.log(`Chromium ${browser.version}`);
    const suite = new Suite(browser, prepared);
    const flows = Object.entries(allFlows).filter(([name]) => name.includes(pattern));
    const failed = [];
    for (const [name, flow] of flows) if (!(await runFlow(suite, name, flow))) failed.push(name);
    console.log(`${flows.length - failed.length} passed, ${failed.length} failed`);
    return failed.length === 0 && flows.length > 0 ? 0 : 1;
  } finally {
    if (browser !== null) await browser.stop();
    await prepared.server.stop();
  }
}

process.exit(await main());
