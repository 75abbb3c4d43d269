// Searching rows: the box and its filters, facets, marks of status and level, what leads from one row to others, and the walk of
// somebody on call.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { equal, holds, lacks, matches } from './check.mjs';
import { keys } from './webdriver.mjs';

const enter = '\uE007';

const pills = (suite) => suite.browser.texts('.pill-text');

// Writes into the search box and presses Enter.
async function search(suite, text) {
  await suite.browser.type('#search', text + enter);
}

// Waits for these filters and for the rows that they leave.
async function filtered(suite, ...expected) {
  await suite.browser.until(`the filters ${expected.join(', ')}`, async () => (await pills(suite)).join() === expected.join());
  await suite.searched();
}

const status = (row) => row.metadata[0]?.response[0]?.status_code;
const request = (row) => row.metadata[0]?.request[0];

async function facets(suite, ...names) {
  await suite.browser.click('#tab-facets');
  for (const name of names) await suite.browser.awaits(`[aria-label="Values of ${name}"][aria-busy="false"] .facet-value`);
}

// Each value with its count.
const facetValues = (suite, name) => suite.browser.run(`return [...document.querySelectorAll('[aria-label="Values of ' + arguments[0] + '"] .facet-is')]
  .map((button) => [button.querySelector('bdi').textContent, Number(button.querySelector('.type').textContent.replaceAll(',', ''))])`, name);

const wide = { project_tier: 'ENTERPRISE' };

// A log whose columns are called as its owner calls them, and an endpoint for it.
async function withOwnLog(suite, flow) {
  const folder = path.join(suite.work, 'own-search');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'schema.json'), JSON.stringify({ 'shop.logs': { log: 'shop_logs', time: 'ts', project: ['tenant'], id: 'rid', message: 'msg',
    columns: { rid: 'STRING', ts: 'TIMESTAMP', tenant: 'STRING', msg: 'STRING', level: 'STRING', http: { path: 'STRING', status: 'INT64' } } } }));
  writeFileSync(path.join(folder, 'shop.rows.sql'), 'with shop_rows as (select t.* from `shop.logs` as t where t.tenant = @project and (@since is null or t.ts >= @since) and (@until is null or t.ts < @until))\nselect ts, rid, level, msg, http from shop_rows order by ts desc limit 100');
  writeFileSync(path.join(folder, 'shop.rows.json'), JSON.stringify({ id: '0b3f1c52-4a7e-4d0a-8f65-2f4b6c1d9e72', name: 'shop.rows', description: 'Rows of a shop.', max_rows: 1000,
    caching: 'disabled', query_sandboxing: true, redact_pii: false,
    parameters: [{ name: 'project', type: 'STRING', required: true }, { name: 'since', type: 'TIMESTAMP', required: false }, { name: 'until', type: 'TIMESTAMP', required: false }] }));
  const rows = Array.from({ length: 240 }, (_, n) => ({ rid: `r${n}`, ts: new Date(Date.now() - n * 60e3).toISOString(), tenant: suite.project, level: n % 8 === 0 ? 'error' : 'info',
    msg: n % 8 === 0 ? `payment ${n} failed` : `order ${n} placed`, http: { path: n % 8 === 0 ? '/pay' : '/cart', status: n % 8 === 0 ? 502 : 200 } }));
  writeFileSync(path.join(suite.work, 'shop_logs.ndjson'), rows.map((row) => JSON.stringify(row)).join('\n'));
  suite.logquery('load', '--data', 'data-shop', '--schema', path.join(folder, 'schema.json'), 'shop_logs.ndjson');
  await suite.withServer('data-shop', ['--endpoints', folder], flow);
}

