// A small client of the WebDriver protocol (https://www.w3.org/TR/webdriver2/): starts chromedriver and drives one Chromium.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const elementKey = 'element-6066-11e4-a52e-4f735466cecf';
const shadowKey = 'shadow-6066-11e4-a52e-4f735466cecf';
export const keys = {
  control: '\uE009', shift: '\uE008', enter: '\uE007', escape: '\uE00C', tab: '\uE004', space: '\uE00D', left: '\uE012',
  up: '\uE013', right: '\uE014', down: '\uE015', end: '\uE010', home: '\uE011',
};

// Starts a program and waits for the line on its standard output that `pattern` matches.
export async function startProgram(program, args, pattern, options = {}) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  let output = '';
  const match = await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${program} did not start within 60 s:\n${output}`)), 60_000);
    const look = (chunk) => {
      output = (output + chunk).slice(-20_000);
      const found = pattern.exec(output);
      if (found === null) return;
      clearTimeout(timer);
      resolve(found);
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`${program} ended with ${code}:\n${output}`)));
  });
  const stop = () => new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.removeAllListeners('exit');
    child.on('exit', resolve);
    child.kill('SIGTERM');
  });
  return { match, stop, pid: child.pid, output: () => output };
}

export class Browser {
  static async start(downloads) {
    const driver = await startProgram('chromedriver', ['--port=0'], /started successfully on port (\d+)/);
    const browser = new Browser(`http://127.0.0.1:${driver.match[1]}`, driver);
    try {
      browser.profile = await mkdtemp(path.join(tmpdir(), 'logquery-console-'));
      const args = ['--headless=new', '--no-sandbox', '--disable-dev-shm-usage', '--force-color-profile=srgb', '--hide-scrollbars',
        '--disable-background-networking', `--user-data-dir=${browser.profile}`];
      const chrome = { args, prefs: { 'download.default_directory': downloads, 'download.prompt_for_download': false } };
      const capabilities = { browserName: 'chrome', 'goog:chromeOptions': chrome, 'goog:loggingPrefs': { browser: 'ALL' } };
      const session = await browser.send('POST', '/session', { capabilities: { alwaysMatch: capabilities } });
      browser.session = `/session/${session.sessionId}`;
      browser.version = session.capabilities.browserVersion;
    } catch (error) {
      await browser.stop();
      throw error;
    }
    return browser;
  }

  constructor(url, driver) {
    this.url = url;
    this.driver = driver;
  }

  async send(method, address, body) {
    const init = { method, headers: { 'Content-Type': 'application/json' } };
    if (method === 'POST') init.body = JSON.stringify(body ?? {});
    const response = await fetch(this.url + address, init);
    const { value } = await response.json();
    if (!response.ok) throw Object.assign(new Error(`${value.error}: ${value.message}`), { code: value.error });
    return value;
  }

  post(address, body) {
    return this.send('POST', this.session + address, body);
  }

  go(url) {
    return this.post('/url', { url });
  }

  // Leaves the page first, so that an address that differs in its fragment alone is loaded, too.
  async open(url) {
    await this.go('about:blank');
    await this.go(url);
  }

  run(script, ...args) {
    return this.post('/execute/sync', { script, args });
  }

  runAsync(script, ...args) {
    return this.post('/execute/async', { script, args });
  }

  resize(width, height) {
    return this.cdp('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 500 });
  }

  cdp(cmd, params) {
    return this.post('/goog/cdp/execute', { cmd, params });
  }

  log() {
    return this.post('/se/log', { type: 'browser' });
  }

  async screenshot() {
    return Buffer.from(await this.send('GET', `${this.session}/screenshot`), 'base64');
  }

  // Asks again until `look` gives something that is neither false nor nothing; fails with `what` after a while.
  async until(what, look, milliseconds = 30_000) {
    const end = Date.now() + milliseconds;
    let problem = null;
    for (;;) {
      try {
        const seen = await look();
        if (seen) return seen;
        problem = null;
      } catch (error) {
        problem = error;
      }
      if (Date.now() > end) throw new Error(`waited for ${what} in vain${problem === null ? '' : `: ${problem.message}`}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  async find(selector) {
    const found = await this.post('/element', { using: /^\(?\/\//.test(selector) ? 'xpath' : 'css selector', value: selector });
    return found[elementKey];
  }

  awaits(selector) {
    return this.until(selector, () => this.find(selector));
  }

  async click(selector) {
    await this.until(`a click on ${selector}`, async () => {
      await this.post(`/element/${await this.find(selector)}/click`);
      return true;
    });
  }

  async text(selector) {
    return this.send('GET', `${this.session}/element/${await this.awaits(selector)}/text`);
  }

  // The texts of all elements, without a request for each.
  texts(selector) {
    return this.run('return [...document.querySelectorAll(arguments[0])].map((element) => element.textContent.trim())', selector);
  }

  awaitText(selector, pattern) {
    return this.until(`${selector} with ${pattern}`, async () => {
      const text = await this.text(selector);
      return pattern.test(text) && text;
    });
  }

  async type(selector, text) {
    const element = await this.awaits(selector);
    await this.post(`/element/${element}/clear`);
    await this.post(`/element/${element}/value`, { text });
  }

  async choose(selector, value) {
    await this.awaits(selector);
    await this.run(`const [select, value] = arguments; const element = document.querySelector(select); element.value = value;
      element.dispatchEvent(new Event('change', { bubbles: true }));`, selector, value);
  }

  // Presses keys one after the other; a list is pressed together.
  press(...pressed) {
    const actions = [];
    for (const one of pressed) {
      const chord = Array.isArray(one) ? one : [one];
      for (const value of chord) actions.push({ type: 'keyDown', value });
      for (const value of [...chord].reverse()) actions.push({ type: 'keyUp', value });
    }
    return this.post('/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  }

  // Drags from the middle of an element, moved by (dx, dy), to where (tx, ty) from there is.
  async drag(selector, tx, ty, dx = 0, dy = 0) {
    const origin = { [elementKey]: await this.awaits(selector) };
    const move = (x, y) => ({ type: 'pointerMove', duration: 60, origin, x: Math.round(x), y: Math.round(y) });
    // From there on relative to the pointer: the element may move with it.
    const half = { type: 'pointerMove', duration: 60, origin: 'pointer', x: Math.round(tx / 2), y: Math.round(ty / 2) };
    const actions = [move(dx, dy), { type: 'pointerDown', button: 0 }, half, half, { type: 'pointerUp', button: 0 }];
    await this.post('/actions', { actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }] });
  }

  // An element inside of the shadow root of `host`.
  async inside(host, selector) {
    const shadow = await this.send('GET', `${this.session}/element/${await this.awaits(host)}/shadow`);
    const found = await this.post(`/shadow/${shadow[shadowKey]}/element`, { using: 'css selector', value: selector });
    return found[elementKey];
  }

  async stop() {
    if (this.session !== undefined) await this.send('DELETE', this.session).catch(() => {});
    await this.driver.stop();
    if (this.profile !== undefined) await rm(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
