// Searching rows: the box and its filters, facets, logs of one's own, and the walk of somebody on call.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { equal, holds, lacks, matches } from './check.mjs';
import { enter, filtered, pills, request, search, status, wide } from './searching.mjs';
import { keys } from './webdriver.mjs';

async function facets(suite, ...names) {
  await suite.browser.click('#tab-facets');
  for (const name of names) await suite.browser.awaits(`[aria-label="Values of ${name}"][aria-busy="false"] .facet-value`);
}

// Each value with its count.
const facetValues = (suite, name) => suite.browser.run(`return [...document.querySelectorAll('[aria-label="Values of ' + arguments[0] + '"] .facet-is')]
  .map((button) => [button.querySelector('bdi').textContent, Number(button.querySelector('.type').textContent.replaceAll(',', ''))])`, name);

// A log whose columns are called as its owner calls them, and an endpoint for it.
async function withOwnLog(suite, flow, more = []) {
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
  writeFileSync(path.join(suite.work, 'shop_logs.ndjson'), [...rows, ...more].map((row) => JSON.stringify(row)).join('\n'));
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
    await filtered(suite, 'event_message contains MOZILLA', 'status_code ≥ 400', 'method ≠ GET');
    equal(await browser.run('return document.getElementById("search").value'), '');
    const sql = await suite.sqlText();
    matches(sql, /^select `id`, `timestamp`, `event_message`, `metadata`\nfrom `edge_logs`\nwhere strpos\(lower\(`event_message`\), lower\('MOZILLA'\)\) > 0\n {2}and exists \(/);
    const rows = await suite.rowsNow();
    holds(rows.length > 5, `${rows.length} rows`);
    holds(rows.every((row) => /mozilla/i.test(row.event_message) && status(row) >= 400 && request(row)?.method !== 'GET'), 'all rows are what was asked for');
    equal(await browser.awaitText('.results-bar b', /\d/), String(rows.length));
    // Run takes what stands in the box as well.
    await browser.type('#search', 'status:404');
    await browser.click('button.run');
    await filtered(suite, 'event_message contains MOZILLA', 'status_code ≥ 400', 'method ≠ GET', 'status = 404');
    await browser.click('[aria-label="Remove the filter status:404"]');
    await filtered(suite, 'event_message contains MOZILLA', 'status_code ≥ 400', 'method ≠ GET');
    // All of it is in the link, and none of the SQL.
    const link = await browser.run('return location.href');
    matches(decodeURIComponent(link), /[?&#]q=MOZILLA\+status_code:>=400\+-method:"GET"/);
    lacks(link, /select/);
    await browser.open(link);
    await filtered(suite, 'event_message contains MOZILLA', 'status_code ≥ 400', 'method ≠ GET');
    equal((await suite.rowsNow()).length, rows.length);
  },

  'what may hold instead stands beside or, and groups in parentheses': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', wide);
    await browser.type('#search', 'status_code:404 or method:"POST"');
    await browser.press(enter);
    await filtered(suite, 'any of status_code:404 or method:"POST"');
    const either = await suite.rowsNow();
    const holdsEither = (row) => status(row) === 404 || request(row)?.method === 'POST';
    holds(either.length > 5 && either.every(holdsEither), `${either.length} rows with one of both`);
    holds(either.some((row) => status(row) === 404 && request(row)?.method !== 'POST'), 'rows of each part');
    // Negated, it leaves out just these.
    await browser.click('[aria-label=\'not (filter (status_code:404 or method:"POST"))\']');
    await filtered(suite, 'not status_code:404 or method:"POST"');
    const neither = await suite.rowsNow();
    holds(neither.length > 5 && !neither.some(holdsEither), `${neither.length} rows with none of both`);
    // The link carries the group, and it is edited as it was written.
    await browser.open(await browser.run('return location.href'));
    await filtered(suite, 'not status_code:404 or method:"POST"');
    await browser.click('[aria-label=\'Edit the filter -(status_code:404 or method:"POST")\']');
    equal(await browser.run('return document.getElementById("search").value'), '-(status_code:404 or method:"POST")');
    await browser.type('#search', 'mozilla (status_code:404');
    await browser.press(enter);
    matches(await browser.awaitText('#search-problem', /parenthesis/), /^A parenthesis is not closed: write \) behind the group\.$/);
  },

  'whatever is searched for is only ever a literal': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', wide);
    const hostile = ["'; drop table edge_logs; --", '\\', '\\\\\'', '"', '`', '\u202e\u2066abc', '{{x}} @project %s', '/* */', '😀', "x' or '1'='1"];
    for (const text of hostile) {
      const written = JSON.stringify(text).replace(/^"|"$/g, '');
      await browser.run('document.getElementById("search").focus()');
      // The text is inserted like a paste, because some of these characters have no key.
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
    await browser.click('[aria-label="not (filter status:5xx)"]');
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
    // The values of a status: errors of the server first, then other errors, each by their counts.
    const ranked = (await facetValues(suite, 'status_code')).map(([value, number]) => [/^5/.test(value) ? 0 : /^4/.test(value) ? 1 : 2, -number]);
    equal([...ranked].sort((left, right) => left[0] - right[0] || left[1] - right[1]), ranked);
    equal([...new Set(ranked.map(([rank]) => rank))], [0, 1, 2]);
    const paths = (await facetValues(suite, 'path')).map(([, number]) => number);
    equal([...paths].sort((left, right) => right - left), paths);
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

  'without rows, a search offers to remove its filters': async (suite) => {
    const { browser } = suite;
    await suite.signedIn(suite.link('logs.all', { project_tier: 'FREE' }, { q: 'no-such-word method:"GET"' }));
    await browser.awaitText('.message h2', /No rows/);
    await browser.click('//button[text()="Remove all filters"]');
    await browser.awaits('.lines .line');
    equal(await browser.texts('.pill'), []);
  },

  'an endpoint in ClickHouse SQL has no search, as that writes the other language': async (suite) => {
    const { browser } = suite;
    await suite.shown();
    await browser.click('//button[text()="logs.all.otel"]');
    await browser.awaitText('h1', /logs\.all\.otel/);
    equal(await browser.texts('#search'), []);
    await browser.click('button.run');
    await browser.awaits('.lines .line');
    await browser.click('#cell-0-0');
    await browser.awaits('.detail');
    equal(await browser.run('return [...new Set([...document.querySelectorAll(".detail .actions button")].map(({ title }) => title))]'), ['Copy']);
    await browser.click('#tab-facets');
    matches(await browser.text('.sidebar .hint'), /cannot be searched/);
  },

  'a log of one\'s own is searched, drawn and followed like any other': async (suite) => {
    const { browser } = suite;
    await withOwnLog(suite, async () => {
      await suite.shown('shop.rows');
      // The endpoint's own query is of rows with a time and a message, too.
      equal((await browser.texts('.head button')).slice(0, 2), ['ts', 'msg']);
      await search(suite, 'payment level:error');
      await filtered(suite, 'msg contains payment', 'level = error');
      equal((await suite.rowsNow()).length, 30);
      await browser.awaitText('.chart-title', /^30 rows by status/);
      equal(await browser.texts('.swatch'), ['5xx']);
      equal([...new Set(await browser.texts('.mark'))], ['502']);
      await facets(suite, 'status', 'level', 'path');
      await browser.click('[aria-label^="Remove the filter level"]');
      await filtered(suite, 'msg contains payment');
      await browser.click('button.live');
      await browser.awaits('button.live.on');
      const spool = path.join(suite.work, 'data-shop/spool/shop_logs');
      mkdirSync(spool, { recursive: true });
      const row = { rid: 'live', ts: new Date().toISOString(), tenant: suite.project, level: 'error', msg: 'payment of just now failed', http: { path: '/pay', status: 503 } };
      writeFileSync(path.join(spool, 'live.tmp'), JSON.stringify(row) + '\n');
      renameSync(path.join(spool, 'live.tmp'), path.join(spool, 'live.ndjson'));
      await browser.until('the new row on top', async () => (await browser.texts('.lines .text'))[0] === row.msg);
      await browser.click('button.live');
      // The endpoint that all such logs share says what there is, and shows the rows of the log that somebody chooses.
      await browser.click('#tab-browse');
      await browser.click('//button[text()="my.logs"]');
      await browser.click('button.run');
      await browser.until('the rows of the log first', async () => (await browser.texts('.head button')).slice(0, 2).join() === 'ts,msg');
      await browser.awaitText('.chart-title', /by status/);
      await search(suite, '-level:error');
      await filtered(suite, 'level ≠ error');
      holds((await suite.rowsNow()).every((row) => row.level === 'info'), 'no error is left');
      await browser.choose('[aria-label="Log"]', '');
      await browser.until('the summary', async () => (await browser.texts('.head button')).includes('row_count'));
      equal(await browser.run('return document.querySelector("[aria-label=Log]").selectedOptions[0].textContent'), 'own query');
      equal(await browser.texts('.chart-pane'), []);
      equal(await pills(suite), []);
    });
  },

  'the console opens on the log that has rows, and names it where another one has none': async (suite) => {
    const { browser } = suite;
    const token = suite.logquery('token', 'create', '--tokens', 'tokens.json', '--project', 'shopkeeper', '--label', 'shop').trim();
    const row = { rid: 'old', ts: new Date(Date.now() - 50 * 3600e3).toISOString(), tenant: 'shopkeeper', level: 'error', msg: 'the only row', http: { path: '/pay', status: 502 } };
    await withOwnLog(suite, async () => {
      await suite.callUntil(200, '/api/endpoints', { headers: { 'X-API-KEY': token } });
      await suite.fresh();
      await browser.open(suite.url);
      await browser.type('#token', token);
      await browser.click('button.primary');
      await browser.until('the row of the own log', async () => (await browser.texts('.lines .text')).join() === row.msg);
      equal(await browser.text('h1'), 'my.logs');
      await browser.awaitText('.chart-title', /^1 row by status/);
      await suite.screenshot('desktop-own-first');
      await browser.click('//button[text()="logs.all"]');
      await browser.click('button.run');
      await browser.awaitText('.message', /These logs have rows:[^]*shop_logs[^]*my\.logs, 1 row, the newest of \d{4}-/);
      await suite.screenshot('desktop-other-logs');
      await browser.click('//ul[@class="other-logs"]//button[text()="shop_logs"]');
      await browser.until('the row again', async () => (await browser.texts('.lines .text')).join() === row.msg);
    }, [row]);
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
    await filtered(suite, 'status ≥ 400', 'event_message contains http');
    await browser.click('#tab-facets');
    await browser.awaits('[aria-label="Values of path"][aria-busy="false"] .facet-value');
    const [[first]] = await facetValues(suite, 'path');
    await browser.click('[aria-label="Values of path"] .facet-is');
    await filtered(suite, 'status ≥ 400', 'event_message contains http', `path = ${first}`);
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
    await filtered(suite, 'status ≥ 400', 'event_message contains http', `path = ${first}`);
    equal((await suite.rowsNow()).map(({ id }) => id), rows.map(({ id }) => id));
    await suite.screenshot('desktop-walk');
  },
};