export const searchFlows = {
  'words, phrases and fields are searched, and shown as filters and as SQL': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', wide);
    await browser.run('document.activeElement.blur()');
    // The slash goes to the search.
    await browser.press('/');
    equal(await browser.run('return document.activeElement.id'), 'search');
    await browser.press(...'MOZILLA status_code:>=400 -method:"GET"', enter);
    await filtered(suite, 'text contains MOZILLA', 'status_code ≥ 400', 'method ≠ GET');
    equal(await browser.run('return document.getElementById("search").value'), '');
    const sql = await suite.sqlText();
    matches(sql, /^select `id`, `timestamp`, `event_message`, `metadata`\nfrom `edge_logs`\nwhere strpos\(lower\(`event_message`\), lower\('MOZILLA'\)\) > 0\n {2}and exists \(/);
    const rows = await suite.rowsNow();
    holds(rows.length > 5, `${rows.length} rows`);
    holds(rows.every((row) => /mozilla/i.test(row.event_message) && status(row) >= 400 && request(row)?.method !== 'GET'), 'all rows are what was asked for');
    equal(await browser.awaitText('.results-bar b', /\d/), String(rows.length));
    // All of it is in the link, and none of the SQL.
    const link = await browser.run('return location.href');
    matches(decodeURIComponent(link), /[?&#]q=MOZILLA\+status_code:>=400\+-method:"GET"/);
    lacks(link, /select/);
    await browser.open(link);
    await filtered(suite, 'text contains MOZILLA', 'status_code ≥ 400', 'method ≠ GET');
    equal((await suite.rowsNow()).length, rows.length);
  },

  'whatever is searched for is only ever a literal': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', wide);
    const hostile = ["'; drop table edge_logs; --", '\\', '\\\\\'', '"', '`', '\u202e\u2066abc', '{{x}} @project %s', '/* */', '😀', "x' or '1'='1"];
    for (const text of hostile) {
      const written = JSON.stringify(text).replace(/^"|"$/g, '');
      await browser.run('document.getElementById("search").focus()');
      // As a paste brings it: no key stands for some of these.
      await browser.cdp('Input.insertText', { text: `"${written}" path:~"${written}"` });
      await browser.press(enter);
      await browser.until(`two filters on ${text}`, async () => (await browser.texts('.pill')).length === 2);
      await suite.searched();
      equal([text, await browser.texts('.failed'), await browser.texts('.message h2')], [text, [], ['No rows']]);
      await browser.click('//button[text()="Clear"]');
      await browser.until('no filter', async () => (await browser.texts('.pill')).length === 0);
      await suite.searched();
    }
    // A link may bring what no keyboard does.
    await browser.open(suite.link('logs.all', wide, { q: 'a\u0000b "c\nd\\0"' }));
    await browser.until('two filters', async () => (await browser.texts('.pill')).length === 2);
    await suite.searched();
    equal([await browser.texts('.failed'), await browser.texts('.message h2')], [[], ['No rows']]);
  },

  'a field that is not there is told with near names, and nothing runs': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', wide);
    const before = await browser.run('return location.href');
    for (const [text, expected] of [
      ['statuscode:500', /no field statuscode\. Near names are status_code\b/], ['cf_ray:1', /cf_ray is in several places: write metadata\.request\.headers\.cf_ray or/],
      ['response:*', /response is a record/], ['status:bad', /status is a number, and "bad" is not/], ['path:', /Write a value after path/],
    ]) {
      await search(suite, text);
      matches(await browser.awaitText('#search-problem', expected), expected);
      equal(await browser.run('return [document.getElementById("search").value, document.getElementById("search").getAttribute("aria-invalid"), location.href]'), [text, 'true', before]);
    }
    await browser.press(keys.escape);
    await browser.until('no message', async () => (await browser.texts('#search-problem')).length === 0);
    // In another log a filter may have no field: it is marked, and says so.
    await search(suite, 'path:~auth');
    await filtered(suite, 'path contains auth');
    await browser.choose('[aria-label="Log"]', 'auth_logs');
    await browser.until('an answer', async () => (await browser.texts('#search-problem, .lines .line, .message h2')).length > 0);
    await browser.choose('[aria-label="Log"]', 'postgres_logs');
    matches(await browser.awaitText('#search-problem', /path/), /These rows have no field path/);
    equal((await browser.texts('.pill.wrong')).length, 1);
    await browser.click('[aria-label="Remove the filter path:~auth"]');
    await suite.searched();
    equal(await browser.texts('#search-problem'), []);
    matches(await suite.sqlText(), /from `postgres_logs`/);
  },

  'filters are negated, edited and removed, and each change runs at once': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', wide, { q: 'status:5xx method:"POST"' });
    await filtered(suite, 'status = 5xx', 'method = POST');
    await browser.click('[aria-label="Negate the filter status:5xx"]');
    await filtered(suite, 'status ≠ 5xx', 'method = POST');
    holds((await suite.rowsNow()).every((row) => status(row) < 500 && request(row).method === 'POST'), 'no row is 5xx');
    await browser.click('[aria-label="Edit the filter -status:5xx"]');
    equal(await browser.run('return [document.activeElement.id, document.activeElement.value]'), ['search', '-status:5xx']);
    await browser.press([keys.control, 'a'], ...'status:404', enter);
    await filtered(suite, 'status = 404', 'method = POST');
    holds((await suite.rowsNow()).every((row) => status(row) === 404), 'all rows are 404');
    // Backspace takes the last one back into the box; Escape leaves it as it was.
    await browser.press('\uE003');
    equal(await browser.run('return document.getElementById("search").value'), 'method:"POST"');
    await browser.press(keys.escape);
    equal(await pills(suite), ['status = 404', 'method = POST']);
    await browser.click('[aria-label="Remove the filter method:\\"POST\\""]');
    await filtered(suite, 'status = 404');
    // Back leads to the filters of before.
    await browser.post('/back');
    await filtered(suite, 'status = 404', 'method = POST');
  },

  'the SQL of a search is edited, and filters stay while their conditions stand': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', wide, { q: 'status:>=400' });
    await filtered(suite, 'status ≥ 400');
    const sql = await suite.sqlText();
    // Key by key, as somebody edits; in between the SQL has no LIMIT that could be read.
    await browser.post(`/element/${await browser.inside('.editor', '.cm-content')}/click`);
    await browser.press([keys.control, keys.end], ...Array(3).fill('\uE003'));
    equal(await pills(suite), ['status ≥ 400']);
    await browser.press('7');
    equal([await pills(suite), await suite.sqlText()], [['status ≥ 400'], sql.replace('limit 100', 'limit 7')]);
    await browser.click('button.run');
    await browser.awaitText('.results-bar', /^7 rows/);
    await browser.click('[aria-label="Remove the filter status:>=400"]');
    await browser.until('SQL without it', async () => (await suite.sqlText()) === 'select `id`, `timestamp`, `event_message`, `metadata`\nfrom `edge_logs`\norder by `timestamp` desc\nlimit 7');
    // A condition that was edited is part of the SQL, and another search joins it.
    await suite.writeSql(sql.replace('>= 400', '>= 500'));
    equal(await pills(suite), []);
    await search(suite, '-status:504');
    await filtered(suite, 'status ≠ 504');
    matches(await suite.sqlText(), /`status_code` >= 500\)\n {2}and not exists \(/);
    holds((await suite.rowsNow()).every((row) => status(row) >= 500 && status(row) !== 504), 'both conditions hold');
  },

  'the values of a row ask for more, less, a part, or any value': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', wide, { q: 'status:404' });
    await filtered(suite, 'status = 404');
    const more = async (field, label) => {
      await browser.click('#cell-0-0');
      await browser.run('document.querySelector(`.detail .actions [aria-label="More filters on ${arguments[0]}"]`).click()', field);
      await browser.click(`//div[@class="more-actions"]/button[text()="${label}"]`);
    };
    await browser.click('[aria-label="Remove the filter status:404"]');
    await browser.until('no filter', async () => (await pills(suite)).length === 0);
    await suite.searched();
    const first = status((await suite.rowsNow())[0]);
    await more('metadata.response.status_code', '≥');
    await filtered(suite, `status_code ≥ ${first}`);
    await more('metadata.request.path', 'exists');
    await filtered(suite, `status_code ≥ ${first}`, 'path exists');
    const way = request((await suite.rowsNow())[0]).path;
    await more('metadata.request.path', 'contains…');
    await browser.until('the path in the search', () => browser.run('return document.activeElement.id === "search" && document.activeElement.value === `path:~${arguments[0]}`', way));
    // The value is selected: what is typed takes its place.
    await browser.press(...'v1', enter);
    await filtered(suite, `status_code ≥ ${first}`, 'path exists', 'path contains v1');
  },

  'a cell filters by its menu and by the keyboard': async (suite) => {
    const { browser } = suite;
    const sql = 'select r.method, r.path, p.status_code from edge_logs t cross join unnest(t.metadata) m cross join unnest(m.request) r cross join unnest(m.response) p order by t.timestamp desc limit 50';
    await suite.shown('logs.all', wide, { sql });
    const method = await browser.text('#cell-0-0');
    await browser.run(`const cell = document.getElementById('cell-0-0').getBoundingClientRect();
      document.getElementById('cell-0-0').dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: cell.left + 5, clientY: cell.top + 5 }))`);
    equal(await browser.texts('.cell-menu [role="menuitem"] b'), ['=', '≠', 'contains…', 'exists', 'is missing', 'copy']);
    await browser.press(keys.enter);
    await filtered(suite, `method = ${method}`);
    equal([...new Set(await browser.texts('.lines [aria-colindex="1"]'))], [method]);
    const code = await browser.text('#cell-0-2');
    await browser.run('document.querySelector(".grid").focus()');
    await browser.press(keys.down, keys.right, keys.right, '-');
    await filtered(suite, `method = ${method}`, `status_code ≠ ${code}`);
    holds(!(await browser.texts('.lines [aria-colindex="3"]')).includes(code), 'the value is left out');
  },

  'facets show the top values of the fields that matter, and a click filters': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', wide);
    await facets(suite, 'status_code', 'method', 'path');
    equal((await browser.texts('.facet h2')).slice(0, 3), ['status_code', 'method', 'path']);
    const parameters = { project: suite.project, ...wide, iso_timestamp_start: new Date(Date.now() - 24 * 3600e3).toISOString() };
    const [{ n }] = await suite.rows('logs.all', { ...parameters, sql: 'select count(*) as n from edge_logs t cross join unnest(t.metadata) m cross join unnest(m.response) r where r.status_code = 404' });
    const counted = Object.fromEntries(await facetValues(suite, 'status_code'));
    holds(Math.abs(counted['404'] - n) <= 2, `${counted['404']} rows with 404, and the server counts ${n}`);
    const numbers = (await facetValues(suite, 'status_code')).map(([, number]) => number);
    equal([...numbers].sort((left, right) => right - left), numbers);
    await browser.click('//section[@aria-label="Values of status_code"]//button[starts-with(., "404")]');
    await filtered(suite, 'status_code = 404');
    // The facets are those of the rows that are left.
    await browser.until('the facets of these rows', async () => (await facetValues(suite, 'status_code')).map(([value]) => value).join() === '404');
    await browser.awaits('[aria-label="Values of path"][aria-busy="false"] .facet-value');
    const [[first]] = await facetValues(suite, 'path');
    await browser.run('document.querySelector(`[aria-label="${arguments[0]}"]`).click()', `Leave out path = ${first}`);
    await filtered(suite, 'status_code = 404', `path ≠ ${first}`);
    holds((await suite.rowsNow()).every((row) => status(row) === 404 && request(row)?.path !== first), 'the rows are those of both');
    // A second click on the value takes its filter away.
    await browser.click('//section[@aria-label="Values of status_code"]//button[@aria-pressed="true"]');
    await filtered(suite, `path ≠ ${first}`);
    // Any other field is counted once somebody opens it.
    await browser.type('.sidebar input', 'origin_time');
    await browser.click('//section[@aria-label="Values of origin_time"]//button');
    await browser.awaits('[aria-label="Values of origin_time"] .facet-value');
  },

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

  'the editor is one line until somebody uses it': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', wide);
    const height = () => browser.run('return document.querySelector(".editor").offsetHeight');
    holds((await height()) <= 30, `${await height()} px without SQL`);
    await search(suite, 'auth');
    await filtered(suite, 'text contains auth');
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
    equal(await browser.run('return document.querySelector(".line.selected").getBoundingClientRect().top > document.querySelector(".heads").getBoundingClientRect().bottom - 1'), true);
    await browser.post('/back');
    await filtered(suite, 'status = 5xx');
  },

  'long texts wrap, and a field is pinned as a column': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', wide);
    await browser.click('//button[text()="Columns"]');
    await browser.click('//label[contains(., "Wrap long texts")]/input');
    await browser.press(keys.escape);
    await browser.until('rows of more lines', () => browser.run('return document.querySelector(".lines .line").offsetHeight > 30'));
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
    await browser.click('//button[text()="Columns"]');
    await browser.click('//label[contains(., "metadata.request.method")]/input');
    await browser.until('the column gone', async () => (await browser.texts('.head button')).join() === 'timestamp,event_message');
  },

  'on a phone a message shows 60 characters and unfolds': async (suite) => {
    const { browser } = suite;
    await browser.resize(390, 844);
    await suite.shown('logs.all', wide);
    equal(await browser.run('return document.documentElement.scrollWidth'), 390);
    const text = () => browser.run('return document.querySelector("#cell-0-1 .text").textContent');
    const message = (await suite.rowsNow())[0].event_message;
    equal(await text(), `${message.slice(0, 60)}…`);
    await browser.run('document.querySelector("#cell-0-1 .unfold").scrollIntoView({ block: "center" })');
    await browser.click('#cell-0-1 .unfold');
    equal([await text(), await browser.texts('.detail')], [message, []]);
    equal(await browser.run('return document.documentElement.scrollWidth'), 390);
    await browser.click('#cell-0-1 .unfold');
    equal(await text(), `${message.slice(0, 60)}…`);
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

  'a log of one\'s own is searched, drawn and followed like any other': async (suite) => {
    const { browser } = suite;
    await withOwnLog(suite, async () => {
      await suite.shown('shop.rows');
      // The endpoint's own query is of rows with a time and a message, too.
      equal((await browser.texts('.head button')).slice(0, 2), ['ts', 'msg']);
      await search(suite, 'payment level:error');
      await filtered(suite, 'text contains payment', 'level = error');
      equal((await suite.rowsNow()).length, 30);
      await browser.awaitText('.chart-title', /^30 rows by status/);
      equal(await browser.texts('.swatch'), ['5xx']);
      equal([...new Set(await browser.texts('.mark'))], ['502']);
      await facets(suite, 'status', 'level', 'path');
      await browser.click('[aria-label^="Remove the filter level"]');
      await filtered(suite, 'text contains payment');
      await browser.click('button.live');
      await browser.awaits('button.live.on');
      const spool = path.join(suite.work, 'data-shop/spool/shop_logs');
      mkdirSync(spool, { recursive: true });
      const row = { rid: 'live', ts: new Date().toISOString(), tenant: suite.project, level: 'error', msg: 'payment of just now failed', http: { path: '/pay', status: 503 } };
      writeFileSync(path.join(spool, 'live.tmp'), JSON.stringify(row) + '\n');
      renameSync(path.join(spool, 'live.tmp'), path.join(spool, 'live.ndjson'));
      await browser.until('the new row on top', async () => (await browser.texts('.lines .text'))[0] === row.msg);
      await browser.click('button.live');
    });
  },

  'the errors of the last hour, by text and by path, are a link in eight clicks without SQL': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', wide);
    await browser.cdp('Browser.grantPermissions', { origin: suite.url.slice(0, -1), permissions: ['clipboardReadWrite', 'clipboardSanitizedWrite'] });
    await browser.run('window.clicks = 0; document.addEventListener("click", (event) => (window.clicks += event.isTrusted && event.detail > 0 ? 1 : 0), true)');
    await browser.click('[title="Time range"]');
    await browser.click('//button[text()="Last hour"]');
    await browser.until('the last hour', () => browser.run('return location.hash.includes("range=1h")'));
    await suite.searched();
    await browser.click('#search');
    await browser.press(...'status:>=400 http', enter);
    await filtered(suite, 'status ≥ 400', 'text contains http');
    await browser.click('#tab-facets');
    await browser.awaits('[aria-label="Values of path"][aria-busy="false"] .facet-value');
    const [[first]] = await facetValues(suite, 'path');
    await browser.click('[aria-label="Values of path"] .facet-is');
    await filtered(suite, 'status ≥ 400', 'text contains http', `path = ${first}`);
    const rows = await suite.rowsNow();
    holds(rows.length > 0 && rows.every((row) => status(row) >= 400 && request(row).path === first && /http/i.test(row.event_message)), 'the rows are the errors of this path');
    await browser.click('//button[text()="Link"]');
    await browser.awaitText('.told-link', /Copied a link to/);
    const clicks = await browser.run('return window.clicks');
    holds(clicks <= 8 && clicks >= 5, `${clicks} clicks`);
    const link = await browser.runAsync('const done = arguments[0]; navigator.clipboard.readText().then(done, (error) => done(String(error)))');
    lacks(link, /sql=|select/);
    holds(link.length < 400, `the link has ${link.length} characters`);
    // Whoever opens it sees the same rows.
    await suite.fresh();
    await browser.open(link);
    await browser.type('#token', suite.token);
    await browser.click('button.primary');
    await filtered(suite, 'status ≥ 400', 'text contains http', `path = ${first}`);
    equal((await suite.rowsNow()).map(({ id }) => id), rows.map(({ id }) => id));
    await suite.screenshot('desktop-walk');
  },
};
