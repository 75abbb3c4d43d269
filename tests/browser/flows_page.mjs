// The page itself: light and dark, sizes, keyboard and accessibility, what it asks the network for, and a server that is gone.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { equal, holds, lacks, matches } from './check.mjs';
import { keys } from './webdriver.mjs';

async function setTheme(suite, theme) {
  await suite.browser.run('localStorage.setItem("logquery.theme", JSON.stringify(arguments[0]))', theme);
  await suite.browser.post('/refresh');
}

// Rules of WCAG 2.2 AA and best practice, on the page as it stands.
export async function axe(suite, what) {
  const source = readFileSync(path.join(suite.packages, 'axe-core/axe.min.js'), 'utf8');
  await suite.browser.run(source);
  const found = await suite.browser.runAsync(`const done = arguments[0];
    axe.run(document, { resultTypes: ['violations'] }).then((result) => done(result.violations), (error) => done(String(error)));`);
  holds(Array.isArray(found), `axe ran: ${found}`);
  const told = found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary}`));
  equal(told, [], `violations in ${what}`);
}

// The search: its filters, facets, the menu of a cell, what a row's values offer, and a message below the box.
async function checkSearch(suite, theme) {
  const { browser } = suite;
  await browser.open(suite.link('logs.all', { project_tier: 'FREE' }, { q: 'status:>=200 -method:"HEAD"' }));
  await browser.awaits('.pill.negated');
  await browser.awaits('.u-over');
  await browser.click('#tab-facets');
  await browser.awaits('[aria-label="Values of path"] .facet-value');
  await browser.click('#cell-0-1');
  await browser.run('document.querySelector(`[aria-label="More filters on metadata.response.status_code"]`).click()');
  await axe(suite, `${theme}: filters, facets and what a value offers`);
  await browser.run('document.getElementById("cell-0-1").dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true, clientX: 500, clientY: 400 }))');
  await browser.awaits('.cell-menu');
  await axe(suite, `${theme}: the menu of a cell`);
  await browser.press(keys.escape);
  await browser.click('[title="How to search"]');
  await axe(suite, `${theme}: how to search`);
  await browser.press(keys.escape);
  await browser.type('#search', 'nofield:1');
  await browser.press('\uE007');
  await browser.awaits('#search-problem');
  await axe(suite, `${theme}: a search that cannot be understood`);
  await browser.click('//button[text()="Link"]');
  await browser.awaits('.told-link');
  await axe(suite, `${theme}: a copied link`);
  await browser.resize(390, 844);
  await browser.awaits('.stacked .line');
  await axe(suite, `${theme}: rows on a phone`);
  await browser.resize(1280, 800);
  await browser.click('#tab-browse');
}

async function checkAll(suite, theme) {
  const { browser } = suite;
  await suite.fresh();
  await setTheme(suite, theme);
  await browser.awaits('#token');
  await axe(suite, `${theme}: the entry`);
  const signedIn = async (address) => {
    await browser.run('sessionStorage.setItem("logquery.token", JSON.stringify(arguments[0]))', suite.token);
    await browser.open(address);
  };
  await signedIn(suite.link('logs.all', { project_tier: 'FREE' }));
  await browser.awaits('.u-over');
  await browser.click('#cell-1-1');
  await browser.click('[aria-label="Fields of edge_logs"]');
  await browser.awaits('.sidebar .tree .tree, .sidebar .tree ul li');
  await axe(suite, `${theme}: rows, a detail and a log's fields`);
  for (const button of ['Examples', 'Code', 'Save', 'Chart', 'Columns', 'Download', 'Keys', 'Theme']) {
    await browser.click(`//button[text()="${button}"]`);
    await browser.awaits('.panel');
    await axe(suite, `${theme}: the menu ${button}`);
    await browser.press(keys.escape);
  }
  await checkSearch(suite, theme);
  await browser.click('[title="Time range"]');
  await browser.type('#range-from', 'soon');
  await browser.press(keys.enter);
  await browser.awaits('.custom .problem');
  await axe(suite, `${theme}: the time range`);
  await browser.open(suite.link('logs.all', {}, { sql: 'select foo from edge_logs' }));
  await browser.awaits('.failed');
  await browser.awaits('.verdict.refused');
  await axe(suite, `${theme}: an error`);
  await browser.open(suite.link('logs.all', {}, { sql: 'select r.path, count(*) as n from edge_logs t cross join unnest(t.metadata) m cross join unnest(m.request) r group by 1 order by n desc limit 5' }));
  await browser.awaits('.u-over');
  await browser.type('#parameter-project_tier', 'PRO');
  await browser.awaits('.outdated');
  await axe(suite, `${theme}: rows of a query that was edited since`);
  await browser.open(suite.link('functions.invocation-stats'));
  await browser.awaits('.u-over');
  await browser.click('#tab-history');
  await axe(suite, `${theme}: a chart and the history`);
  await browser.click('//button[text()="Chart"]');
  await browser.awaits('.chart-choice');
  await axe(suite, `${theme}: what the chart shows`);
}

