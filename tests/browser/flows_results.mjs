// Reading results: the table, a row's detail, pages, downloads, the cache, redaction and the live tail.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { equal, holds, lacks, matches } from './check.mjs';
import { keys } from './webdriver.mjs';

// The texts in a column of the table, without the marks of status and level.
const column = (suite, at) => suite.browser.run(`return [...document.querySelectorAll('.lines .cell[aria-colindex="${at}"]')].map((cell) => (cell.querySelector('.text') ?? cell).textContent.trim())`);

async function allowClipboard(suite) {
  await suite.browser.cdp('Browser.grantPermissions', { origin: suite.url.slice(0, -1), permissions: ['clipboardReadWrite', 'clipboardSanitizedWrite'] });
}

const clipboard = (suite) => suite.browser.runAsync('const done = arguments[0]; navigator.clipboard.readText().then(done, (error) => done(String(error)))');

// The file that the menu Download makes.
async function download(suite, format, name, columns = null) {
  const file = path.join(suite.work, 'downloads', name);
  rmSync(file, { force: true });
  await suite.browser.click('//button[text()="Download"]');
  if (columns !== null) await suite.browser.click(`//label[contains(., "${columns}")]`);
  await suite.browser.click(`//button[text()="${format}"]`);
  return suite.browser.until(`the file ${name}`, () => readFileSync(file, 'utf8'));
}

