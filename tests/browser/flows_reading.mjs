// Reading what a search found: marks of status and level, the histogram's parts and its range before, the folded editor, links, the
// rows around a row, and rows on a phone.
import { equal, holds, matches } from './check.mjs';
import { filtered, pills, search, status, wide } from './searching.mjs';
import { keys } from './webdriver.mjs';

export const readingFlows = {
  'rows and histogram show status and level, and not by colour alone': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', wide, { q: 'status:>=200' });
    await filtered(suite, 'status ≥ 200');
    const rows = await suite.rowsNow();
    const marks = await browser.run('return [...document.querySelectorAll(".lines .line")].map((line) => [line.querySelector(".mark")?.textContent, line.className])');
    const tones = ['none', 'none', 'ok', 'info', 'warn', 'error'];
    equal(marks, marks.map((_, at) => [String(status(rows[at])), `line line-${tones[Math.floor(status(rows[at]) / 100)]}`]));
    await browser.awaitText('.chart-title', /by status_code/);
    equal([...await browser.texts('.swatch')].sort(), ['2xx', '3xx', '4xx', '5xx']);
    // Another field of the rows splits it as well, and the link says so.
    await browser.click('//button[text()="Chart"]');
    await browser.choose('.chart-choice select', 'metadata.request.method');
    await browser.awaitText('.chart-title', /by method/);
    holds((await browser.texts('.swatch')).includes('GET'), 'the methods are named');
    await browser.choose('.chart-choice select', 'metadata.request.path');
    await browser.awaitText('.chart-title', /by path/);
    const named = await browser.texts('.swatch');
    const rest = named.filter((text) => text === 'other values' || text === 'none');
    equal([named.slice(-rest.length), rest[0]], [rest, 'other values']);
    const swatches = await browser.run('return [...document.querySelectorAll(".swatch")].map((part) => getComputedStyle(part, "::before").backgroundColor)');
    equal(new Set(swatches).size, swatches.length);
    await suite.screenshot('desktop-split');
    await browser.choose('.chart-choice select', 'metadata.request.method');
    await browser.awaitText('.chart-title', /by method/);
    await browser.open(await browser.run('return location.href'));
    await browser.awaitText('.chart-title', /by method/);
    await browser.choose('[aria-label="Log"]', 'postgres_logs');
    await browser.until('rows of the other log or a message', async () => (await browser.texts('#search-problem')).length === 1);
    await browser.click('.pill [title="Remove"]');
    await suite.searched();
    await browser.awaitText('.chart-title', /by error_severity/);
    holds((await browser.texts('.mark.tone-error')).every((text) => ['ERROR', 'FATAL', 'PANIC'].includes(text)), 'errors are marked');
  },

  'a histogram is compared with the range before': async (suite) => {
    const { browser } = suite;
    const [from, to] = [6, 3].map((hours) => new Date(Date.now() - hours * 3600e3).toISOString());
    await suite.shown('logs.all', wide, { range: `${from}/${to}` });
    await browser.awaitText('.chart-title', /by status_code/);
    await browser.click('//button[text()="Chart"]');
    await browser.click('//label[contains(., "Compare with the range before")]/input');
    const title = await browser.awaitText('.chart-title', /in the range before/);
    const [{ n }] = await suite.rows('logs.all', { project: suite.project, ...wide, sql: 'select count(*) as n from edge_logs',
      iso_timestamp_start: new Date(Date.parse(from) - 3 * 3600e3).toISOString(), iso_timestamp_end: new Date(Date.parse(to) - 3 * 3600e3).toISOString() });
    equal(Number(/; ([\d,]+) rows in the range before/.exec(title)[1].replaceAll(',', '')), n);
    holds((await browser.texts('.swatch')).includes('range before'), 'the line is named');
  },

  'a range before that retention cuts is told, and no zero is drawn for it': async (suite) => {
    const { browser } = suite;
    await suite.signedIn(suite.link('logs.all', { project_tier: 'FREE' }, { range: '24h' }));
    await browser.awaitText('.chart-title', /by status_code/);
    await browser.click('//button[text()="Chart"]');
    await browser.click('//label[contains(., "Compare with the range before")]/input');
    const title = await browser.awaitText('.chart-title', /range before/);
    matches(title, /; the range before lies outside of what is kept for this tier, which begins \d{4}-\d\d-\d\d \d\d:\d\d/);
    equal((await browser.texts('.swatch')).includes('range before'), false);
    // Of 14 hours before the last 14, 10 are kept.
    await browser.open(suite.link('logs.all', { project_tier: 'FREE' }, { range: `${new Date(Date.now() - 14 * 3600e3).toISOString()}/` }));
    await browser.awaitText('.chart-title', /; [\d,]+ rows in the range before, of which this tier keeps only what is later than \d{4}-/);
    holds((await browser.texts('.swatch')).includes('range before'), 'the line is there for what is kept');
    await suite.screenshot('desktop-compare-cut');
  },

  'a value of the legend filters by it, also from the keyboard': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', wide);
    await browser.awaitText('.chart-title', /by status_code/);
    await browser.click('//button[contains(@class, "swatch")][text()="5xx"]');
    await filtered(suite, 'status_code = 5xx');
    holds((await suite.rowsNow()).every((row) => status(row) >= 500), 'the rows are those of the class');
    await browser.until('a histogram of the class', async () => (await browser.texts('.swatch')).join() === '5xx');
    await suite.screenshot('desktop-legend');
    await browser.run('document.querySelector("button.swatch[aria-pressed=true]").focus()');
    await browser.press(keys.enter);
    await filtered(suite);
    await browser.until('all parts', async () => (await browser.texts('.swatch')).includes('none'));
    await browser.click('//button[contains(@class, "swatch")][text()="none"]');
    await filtered(suite, 'status_code is missing');
    holds((await suite.rowsNow()).every((row) => status(row) == null), 'the rows are those without a status');
    // A level is found in upper and lower case.
    await suite.shown('logs.all', wide, { log: 'postgres_logs' });
    await browser.awaitText('.chart-title', /by error_severity/);
    await browser.click('//button[contains(@class, "swatch")][text()="LOG"]');
    await browser.until('rows of the level', async () => { await suite.searched(); return (await pills(suite)).join() === 'error_severity = LOG'; });
    await browser.until('a histogram of the level', async () => (await browser.texts('.swatch')).join() === 'LOG');
  },

  'the editor is one line until somebody uses it': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', wide);
    const height = () => browser.run('return document.querySelector(".editor").offsetHeight');
    holds((await height()) <= 30, `${await height()} px without SQL`);
    await search(suite, 'auth');
    await filtered(suite, 'event_message contains auth');
    holds((await height()) <= 30, `${await height()} px with the SQL of a search`);
    await browser.post(`/element/${await browser.inside('.editor', '.cm-content')}/click`);
    await browser.until('an open editor', async () => (await height()) > 60);
    await browser.click('//button[text()="Fold"]');
    await browser.until('one line', async () => (await height()) <= 30);
    await suite.shown('logs.all', wide, { sql: 'select 1 as one' });
    await browser.until('an open editor', async () => (await height()) > 60);
  },

  'a link fixes the times that were shown, unless somebody wants them to move': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', wide, { range: '1h', q: 'status:>=200' });
    await filtered(suite, 'status ≥ 200');
    await browser.cdp('Browser.grantPermissions', { origin: suite.url.slice(0, -1), permissions: ['clipboardReadWrite', 'clipboardSanitizedWrite'] });
    const copied = () => browser.runAsync('const done = arguments[0]; navigator.clipboard.readText().then(done, (error) => done(String(error)))');
    await browser.click('//button[text()="Link"]');
    await browser.awaitText('.told-link', /Copied a link to/);
    const fixed = await copied();
    const [from, to] = new URLSearchParams(new URL(fixed).hash.slice(1)).get('range').split('/');
    equal(Date.parse(to) - Date.parse(from) >= 3600e3 && Date.parse(to) <= Date.now(), true, `${from} to ${to}`);
    await browser.click('//span[contains(@class, "told-link")]//button');
    await browser.awaitText('.told-link', /whenever it is opened/);
    equal(new URLSearchParams(new URL(await copied()).hash.slice(1)).get('range'), '1h');
    const ids = (await suite.rowsNow()).map(({ id }) => id);
    await browser.open(fixed);
    await filtered(suite, 'status ≥ 200');
    equal((await suite.rowsNow()).map(({ id }) => id), ids);
  },

  'the rows around a row are one click away, and Back leads to the search': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', wide, { q: 'status:5xx' });
    await filtered(suite, 'status = 5xx');
    const wanted = (await suite.rowsNow())[2];
    await browser.click('#cell-2-1');
    await browser.click('//button[text()="Around"]');
    await browser.until('the row among its neighbours', async () => (await browser.texts('.line.selected .text')).join() === wanted.event_message.slice(0, 600).trim());
    await suite.searched();
    const rows = await suite.rowsNow();
    const at = rows.findIndex(({ id }) => id === wanted.id);
    equal([at >= 40 || rows.length < 100, rows.some((row) => status(row) < 500)], [true, true]);
    const offCentre = () => browser.run(`const [line, heads, grid] = ['.line.selected', '.heads', '.grid'].map((name) => document.querySelector(name).getBoundingClientRect());
      return Math.abs((line.top + line.bottom) / 2 - (heads.bottom + grid.bottom) / 2)`);
    await browser.until('the row in the middle', async () => (await offCentre()) <= 26);
    const ranges = await browser.run('return new URLSearchParams(location.hash.slice(1)).get("range")');
    const [from, to] = ranges.split('/').map((text) => Date.parse(text));
    holds(from < to && to <= Date.now(), `the range ${ranges} ends by now`);
    await browser.post('/back');
    await filtered(suite, 'status = 5xx');
    // The newest rows have none after them to be centred among.
    await suite.shown('logs.all', wide);
    await browser.click('#cell-0-1');
    await browser.click('//button[text()="Around"]');
    await browser.until('the newest row in sight', () => browser.run(`const line = document.querySelector('.line.selected')?.getBoundingClientRect();
      return line !== undefined && line.top >= document.querySelector('.heads').getBoundingClientRect().bottom - 1`));
  },

  'long texts wrap, and a field is pinned as a column': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', wide);
    await browser.click('//button[text()="Columns"]');
    await browser.click('//label[contains(., "Wrap long texts")]/input');
    await browser.press(keys.escape);
    await browser.until('rows of more lines', () => browser.run('return [...document.querySelectorAll(".lines .line")].some((line) => line.offsetHeight > 40)'));
    await browser.run('document.querySelector(".grid").focus()');
    await browser.press(keys.down, keys.end);
    await browser.until('the last row in sight', () => browser.run(`const cell = document.getElementById('cell-99-0').getBoundingClientRect();
      const grid = document.querySelector('.grid').getBoundingClientRect(); return cell.top >= grid.top && cell.bottom <= grid.bottom + 1`));
    await browser.post('/refresh');
    await browser.awaits('.flows .line');
    await browser.click('#cell-0-0');
    await browser.run('document.querySelector(`.detail .actions [aria-label="More filters on metadata.request.method"]`).click()');
    await browser.click('//div[@class="more-actions"]/button[text()="column"]');
    equal(await browser.texts('.head button'), ['timestamp', 'method', 'event_message']);
    holds((await browser.texts('.lines [aria-colindex="2"]')).includes('GET'), 'its values are there');
    // It is there after a reload, and whatever else the storage holds harms nothing.
    await browser.post('/refresh');
    await browser.until('the column again', async () => (await browser.texts('.head button')).join() === 'timestamp,method,event_message');
    await browser.run(`localStorage.setItem('logquery.pinned', '[7, [], [""], {"a": 1}, ["metadata", 5]]')`);
    await browser.post('/refresh');
    await browser.until('no column', async () => (await browser.texts('.head button')).join() === 'timestamp,event_message');
    await browser.run(`localStorage.setItem('logquery.pinned', '[["metadata","request","method"]]')`);
    await browser.post('/refresh');
    await browser.until('the column once more', async () => (await browser.texts('.head button')).length === 3);
    await browser.click('//button[text()="Columns"]');
    await browser.click('//label[contains(., "metadata.request.method")]/input');
    await browser.until('the column gone', async () => (await browser.texts('.head button')).join() === 'timestamp,event_message');
  },

  'on a phone a message shows 60 characters and unfolds': async (suite) => {
    const { browser } = suite;
    await browser.resize(390, 844);
    await suite.shown('logs.all', wide);
    equal(await browser.run('return document.documentElement.scrollWidth'), 390);
    const messages = (await suite.rowsNow()).map((row) => row.event_message);
    const at = messages.findIndex((message) => message.length > 60);
    const text = () => browser.run('return document.querySelector(`#cell-${arguments[0]}-1 .text`).textContent', at);
    const folded = `${messages[at].slice(0, 60)}…`;
    equal(await text(), folded);
    await browser.run('document.querySelector(`#cell-${arguments[0]}-1 .unfold`).scrollIntoView({ block: "center" })', at);
    await browser.click(`#cell-${at}-1 .unfold`);
    await browser.until('the whole message', async () => (await text()) === messages[at]);
    equal([await browser.texts('.detail'), await browser.run('return document.documentElement.scrollWidth')], [[], 390]);
    await browser.click(`#cell-${at}-1 .unfold`);
    await browser.until('the folded message', async () => (await text()) === folded);
    // A tap elsewhere in the row opens it.
    await browser.click('#cell-0-0');
    await browser.awaits('.detail');
  },

  'a token of one project opens on its rows': async (suite) => {
    const { browser } = suite;
    const token = suite.logquery('token', 'create', '--tokens', 'tokens.json', '--project', suite.project, '--label', 'one project').trim();
    await suite.callUntil(200, '/api/endpoints', { headers: { 'X-API-KEY': token } });
    await suite.fresh();
    await browser.open(suite.url);
    await browser.type('#token', token);
    await browser.click('button.primary');
    await browser.awaits('.lines .line');
    equal(await browser.texts('.badge.warn'), []);
    matches(await browser.text('.top .badge'), new RegExp(`project ${suite.project}`));
  },
};