// Other states of the page, in the theme that is chosen: a menu, a chart by choice, no rows, an error, the entry.
async function statesOf(suite, size) {
  const { browser } = suite;
  await browser.click('//button[text()="Examples"]');
  await browser.until('the examples', async () => (await browser.texts('.examples .hint')).length === 0);
  await suite.screenshot(`${size}-examples`);
  await browser.open(suite.link('functions.invocation-stats'));
  await browser.awaits('.u-over');
  await browser.click('//button[text()="Chart"]');
  await suite.screenshot(`${size}-chart`);
  await browser.open(suite.link('logs.all', { project: 'nobody' }));
  await browser.awaits('.message h2');
  await suite.screenshot(`${size}-no-rows`);
  await browser.open(suite.link('logs.all', {}, { sql: 'select foo\nfrom edge_logs' }));
  await browser.awaits('.failed');
  await browser.awaits('.verdict.refused');
  await suite.screenshot(`${size}-error`);
  await browser.run('sessionStorage.clear()');
  await browser.post('/refresh');
  await browser.awaits('#token');
  await suite.screenshot(`${size}-entry`);
}

const sizes = { desktop: [1280, 800], wide: [1680, 1050], phone: [390, 844] };

export const pageFlows = {
  'the theme is the system\'s until somebody chooses, and then stays': async (suite) => {
    const { browser } = suite;
    const theme = () => browser.run('return document.documentElement.dataset.theme');
    await browser.cdp('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: 'dark' }] });
    await suite.shown();
    equal(await theme(), 'dark');
    await browser.cdp('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: 'light' }] });
    await browser.until('the light theme', async () => (await theme()) === 'light');
    await browser.click('//button[text()="Theme"]');
    await browser.click('//button[text()="Dark"]');
    equal(await theme(), 'dark');
    await browser.post('/refresh');
    await browser.awaits('.query-pane');
    equal(await theme(), 'dark');
  },

  'axe finds nothing in light': (suite) => checkAll(suite, 'light'),
  'axe finds nothing in dark': (suite) => checkAll(suite, 'dark'),

  'panes are resized by the keyboard and by dragging, and stay so': async (suite) => {
    const { browser } = suite;
    await suite.shown();
    const width = () => browser.run('return document.querySelector(".sidebar").offsetWidth');
    const before = await width();
    await browser.run('document.querySelector("[aria-label=\'Width of the sidebar\']").focus()');
    await browser.press(keys.right, keys.right);
    equal(await width(), before + 32);
    await browser.drag('[aria-label="Width of the sidebar"]', 40, 0);
    equal(await width(), before + 72);
    await browser.post('/refresh');
    await browser.awaits('.sidebar');
    equal(await width(), before + 72);
  },

  'a phone has the whole console in one column': async (suite) => {
    const { browser } = suite;
    await browser.resize(390, 844);
    await suite.shown();
    equal(await browser.run('return document.documentElement.scrollWidth'), 390);
    await browser.click('.only-narrow');
    await browser.awaits('.sidebar.open');
    equal(await browser.run('return getComputedStyle(document.querySelector(".field.log .actions")).opacity'), '1');
    await suite.screenshot('phone-light-sidebar');
    await browser.click('//button[text()="functions.invocation-stats"]');
    await browser.until('a closed sidebar', async () => (await browser.texts('.sidebar.open')).length === 0);
    await browser.click('button.run');
    await browser.awaits('.lines .line');
    await browser.run('document.getElementById("cell-0-0").scrollIntoView({ block: "center" })');
    await browser.click('#cell-0-0');
    await browser.awaits('.detail');
    equal(await browser.run('return document.querySelector(".detail").offsetWidth'), 390);
    await browser.click('[aria-label="Close the row"]');
  },

  'on a phone what an action came to stands at the bottom, until it is closed': async (suite) => {
    const { browser } = suite;
    await browser.resize(390, 844);
    await suite.signedIn();
    const seen = () => browser.run(`const bar = document.querySelector('.notice-bar').getBoundingClientRect();
      const shown = document.elementFromPoint(100, innerHeight - 12);
      return [Math.round(bar.bottom) === innerHeight, bar.height > 0, shown?.closest('.notice-bar') !== null, document.querySelector('.notice').getAttribute('role')]`);
    equal((await seen()).slice(1, 3), [false, false]);
    await browser.click('button.run');
    matches(await browser.awaitText('.notice', /project/), /project needs a value/);
    equal(await seen(), [true, true, true, 'status']);
    await axe(suite, 'phone: a message');
    await browser.click('[aria-label="Close the message"]');
    equal((await seen()).slice(1, 3), [false, false]);
    await browser.type('#parameter-project', suite.project);
    await browser.click('button.run');
    await browser.awaits('.lines .line');
    equal(await browser.run('return document.querySelector(".notice").textContent'), '100 rows');
    equal((await seen()).slice(1, 3), [false, false]);
    await browser.run('document.getElementById("cell-0-0").scrollIntoView({ block: "center" })');
    await browser.click('#cell-0-0');
    await browser.awaits('.detail');
    await browser.click('//button[text()="Copy row"]');
    await browser.awaitText('.notice', /row/);
    equal(await seen(), [true, true, true, 'status']);
    await suite.screenshot('phone-light-message');
  },

  'Back and Forward move between queries and views, and never leave the page early': async (suite) => {
    const { browser } = suite;
    const heads = (names) => browser.until(`the columns ${names}`, async () => (await browser.texts('.head button')).join() === names);
    await suite.shown('logs.all', {}, { sql: 'select count(*) as first from auth_logs' });
    await heads('first');
    await suite.writeSql('select count(*) as second from auth_logs');
    await browser.click('button.run');
    await heads('second');
    await browser.click('//button[text()="usage.api-counts"]');
    await browser.awaits('#parameter-interval');
    equal(await browser.run('return document.title'), 'usage.api-counts · logquery');
    await browser.post('/back');
    await heads('second');
    equal(await suite.sqlText(), 'select count(*) as second from auth_logs');
    await browser.post('/back');
    await heads('first');
    await browser.post('/forward');
    await heads('second');
    // The endpoint was looked at and not run: nor does it run now.
    await browser.post('/forward');
    await browser.awaits('#parameter-interval');
    matches(await browser.text('.message'), /Fill in interval/);
    // The same query once more is the same entry.
    await browser.post('/back');
    await heads('second');
    const entries = () => browser.run('return history.length');
    const before = await entries();
    await browser.click('button.run');
    await heads('second');
    equal(await entries(), before);
  },

  'on a phone Back closes the row and the sidebar': async (suite) => {
    const { browser } = suite;
    await browser.resize(390, 844);
    await suite.shown('functions.invocation-stats');
    const gone = (selector) => browser.until(`no ${selector}`, async () => (await browser.texts(selector)).length === 0);
    const address = await browser.run('return location.href');
    await browser.click('#cell-0-0');
    await browser.awaits('.detail');
    await browser.post('/back');
    await gone('.detail');
    await browser.click('.only-narrow');
    await browser.awaits('.sidebar.open');
    await browser.post('/back');
    await gone('.sidebar.open');
    // Closed by its own button, it leaves no entry behind.
    await browser.click('#cell-0-0');
    await browser.click('[aria-label="Close the row"]');
    await gone('.detail');
    equal(await browser.run('return [location.href, document.querySelectorAll(".lines .line").length > 0]'), [address, true]);
    await browser.click('.only-narrow');
    await browser.click('//button[text()="logs.all"]');
    await browser.awaitText('h1', /logs\.all/);
    await browser.post('/back');
    await browser.awaitText('h1', /functions/);
    equal(await browser.texts('.sidebar.open'), []);
  },

  'Tab indents and takes a suggestion in the editor, which says how to leave it': async (suite) => {
    const { browser } = suite;
    await suite.shown();
    const hinted = () => browser.run('const hint = document.querySelector(".editor-hint"); return hint !== null && getComputedStyle(hint).display !== "none"');
    equal(await hinted(), false);
    await suite.writeSql('select id from edge_l');
    const content = await browser.inside('.editor', '.cm-content');
    await browser.post(`/element/${content}/click`);
    await browser.press([keys.control, keys.end], 'o');
    equal(await hinted(), true);
    await browser.until('a suggestion', () => browser.run('return document.querySelector(".editor").shadowRoot.querySelector(".cm-completionLabel") !== null'));
    // CodeMirror takes no suggestion in its first 75 ms, in which nobody has read it.
    const seen = await browser.run('return performance.now()');
    await browser.until('the moment of reading', () => browser.run('return performance.now() > arguments[0] + 100', seen));
    await browser.press(keys.tab);
    await browser.until('the suggestion taken', async () => (await suite.sqlText()) === 'select id from edge_logs');
    await browser.press(keys.tab);
    equal(await suite.sqlText(), '  select id from edge_logs');
    await browser.press(keys.escape, keys.tab);
    equal(await browser.run('return document.activeElement.classList.contains("editor")'), false);
    equal(await hinted(), false);
  },

  'arrows move between the examples, and a first link skips to the results': async (suite) => {
    const { browser } = suite;
    await suite.shown();
    await browser.click('//button[text()="Examples"]');
    await browser.until('the examples', async () => (await browser.texts('.examples .hint')).length === 0);
    const here = () => browser.run('return [document.activeElement.textContent, document.activeElement.closest("section")?.getAttribute("aria-label")]');
    await browser.press(keys.down);
    equal(await here(), ['Newest rows', 'Examples for edge_logs']);
    await browser.press(keys.down, keys.down, keys.up);
    equal(await here(), ['Rows by hour', 'Examples for edge_logs']);
    await browser.press(keys.home, keys.up);
    equal(await here(), ['Newest rows', 'Examples for edge_logs']);
    await browser.press(keys.escape);
    equal((await here())[0], 'Examples');
    const address = await browser.run('return location.href');
    await browser.run('document.querySelector(".skip").focus()');
    holds(await browser.run('return document.querySelector(".skip").getBoundingClientRect().top >= 0'), 'the link can be seen while it has the focus');
    await browser.press(keys.enter);
    equal(await browser.run('return [document.activeElement.className, location.href]'), ['grid', address]);
    // It is the first on the page.
    await browser.run('document.activeElement.blur(); document.body.focus()');
    equal(await browser.run('return document.querySelector("a[href], button, input").className'), 'skip');
  },

  'without a keyboard no shortcut is told': async (suite) => {
    const { browser } = suite;
    await browser.resize(390, 844);
    await suite.signedIn();
    equal(await browser.run('return [...document.querySelectorAll(".message kbd, button.run kbd")].map((key) => getComputedStyle(key).display)'), ['none', 'none']);
    lacks(await browser.run('return document.querySelector(".editor").shadowRoot.querySelector(".cm-placeholder").textContent'), /Ctrl/);
  },

  'everything can be reached by Tab, in the order of the page': async (suite) => {
    const { browser } = suite;
    await suite.shown();
    await browser.run('document.activeElement.blur()');
    const seen = [];
    for (let i = 0; i < 80 && !seen.includes('grid'); ++i) {
      await browser.press(keys.tab);
      const at = await browser.run('const e = document.activeElement; return e.className.split(" ")[0] || e.id || e.getAttribute("role") || e.tagName');
      // Tab indents in the editor; Escape before it leaves.
      if (at === 'editor') await browser.press(keys.escape);
      seen.push(at);
    }
    const order = ['quiet', 'parameter-project', 'editor', 'grid'].map((name) => seen.indexOf(name));
    equal([...order].sort((left, right) => left - right), order, `the order: ${seen}`);
    holds(order.every((at) => at >= 0), `all are reached: ${seen}`);
  },

  'the page asks no other host, and the policy allows none': async (suite) => {
    const { browser } = suite;
    await suite.shown();
    const hosts = await browser.run('return [...new Set(performance.getEntriesByType("resource").map((entry) => new URL(entry.name).origin))]');
    equal(hosts, [suite.url.slice(0, -1)]);
    const page = await fetch(suite.url);
    matches(page.headers.get('Content-Security-Policy'), /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';/);
    const blocked = await browser.runAsync(`const done = arguments[0]; document.addEventListener('securitypolicyviolation', (event) => done(event.effectiveDirective));
      fetch('http://192.0.2.1/').catch(() => {});`);
    equal(blocked, 'connect-src');
    await browser.log();
  },

  'pictures of the console at three sizes': async (suite) => {
    const { browser } = suite;
    const sql = 'select r.path, count(*) as requests, max(p.origin_time) as slowest_ms\nfrom edge_logs as t\ncross join unnest(t.metadata) as m\ncross join unnest(m.request) as r\ncross join unnest(m.response) as p\ngroup by r.path\norder by requests desc\nlimit 20';
    for (const [name, [width, height]] of Object.entries(sizes)) {
      for (const theme of ['light', 'dark']) {
        await browser.resize(width, height);
        await suite.shown();
        await setTheme(suite, theme);
        await browser.awaits('.u-over');
        if (name !== 'phone') {
          await browser.click('#tab-facets');
          await browser.awaits('[aria-label="Values of path"] .facet-value');
          await browser.click('#cell-2-1');
        }
        await suite.screenshot(`${name}-${theme}-rows`);
        await browser.open(suite.link('logs.all', { project_tier: 'FREE' }, { q: 'status:>=400 -method:"HEAD" http' }));
        await browser.awaits('.u-over');
        await suite.screenshot(`${name}-${theme}-search`);
        await browser.open(suite.link('logs.all', { project_tier: 'FREE' }, { sql }));
        await browser.until('rows or an error', async () => (await browser.texts('.lines .line, .failed')).length > 0);
        await browser.awaits('.verdict b');
        await suite.screenshot(`${name}-${theme}-sql`);
      }
      await statesOf(suite, name);
    }
  },

  'a server that is gone is told as such': async (suite) => {
    await suite.shown();
    await suite.server.stop();
    await suite.browser.click('button.run');
    matches(await suite.browser.text('.failed p'), /cannot be reached/);
    await suite.browser.log();
  },
};
