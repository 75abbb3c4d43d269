// Writing a query: endpoints and parameters, time ranges, running, cancelling, keeping, examples.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { equal, holds, lacks, matches } from './check.mjs';
import { keys } from './webdriver.mjs';

export const queryFlows = {
  'a link says which of its parameters do nothing': async (suite) => {
    const { browser } = suite;
    await suite.signedIn(suite.link('logs.all', { project_tier: 'FREE', page: '2', interval: 'daily' }, { project: 'x' }));
    await browser.awaits('.lines .line');
    const told = await browser.text('.link-hints');
    matches(told, /sets page and interval, which logs\.all does not have: nothing changes by it\. Its parameters are project, project_tier/);
    matches(told, /has project, which the page does not read\. A parameter is written with p\. before its name: p\.project=/);
    await suite.screenshot('desktop-link-hints');
    await browser.click('[aria-label="Close what is told of the link"]');
    equal(await browser.texts('.link-hints'), []);
    // What the endpoint takes is not told, and the parameters of a range are its range.
    const from = new Date(Date.now() - 7200e3).toISOString();
    await suite.shown('logs.all', { project_tier: 'FREE', iso_timestamp_start: from });
    equal(await browser.texts('.link-hints'), []);
    equal(new URLSearchParams((await browser.run('return location.hash')).slice(1)).get('range'), `${from}/`);
    holds((await suite.rowsNow()).every(({ timestamp }) => timestamp / 1000 > Date.parse(from)), 'the rows are those of the range');
  },

  'endpoints are listed, and the chosen one has its form': async (suite) => {
    const { browser } = suite;
    await suite.signedIn();
    equal(await browser.texts('.endpoints button'), ['functions.invocation-stats', 'logs.all', 'logs.all.otel', 'usage.api-counts']);
    equal(await browser.text('h1'), 'logs.all');
    await browser.click('//button[text()="usage.api-counts"]');
    await browser.awaits('#parameter-interval');
    const options = await browser.texts('#parameter-interval option');
    holds(options.includes('daily') && options.includes('hourly'), `the allowed values are offered: ${options}`);
    matches(await browser.text('.parameter'), /\*/);
    await browser.click('//button[text()="functions.invocation-stats"]');
    await browser.awaits('#parameter-function_id');
    equal(await browser.run('return document.getElementById("parameter-interval").placeholder'), '1day (default)');
  },

  'a missing parameter is named, and gets the focus': async (suite) => {
    const { browser } = suite;
    await suite.signedIn();
    await browser.click('button.run');
    matches(await browser.awaitText('.notice', /project/), /project needs a value/);
    equal(await browser.run('return document.activeElement.id'), 'parameter-project');
  },

  'a run shows rows in one screen': async (suite) => {
    const { browser } = suite;
    await suite.signedIn();
    await browser.type('#parameter-project', suite.project);
    await browser.type('#parameter-project_tier', 'FREE');
    await browser.click('button.run');
    await browser.awaits('#cell-0-0');
    const seen = await browser.run(`const row = document.getElementById('cell-3-0').getBoundingClientRect();
      return [document.documentElement.scrollHeight, innerHeight, row.top > 0 && row.bottom < innerHeight]`);
    equal(seen, [800, 800, true]);
    equal(await browser.texts('.head button'), ['timestamp', 'event_message']);
  },

  'one row is told as one, and the count goes with its endpoint': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', { project_tier: 'FREE' }, { sql: 'select timestamp, event_message from edge_logs order by timestamp desc limit 1' });
    equal(await browser.text('.notice'), '1 row');
    const [{ id }] = await suite.rows('logs.all', { project: suite.project, project_tier: 'FREE' });
    await suite.shown('logs.all', { project_tier: 'FREE' }, { sql: `select id, timestamp, event_message from edge_logs where id = '${id}'` });
    await browser.awaitText('.chart-title', /^1 row, /);
    equal(await browser.text('.notice'), '1 row');
    await browser.click('//button[text()="usage.api-counts"]');
    await browser.awaitText('h1', /usage\.api-counts/);
    equal(await browser.run('return document.querySelector(".notice").textContent'), '');
  },

  'Ctrl-Enter runs from a parameter and from the editor': async (suite) => {
    const { browser } = suite;
    await suite.signedIn();
    await browser.type('#parameter-project', suite.project);
    await browser.press([keys.control, keys.enter]);
    await browser.awaits('.lines .line');
    await suite.writeSql('select count(*) as n from auth_logs');
    await browser.press([keys.control, keys.enter]);
    await browser.until('the column n', async () => (await browser.texts('.head button')).join() === 'n');
  },

  'a preset of the time range bounds the rows': async (suite) => {
    const { browser } = suite;
    await suite.shown();
    await browser.click('[title="Time range"]');
    // Rows on screen are asked for again at once.
    await browser.click('//button[text()="Last 6 hours"]');
    await browser.until('the range in the address', () => browser.run('return location.hash.includes("range=6h")'));
    await browser.until('a call whose start is six hours ago', async () => {
      const asked = await browser.run('return performance.getEntriesByType("resource").map((entry) => entry.name).filter((name) => name.includes("iso_timestamp_start")).at(-1)');
      return Math.abs(Date.now() - Date.parse(new URL(asked).searchParams.get('iso_timestamp_start')) - 6 * 3600e3) < 120e3;
    });
    await browser.awaits('.lines .line');
    lacks(await browser.awaitText('.badge.window', /now/), /Retention/);
  },

  'a range of one\'s own is understood in UTC': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', { project_tier: 'ENTERPRISE' });
    if ((await browser.text('.query-pane .bar > button.quiet')) !== 'UTC') await browser.click('.query-pane .bar > button.quiet');
    await browser.click('[title="Time range"]');
    const from = new Date(Date.now() - 5 * 3600e3).toISOString().slice(0, 16) + ':00';
    const to = new Date(Date.now() - 4 * 3600e3).toISOString().slice(0, 16) + ':00';
    await browser.type('#range-from', from.replace('T', ' '));
    await browser.type('#range-to', to.replace('T', ' '));
    await browser.click('//button[text()="Apply"]');
    await browser.until('the range in the address', () => browser.run('return decodeURIComponent(location.hash).includes(arguments[0])', `range=${from}.000Z/${to}.000Z`));
    await browser.until('rows within the range', async () => {
      const newest = await browser.run('return document.querySelector(".lines .cell")?.textContent ?? ""');
      return newest !== '' && newest.replace(' ', 'T') <= to && newest.replace(' ', 'T') > from;
    });
  },

  'a range is written over another one, in 24 hours, and a wrong one is told': async (suite) => {
    const { browser } = suite;
    const day = (days) => new Date(Date.now() - days * 86400e3).toISOString().slice(0, 10);
    await suite.shown('logs.all', { project_tier: 'ENTERPRISE' }, { range: `${day(3)}T01:02:00.000Z/${day(1)}T22:05:00.000Z` });
    if ((await browser.text('.query-pane .bar > button.quiet')) !== 'UTC') await browser.click('.query-pane .bar > button.quiet');
    await browser.click('[title="Time range"]');
    const field = (id) => browser.run('const input = document.getElementById(arguments[0]); return [input.value, input.scrollWidth <= input.clientWidth, input.getAttribute("aria-invalid")]', id);
    equal([await field('range-from'), await field('range-to')], [[`${day(3)} 01:02`, true, 'false'], [`${day(1)} 22:05`, true, 'false']]);
    // Key by key, the year first: nothing else of the field changes.
    await browser.click('#range-from');
    await browser.press(keys.home, ...Array(4).fill('\uE017'), '2', '0', '2');
    equal((await field('range-from'))[0], `202${day(3).slice(4)} 01:02`);
    await browser.press(keys.enter);
    matches(await browser.awaitText('.custom .problem', /time/), /^Write a time as 2026-11-25 14:05\.$/);
    equal([(await field('range-from'))[2], await browser.run('return document.activeElement.id')], ['true', 'range-from']);
    await browser.press([keys.control, 'a'], ...`${day(2)} 13:30`);
    await browser.press(keys.enter);
    await browser.until('the range in the address', () => browser.run('return decodeURIComponent(location.hash).includes(arguments[0])', `range=${day(2)}T13:30:00.000Z/${day(1)}T22:05:00.000Z`));
    await browser.awaits('.lines .line');
    equal(await browser.text('.badge.window'), `${day(2)} 13:30 – ${day(1)} 22:05`);
  },

  'a start that retention moved is told': async (suite) => {
    await suite.shown('logs.all', { project_tier: 'FREE' }, { range: '30d' });
    matches(await suite.browser.text('.badge.window.warn'), /^Retention: \d{4}-\d\d-\d\d \d\d:\d\d – now$/);
  },

  'a long query is cancelled at the server, too': async (suite) => {
    const { browser } = suite;
    const cancelled = async () => Number(/^logquery_queries_total\{end="cancelled"\} (\d+)/m.exec((await suite.call('/metrics')).text)?.[1] ?? 0);
    const before = await cancelled();
    await suite.shown();
    await suite.writeSql('select count(*) as n from unnest(generate_array(1, 90000)) a cross join unnest(generate_array(1, 90000)) b where mod(a * b, 7) = 3');
    await browser.click('button.run');
    await browser.awaits('button.danger');
    await browser.until('the query at the server', async () => /^logquery_queries_running [1-9]/m.test((await suite.call('/metrics')).text));
    // The rows from before stay meanwhile, and cannot be taken for the query's own.
    await browser.awaitText('.running', /Running, \d+\.\d s/);
    holds((await browser.texts('.past-lines .line')).length > 0, 'the rows from before are there');
    equal(await browser.run('return document.querySelector(".answer").inert'), true);
    await suite.screenshot('desktop-running');
    await browser.click('button.danger');
    await browser.awaitText('.message h2', /Cancelled/);
    await browser.until("the server's count of cancelled queries", async () => (await cancelled()) > before);
  },

  'the history opens a query again': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', {}, { sql: 'select count(*) as first from auth_logs' });
    await browser.click('//button[text()="functions.invocation-stats"]');
    await browser.click('button.run');
    await browser.awaits('.lines .line');
    await browser.click('#tab-history');
    await browser.click('//span[@class="title"][contains(text(), "as first")]');
    await browser.until('the column first', async () => (await browser.texts('.head button')).join() === 'first');
    equal(await browser.text('h1'), 'logs.all');
  },

  'entries of the history tell themselves apart': async (suite) => {
    const { browser } = suite;
    const queries = ['where event_message = \'a\' limit 5', 'where event_message = \'b\' limit 5', 'where event_message = \'b\' limit 6'];
    await suite.shown('logs.all', { project_tier: 'FREE' }, { sql: 'select count(*) as n from auth_logs' });
    for (const rest of queries) {
      await suite.writeSql(`select event_message from auth_logs ${rest}`);
      await browser.click('button.run');
      await browser.until('the answer', async () => (await browser.texts('.message h2')).join() === 'No rows' && (await browser.texts('button.run')).length === 1);
    }
    await browser.click('#tab-history');
    equal(await browser.texts('.queries .title'), ['auth_logs · …limit 6', 'auth_logs · …limit 5', "auth_logs · event_message = 'a'", 'auth_logs · select count(*) as n from auth_logs']);
    matches((await browser.texts('.queries .note'))[0], /^\d\d-\d\d \d\d:\d\d:\d\d · logs\.all · Last 24 hours$/);
    equal(await browser.run('return document.querySelector(".queries .query").title'), `select event_message from auth_logs ${queries[2]}`);
  },

  'a query is saved, found after a reload, opened and removed': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', {}, { sql: 'select count(*) as kept from auth_logs', range: '6h' });
    await browser.click('//button[text()="Save"]');
    await browser.type('#save-name', 'auth by count');
    await browser.press(keys.enter);
    await browser.awaitText('.notice', /Saved as auth by count/);
    await browser.open(suite.url);
    await browser.click('#tab-saved');
    await browser.click('//span[@class="title"][text()="auth by count"]');
    await browser.until('the column kept', async () => (await browser.texts('.head button')).join() === 'kept');
    equal(await browser.text('[title="Time range"]'), 'Last 6 hours');
    await browser.click('[aria-label="Remove auth by count"]');
    await browser.awaitText('.sidebar .hint', /Save keeps a query/);
  },

  'a link carries the query and no token': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', {}, { sql: 'select count(*) as linked from auth_logs' });
    await browser.cdp('Browser.grantPermissions', { origin: suite.url.slice(0, -1), permissions: ['clipboardReadWrite', 'clipboardSanitizedWrite'] });
    await browser.click('//button[text()="Link"]');
    matches(await browser.awaitText('.told-link', /Copied/), /^Copied a link to [^.]+\. It holds no token: whoever opens it needs a token of their own\./);
    const link = await browser.runAsync('const done = arguments[0]; navigator.clipboard.readText().then(done, (error) => done(String(error)))');
    lacks(link, /lq_/);
    await browser.open(link);
    await browser.until('the column linked', async () => (await browser.texts('.head button')).join() === 'linked');
    // Somebody else has a token of their own.
    await suite.fresh();
    await browser.open(link);
    matches(await browser.awaitText('.entry', /signed in/), /The link opens a query of logs\.all/);
    await browser.type('#token', suite.token);
    await browser.click('button.primary');
    await browser.until('the column linked', async () => (await browser.texts('.head button')).join() === 'linked');
  },

  'the code of a call runs, with the token left out': async (suite) => {
    const { browser, token } = suite;
    await suite.shown('logs.all', {}, { sql: "select count(*) as n, 'it''s' as quoted from auth_logs" });
    await browser.click('//button[text()="Code"]');
    const curl = await browser.text('.snippets pre');
    lacks(curl, new RegExp(token));
    const answer = JSON.parse(execFileSync('sh', ['-c', curl], { env: { ...process.env, TOKEN: token }, encoding: 'utf8' }));
    equal(Object.keys(answer.result[0]), ['n', 'quoted']);
    await browser.click('//button[text()="JavaScript"]');
    const script = await browser.text('.snippets pre');
    const printed = await new Function('token', 'console', `return (async () => { ${script}; return result; })()`)(token, { table() {} });
    equal(printed, answer.result);
    await browser.click('//button[text()="C++"]');
    matches(await browser.text('.snippets pre'), /request\.endpoint = "logs\.all";[^]*\{"sql", "select count/);
  },

  'a log shows its newest rows and its rows by the hour with one click': async (suite) => {
    const { browser } = suite;
    await suite.shown();
    await browser.click('[aria-label="Rows of auth_logs by hour"]');
    await browser.until('rows by the hour', async () => (await browser.texts('.head button')).join() === 'hour,n');
    matches(await browser.run('return document.querySelector(".chart")?.getAttribute("aria-label") ?? ""'), /^Line chart of n over hour/);
    await browser.click('[aria-label="Newest rows of auth_logs"]');
    await browser.until('the other query', async () => /^select `id`, `timestamp`, `event_message`, `metadata`\nfrom `auth_logs`\n/.test(await suite.sqlText()));
    await browser.until('its rows', async () => (await browser.texts('.head button')).join() === 'timestamp,event_message');
    await suite.searched();
    await suite.browser.awaitText('.chart-title', / rows by /);
    // Where a parameter lacks, the query is written, and the page says what to fill in.
    await browser.type('#parameter-project', ' ');
    await browser.press('\uE003');
    await browser.click('[aria-label="Rows of auth_logs by hour"]');
    await browser.until('the query', async () => /timestamp_trunc/.test(await suite.sqlText()));
    equal(await browser.texts('.outdated').then((texts) => texts.length), 1);
  },

  'a log of one\'s own has queries that run, whatever its columns are called': async (suite) => {
    const { browser } = suite;
    const folder = path.join(suite.work, 'own');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'schema.json'), JSON.stringify({ 'app.logs': { log: 'app_logs', time: 'logged_at', project: ['tenant'],
      columns: { id: 'STRING', event_message: 'STRING', logged_at: 'TIMESTAMP', tenant: 'STRING', 'user-agent': 'STRING', group: 'STRING', app: { app: { n: 'INT64' } } } } }));
    writeFileSync(path.join(folder, 'app.rows.sql'), 'with app_rows as (select t.* from `app.logs` as t where t.tenant = @project)\nselect logged_at from app_rows limit 10');
    writeFileSync(path.join(folder, 'app.rows.json'), JSON.stringify({ id: '0b3f1c52-4a7e-4d0a-8f65-2f4b6c1d9e71', name: 'app.rows',
      description: 'Rows of an app.', max_rows: 100, caching: 'disabled', query_sandboxing: true, redact_pii: false,
      parameters: [{ name: 'project', type: 'STRING', required: true }] }));
    const rows = [1, 2].map((n) => ({ logged_at: new Date(Date.now() - n * 1000).toISOString(), tenant: suite.project, 'user-agent': 'curl', group: 'staff', app: { app: { n } } }));
    writeFileSync(path.join(suite.work, 'app_logs.ndjson'), rows.map((row) => JSON.stringify(row)).join('\n'));
    suite.logquery('load', '--data', 'data-own', '--schema', path.join(folder, 'schema.json'), 'app_logs.ndjson');
    const runs = async (expected) => {
      await browser.click('button.run');
      await browser.until(`the columns ${expected}`, async () => (await browser.texts('.head button')).join() === expected);
    };
    await suite.withServer('data-own', ['--endpoints', folder], async () => {
      await suite.shown('app.rows');
      await browser.click('[aria-label="Rows of app_rows by hour"]');
      await browser.until('rows by the hour', async () => (await browser.texts('.head button')).join() === 'hour,n');
      holds(/`logged_at`/.test(await suite.sqlText()), 'the hours are those of its time column');
      await browser.click('[aria-label="Newest rows of app_rows"]');
      await browser.until('the newest rows', async () => /order by `logged_at` desc/.test(await suite.sqlText()));
      await browser.until('all columns', async () => (await browser.texts('.head button')).includes('user-agent'));
      await browser.click('[aria-label="Fields of app_rows"]');
      for (const name of ['user-agent', 'group']) {
        await browser.click(`//button[@class="name"][text()="${name}"]`);
        await runs(name);
      }
      await browser.click('[aria-label="Fields of app"]');
      await browser.click('(//button[@aria-label="Fields of app"])[2]');
      await browser.click('//button[@class="name"][text()="n"]');
      await runs('n,row_count');
    });
  },

  'an example writes a query and runs it, and the examples of all logs run': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', { project_tier: 'ENTERPRISE' }, { range: 'all' });
    await browser.click('//button[text()="Examples"]');
    await browser.until('the examples of all logs', async () => (await browser.texts('.examples .hint')).length === 0);
    const all = await browser.run('return [...document.querySelectorAll(".examples button")].map((button) => [button.textContent, button.title])');
    holds(all.length > 25, `${all.length} examples`);
    for (const [title, sql] of all) {
      const { status, text } = await suite.call(`/api/endpoints/query/logs.all?${new URLSearchParams({ project: suite.project, sql })}`);
      equal([title, sql, status, status === 200 ? '' : text], [title, sql, 200, '']);
    }
    await browser.click('//section[@aria-label="Examples for edge_logs"]//button[text()="Slowest paths"]');
    await browser.until('the slowest paths', async () => (await browser.texts('.head button')).join() === 'path,slowest_ms,average_ms,requests');
    equal((await browser.texts('.lines .line')).length, 10);
    matches(await suite.sqlText(), /order by slowest_ms desc/);
    await browser.until('their chart', async () => /^Bar chart of slowest_ms by path/.test(await browser.run('return document.querySelector(".chart")?.getAttribute("aria-label") ?? ""')));
  },

  'the search finds a nested field, and a field writes a query': async (suite) => {
    const { browser } = suite;
    await suite.shown();
    await browser.type('.sidebar input', 'status_code');
    await browser.click('(//button[@class="name"][text()="status_code"])[1]');
    await browser.until('the query of the field', async () => /select r\d\.`status_code`, count\(\*\) as n/.test(await suite.sqlText()));
    await browser.awaits('.verdict.allowed');
    await browser.click('button.run');
    await browser.until('rows by status', async () => (await browser.texts('.head button')).join() === 'status_code,n');
  },
};