export const resultFlows = {
  "a row's detail unfolds what is nested": async (suite) => {
    const { browser } = suite;
    await suite.shown();
    await browser.click('#cell-1-1');
    await browser.awaits('.detail');
    equal(await browser.text('.detail h2'), 'Row 2');
    const names = await browser.texts('.detail .key');
    for (const name of ['timestamp', 'event_message', 'metadata', 'request', 'response', 'status_code']) holds(names.includes(name), `the detail has ${name}`);
    await browser.click('[aria-label="Fields of metadata"]');
    holds(!(await browser.texts('.detail .key')).includes('request'), 'what is folded is not there');
    const values = (await browser.texts('.detail .value.null')).length;
    await browser.click('.detail .check');
    await browser.click('[aria-label="Fields of metadata"]');
    await browser.until('NULLs', async () => (await browser.texts('.detail .value.null')).length > values);
    await browser.click('[aria-label="Next row"]');
    await browser.awaitText('.detail h2', /Row 3/);
  },

  'columns sort, also by numbers': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', {}, { sql: 'select r.method, count(*) as n from edge_logs t cross join unnest(t.metadata) m cross join unnest(m.request) r group by r.method' });
    await browser.click('//button[starts-with(text(), "n")][ancestor::*[@role="columnheader"]]');
    await browser.awaits('[aria-sort="ascending"]');
    const numbers = (await column(suite, 2)).map(Number);
    equal(numbers, [...numbers].sort((left, right) => left - right));
    holds(numbers.length > 2, 'there are several rows');
    await browser.click('//button[starts-with(text(), "n")][ancestor::*[@role="columnheader"]]');
    await browser.awaits('[aria-sort="descending"]');
    equal((await column(suite, 2)).map(Number), [...numbers].reverse());
  },

  'S sorts by the column of the cell, as Keys says': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', {}, { sql: 'select n, mod(n * 7, 10) as m from unnest(generate_array(1, 9)) n order by n' });
    await browser.run('document.querySelector(".grid").focus()');
    await browser.press(keys.down, keys.right, 's');
    await browser.awaits('[aria-colindex="2"][aria-sort="ascending"]');
    equal((await column(suite, 2)).map(Number), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    matches(await browser.awaitText('.notice', /Sorted/), /Sorted by m, ascending/);
    equal(await browser.run('return document.querySelector(".grid").getAttribute("aria-activedescendant")'), 'cell-0-1');
    await browser.press('s');
    await browser.awaits('[aria-colindex="2"][aria-sort="descending"]');
    await browser.press('s');
    await browser.until('the order of the answer', async () => (await column(suite, 1)).join() === '1,2,3,4,5,6,7,8,9');
    await browser.click('//button[text()="Keys"]');
    matches(await browser.text('.panel.right'), /sort by the cell's column/);
  },

  'a column is resized by its edge': async (suite) => {
    const { browser } = suite;
    await suite.shown();
    const width = () => browser.run('return document.querySelector(".cell.head").offsetWidth');
    const before = await width();
    await browser.drag('.grip', 80, 0);
    equal(await width(), before + 80);
    equal(await browser.run('return document.getElementById("cell-0-0").offsetWidth'), before + 80);
  },

  'the keyboard moves through the rows, opens one, and copies a cell': async (suite) => {
    const { browser } = suite;
    await suite.shown();
    await allowClipboard(suite);
    await browser.run('document.querySelector(".grid").focus()');
    await browser.press(keys.down, keys.down, keys.down, keys.right);
    equal(await browser.run('return document.querySelector(".grid").getAttribute("aria-activedescendant")'), 'cell-2-1');
    await browser.press([keys.control, 'c']);
    await browser.awaitText('.notice', /Copied the cell/);
    const message = (await column(suite, 2))[2];
    equal(await clipboard(suite), message);
    await browser.press(keys.enter);
    await browser.awaitText('.detail h2', /Row 3/);
    await browser.press(keys.end);
    await browser.awaitText('.detail h2', /Row 100/);
    await browser.press(keys.escape);
    await browser.until('a closed detail', async () => (await browser.texts('.detail')).length === 0);
    // From inside of the detail, too, the focus comes back to the row.
    await browser.click('#cell-98-1');
    await browser.run('document.querySelector(".detail .copy").focus()');
    await browser.press(keys.escape);
    await browser.until('a closed detail', async () => (await browser.texts('.detail')).length === 0);
    equal(await browser.run('const grid = document.activeElement; return [grid.className, grid.getAttribute("aria-activedescendant")]'), ['grid', 'cell-98-1']);
  },

  'columns are shown and hidden': async (suite) => {
    const { browser } = suite;
    await suite.shown();
    await browser.click('//button[text()="Columns"]');
    await browser.click('//label[contains(., "id")][1]');
    await browser.until('the column id', async () => (await browser.texts('.head button')).includes('id'));
    matches((await column(suite, 3))[0], /^[0-9a-f-]{36}$/);
  },

  'older rows follow, none twice': async (suite) => {
    const { browser } = suite;
    await suite.shown();
    await browser.click('.more button');
    await browser.awaitText('.results-bar', /200 rows/);
    await browser.run('document.querySelector(".grid").scrollTop = 1e6');
    await browser.awaits('#cell-199-0');
    const all = await suite.rows('logs.all', { project: suite.project, project_tier: 'FREE', sql: 'select event_message from edge_logs order by timestamp desc, id limit 200' });
    equal(await browser.text('#cell-199-1 .text'), all[199].event_message.slice(0, 600).trim());
  },

  'a thousand rows take a screenful of elements': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', {}, { sql: 'select n from unnest(generate_array(1, 1000)) n order by n' });
    await browser.awaitText('.results-bar', /1,000 rows/);
    const drawn = await browser.run('return document.querySelectorAll(".lines .line").length');
    holds(drawn < 60, `${drawn} rows are drawn`);
    await browser.run('document.querySelector(".grid").scrollTop = 1e6');
    await browser.until('the last row', async () => (await column(suite, 1)).at(-1) === '1000');
  },

  'rows are downloaded as CSV and as NDJSON': async (suite) => {
    const { browser } = suite;
    await suite.shown('usage.api-counts', { interval: 'daily' });
    const rows = await suite.rows('usage.api-counts', { project: suite.project, interval: 'daily' });
    const csv = await download(suite, 'CSV', 'usage.api-counts.csv');
    equal(csv.trim().split('\r\n').length, rows.length + 1);
    matches(csv, /^timestamp,total_rest_requests,/);
    const lines = (await download(suite, 'NDJSON', 'usage.api-counts.ndjson')).trim().split('\n');
    equal(lines.map((line) => JSON.parse(line)), rows);
  },

  'a file has the rows, the order and the columns of the table, or all columns': async (suite) => {
    const { browser } = suite;
    await suite.shown();
    await browser.click('.more button');
    await browser.awaitText('.results-bar', /200 rows/);
    await browser.click('//button[starts-with(., "event_message")]');
    await browser.awaits('[aria-sort="ascending"]');
    const shown = (await download(suite, 'CSV', 'logs.all.csv')).trim().split('\r\n');
    equal([shown[0], shown.length], ['timestamp,event_message', 201]);
    matches(shown[1], /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z,/);
    const first = (await column(suite, 2))[0];
    holds(shown[1].includes(first.slice(0, 20)), `the first row of the table comes first: ${shown[1]}`);
    const all = (await download(suite, 'CSV', 'logs.all.csv', 'All 4 columns')).trim().split('\r\n');
    matches(all[0], /^timestamp,event_message,(id,metadata|metadata,id)$/);
    equal(all.length, 201);
  },

  'a token of one project says so where another one is asked for': async (suite) => {
    const { browser } = suite;
    const other = /"ref": "([a-z]+)"[^]*"ref": "([a-z]+)"/.exec(readFileSync(path.join(suite.work, 'sample/manifest.json'), 'utf8'))[2];
    const scoped = suite.logquery('token', 'create', '--tokens', 'tokens.json', '--project', other, '--label', 'scoped').trim();
    await suite.callUntil(200, '/api/endpoints', { headers: { 'X-API-KEY': scoped } });
    await suite.fresh();
    await browser.run('sessionStorage.setItem("logquery.token", JSON.stringify(arguments[0]))', scoped);
    await browser.open(suite.link('logs.all', { project_tier: 'ENTERPRISE' }, { range: 'all' }));
    matches(await browser.awaitText('.message', /No rows/), new RegExp(`only the rows of project ${other}, and the query asks for ${suite.project}`));
    matches(await browser.text('.parameter .problem'), new RegExp(`only ${other}`));
    await suite.screenshot('desktop-light-scoped');
    // Without a project the token's own is read.
    await browser.type('#parameter-project', ' ');
    await browser.press('\uE003');
    equal(await browser.run('return document.getElementById("parameter-project").placeholder'), other);
    await browser.click('button.run');
    await browser.awaits('.lines .line');
    equal(await browser.texts('.badge.warn'), []);
  },

  "a value of a row's detail filters the rows at once": async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', { project_tier: 'ENTERPRISE' });
    await browser.click('#cell-0-1');
    await browser.awaits('.detail');
    const labelled = (pattern) => browser.run('return [...document.querySelectorAll(".detail .actions button")].map((button) => button.getAttribute("aria-label")).find((text) => new RegExp(arguments[0]).test(text))', pattern);
    const press = (label) => browser.run('document.querySelector(`[aria-label="${CSS.escape(arguments[0])}"]`).focus()', label).then(() => browser.press(keys.enter));
    const label = await labelled('^Filter by metadata\\.response\\.status_code = ');
    const status = /= (\d+)$/.exec(label)[1];
    // The filter is set by the keyboard alone.
    await press(label);
    await browser.until('the filter', async () => (await browser.texts('.pill-text')).join() === `status_code = ${status}`);
    matches(await suite.sqlText(), new RegExp(`^select \`id\`, [^]*\\nwhere exists \\(select 1 from [^]*\\.\`status_code\` = ${status}\\)\\norder by`));
    await suite.searched();
    await browser.click('#cell-0-1');
    // A second one joins it: text with its quotes, and left out.
    const excluded = (await suite.rowsNow())[0].event_message;
    await press(await labelled('^Exclude event_message = '));
    await browser.until('both filters', async () => (await browser.texts('.pill-text')).length === 2);
    matches(await suite.sqlText(), /\n {2}and `event_message` is distinct from '/);
    await suite.searched();
    const rows = await suite.rowsNow();
    holds(rows.length > 0 && rows.every((row) => String(row.metadata[0].response[0].status_code) === status), 'all rows have the status');
    holds(rows.every((row) => row.event_message !== excluded), 'the message is left out');
  },

  'filters on values of every type run, and NULL is one': async (suite) => {
    const { browser } = suite;
    const sql = "select 'it\\'s \\\\ \\n\"' as words, 7 as whole, 1.5 as half, true as yes, cast(null as string) as nothing, timestamp '2026-01-02 03:04:05.678901+00' as moment, date '2026-01-02' as day from unnest([1, 2]) as n";
    for (const name of ['words', 'whole', 'half', 'yes', 'nothing', 'moment', 'day']) {
      for (const [word, expected] of [['Filter by', 2], ['Exclude', 0]]) {
        await suite.shown('logs.all', {}, { sql });
        await browser.click('#cell-0-0');
        await browser.awaits('.detail');
        await browser.run('document.querySelector(`.detail [aria-label^="${arguments[0]} ="]`).click()', `${word} ${name}`);
        await browser.until(`the filter on ${name}`, async () => (await browser.texts('.pill')).length === 1);
        await suite.searched();
        equal([name, word, (await suite.rowsNow()).length, await browser.texts('.failed')], [name, word, expected, []]);
      }
    }
  },

  'rows of a query that was edited since are marked until it runs or is restored': async (suite) => {
    const { browser } = suite;
    const sql = 'select count(*) as n from auth_logs';
    await suite.shown('logs.all', { project_tier: 'FREE' }, { sql });
    equal(await browser.texts('.outdated'), []);
    const gone = () => browser.until('no mark', async () => (await browser.texts('.outdated')).length === 0);
    await suite.writeSql(`${sql} where true`);
    matches(await browser.text('.outdated'), /The query has changed since/);
    equal(await browser.run('return getComputedStyle(document.querySelector(".lines .cell")).color === getComputedStyle(document.querySelector(".lines .cell").parentElement).color'), false);
    // The mark and the text change at once: no frame shows one without the other.
    equal(await browser.run(`return new Promise((told) => {
      new MutationObserver((_, observer) => {
        if (document.querySelector('.outdated') !== null) return;
        observer.disconnect();
        told([...document.querySelector('.editor').shadowRoot.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\\n'));
      }).observe(document.body, { childList: true, subtree: true });
      document.querySelector('.outdated button[title^="Write the query"]').click();
    })`), sql);
    await browser.type('#parameter-project_tier', 'PRO');
    await browser.awaits('.outdated');
    await browser.type('#parameter-project_tier', 'FREE');
    await gone();
    await suite.writeSql(`${sql} where false`);
    await browser.click('//p[contains(@class, "outdated")]/button[text()="Run"]');
    await gone();
    await browser.until('the new count', async () => (await column(suite, 1)).join() === '0');
  },

  "the answer's figures, its cache and its ids are there": async (suite) => {
    const { browser } = suite;
    await suite.shown('functions.invocation-stats', { interval: '7day' });
    await browser.click('button.run');
    await browser.awaits('.badge.hit');
    await browser.click('[title="Timings, cache and ids of this answer"]');
    const figures = await browser.text('.results-bar .figures');
    for (const word of ['Round trip', 'execute', 'encode', 'Request', 'Receipt']) matches(figures, new RegExp(word));
    matches(figures, /hit, \d+ s old/);
  },

  'addresses are redacted where that is asked for': async (suite) => {
    const { browser } = suite;
    await suite.shown();
    lacks((await column(suite, 2)).join(), /REDACTED/);
    await browser.click('//label[contains(., "Redact IPs")]/input');
    await browser.click('button.run');
    await browser.until('redacted rows', async () => /REDACTED/.test((await column(suite, 2)).join()));
  },

  'the live tail puts new rows on top, and stops': async (suite) => {
    const { browser } = suite;
    await suite.shown();
    await browser.click('button.live');
    await browser.awaits('button.live.on');
    const row = { timestamp: new Date().toISOString(), id: 'tail-row-1', event_message: 'a row that came while somebody looked', project: suite.project };
    const spool = path.join(suite.work, 'data/spool/edge_logs');
    mkdirSync(spool, { recursive: true });
    writeFileSync(path.join(spool, 'tail.tmp'), JSON.stringify(row) + '\n');
    renameSync(path.join(spool, 'tail.tmp'), path.join(spool, 'tail.ndjson'));
    await browser.until('the new row on top', async () => (await column(suite, 2))[0] === row.event_message);
    await browser.awaitText('.results-bar', /101 rows/);
    await browser.click('button.live');
    await browser.until('a tail that has stopped', async () => (await browser.texts('button.live.on')).length === 0);
  },

  'the live tail keeps the colours of rows and histogram, also when the newest rows have no status': async (suite) => {
    const { browser } = suite;
    const spool = path.join(suite.work, 'data/spool/edge_logs');
    mkdirSync(spool, { recursive: true });
    const project = `tones-${Date.now()}`;
    const put = (name, rows) => {
      writeFileSync(path.join(spool, `${name}.tmp`), rows.map((row) => JSON.stringify({ project, ...row }) + '\n').join(''));
      renameSync(path.join(spool, `${name}.tmp`), path.join(spool, `${name}.ndjson`));
    };
    const row = (id, code) => ({ timestamp: new Date().toISOString(), id, event_message: id, ...(code === null ? {} : { metadata: [{ response: [{ status_code: code }] }] }) });
    put('tones-before', [row('fine', 200), row('broken', 503)]);
    await browser.until('the rows', async () => (await suite.rows('logs.all', { project })).length === 2);
    await suite.shown('logs.all', { project });
    const tones = () => browser.run('return Object.fromEntries([...document.querySelectorAll(".lines .line")].map((line) => [line.querySelector(".text").textContent, line.className.replace(/line line-| selected/g, "")]))');
    equal(await tones(), { fine: 'ok', broken: 'error' });
    await browser.awaitText('.chart-title', /^2 rows by status_code/);
    await browser.click('button.live');
    await browser.awaits('button.live.on');
    await browser.awaitText('.chart-title', /^2 rows that are shown by status_code/);
    equal(await browser.texts('.swatch'), ['5xx', '2xx']);
    put('tones-after', [row('gone', 404), ...Array.from({ length: 25 }, (_, at) => row(`plain-${at}`, null))]);
    await browser.until('the new rows', async () => Object.keys(await tones()).includes('plain-0'));
    // The rows further down are not in sight.
    const after = await tones();
    equal([after['gone'], after['plain-0']], ['warn', 'none']);
    await browser.awaitText('.chart-title', /^28 rows that are shown by status_code/);
    equal(await browser.texts('.swatch'), ['5xx', '4xx', '2xx', 'none']);
    await browser.click('button.live');
  },

  'a row from the future does not keep the live tail from new rows': async (suite) => {
    const { browser } = suite;
    const put = (name, time) => {
      const row = { timestamp: new Date(time).toISOString(), id: name, event_message: name, project: 'ahead' };
      writeFileSync(path.join(suite.work, 'data/spool/edge_logs', `${name}.tmp`), JSON.stringify(row) + '\n');
      renameSync(path.join(suite.work, 'data/spool/edge_logs', `${name}.tmp`), path.join(suite.work, 'data/spool/edge_logs', `${name}.ndjson`));
    };
    mkdirSync(path.join(suite.work, 'data/spool/edge_logs'), { recursive: true });
    put('from-the-future', Date.now() + 3600e3);
    await browser.until('the row', async () => (await suite.rows('logs.all', { project: 'ahead' })).length === 1);
    await suite.shown('logs.all', { project: 'ahead' });
    await browser.click('button.live');
    await browser.awaits('button.live.on');
    for (const name of ['of-the-present', 'of-a-moment-later']) {
      put(name, Date.now());
      await browser.until(`the row ${name} on top`, async () => (await column(suite, 2))[0] === name);
    }
    equal(await column(suite, 2), ['of-a-moment-later', 'of-the-present', 'from-the-future']);
    await browser.click('button.live');
  },

  'no rows are told as such': async (suite) => {
    await suite.signedIn(suite.link('logs.all', { project: 'nobody' }));
    await suite.browser.awaitText('.message h2', /No rows/);
    await suite.browser.click('//button[text()="Look in all that is kept"]');
    await suite.browser.until('the longest range', () => suite.browser.run('return location.hash.includes("range=all")'));
    matches(await suite.browser.awaitText('.message', /other parameters/), /No rows/);
  },

  'a range in the future is told as such': async (suite) => {
    const day = (days) => new Date(Date.now() + days * 86400e3).toISOString();
    await suite.signedIn(suite.link('logs.all', {}, { range: `${day(2)}/${day(3)}` }));
    matches(await suite.browser.awaitText('.message', /No rows/), /begins in the future/);
  },

  'a refused parameter is marked': async (suite) => {
    const { browser } = suite;
    await suite.signedIn(suite.link('usage.api-counts', { interval: 'daily', project: '(' }));
    await browser.awaits('.failed');
    await browser.awaits('.parameter.refused #parameter-project');
  },
};
