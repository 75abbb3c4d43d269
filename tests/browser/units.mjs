// Tests of the console's parts that need no page: node units.mjs PACKAGES. Each case is a line of a table where it can be.
import { execFileSync } from 'node:child_process';
import test from 'node:test';
import { equal, holds, matches } from './check.mjs';
import { load } from './load.mjs';
import './units_charts.mjs';
import './units_search.mjs';

const types = await load('types.ts');
const templates = await load('templates.ts');
const time = await load('time.ts');
const values = await load('values.ts');
const snippets = await load('snippets.ts');
const storage = await load('storage.ts');
const downloads = await load('download.ts');
const api = await load('api.ts');
const tail = await load('tail_rows.ts');
const hints = await load('link_hints.ts');
const sqlText = await load('sql_text.ts');
const conditions = await load('conditions.ts');
const completion = await load('completion.ts');
const pastTitles = await load('past_titles.ts');

const shape = ({ name, type, fields }) => (fields.length === 0 ? `${name}:${type}` : `${name}:${type}(${fields.map(shape).join(',')})`);

test('types are read into trees, also those that nobody expects', () => {
  for (const [text, expected] of [
    ['STRING', 'c:STRING'],
    ['ARRAY<INT64>', 'c:ARRAY<INT64>'],
    ['STRUCT<a STRING, b INT64>', 'c:RECORD(a:STRING,b:INT64)'],
    ['ARRAY<STRUCT<a ARRAY<STRUCT<b BOOL>>, c ARRAY<STRING>>>', 'c:RECORD(a:RECORD(b:BOOL),c:ARRAY<STRING>)'],
    ['STRUCT<`odd name` STRING, d DATE>', 'c:RECORD(odd name:STRING,d:DATE)'],
    ['NUMERIC(10, 2)', 'c:NUMERIC(10, 2)'],
    ['', 'c:'],
    ['STRUCT<`a\\`b\\\\c` STRING, d DATE>', 'c:RECORD(a`b\\c:STRING,d:DATE)'],
    ['STRUCT<a', 'c:RECORD(a:STRUCT<a)'],
    ['what is this', 'c:what is this'],
  ]) equal(shape(types.readType('c', text)), expected, text);
});

test('what the storage holds is read as queries, whatever it is', () => {
  const kept = {};
  globalThis.window = { localStorage: { getItem: (key) => kept[key] ?? null } };
  const good = { endpoint: 'logs.all', sql: '', parameters: { project: 'abc' }, range: { preset: '1h' } };
  const read = (query, more = { at: 1, name: 'n' }) => {
    kept['logquery.history'] = kept['logquery.saved'] = JSON.stringify([{ ...more, query }]);
    const [past] = storage.readHistory();
    equal(past?.query, storage.readSaved()[0]?.query);
    return past?.query ?? null;
  };
  equal(read(good), good);
  const day = { preset: '24h' };
  for (const range of [null, undefined, 5, 'x', [], {}, { preset: null }, { preset: 'x' }, { from: 'x', to: '' }, { from: 1, to: 2 }]) {
    equal(read({ ...good, range }), { ...good, range: day }, JSON.stringify(range));
  }
  const since = { from: '2026-01-02T03:04:05Z', to: '' };
  equal(read({ ...good, range: since }).range, since);
  equal(read({ ...good, parameters: { a: 'x', b: null, c: 5 } }).parameters, { a: 'x' });
  for (const chart of [null, 5, {}, { kind: 'pie', axis: 'a', values: ['b'] }, { kind: 'bar', axis: 'a', values: [] }]) equal('chart' in read({ ...good, chart }), false);
  for (const query of [null, 5, [], {}, { ...good, parameters: null }, { ...good, sql: 1 }, { ...good, endpoint: null }]) equal(read(query), null, JSON.stringify(query));
  equal(read(good, {}), null);
  for (const text of ['null', '5', '{}', '[null]', '[5]', 'no JSON']) {
    kept['logquery.history'] = kept['logquery.saved'] = text;
    equal([storage.readHistory(), storage.readSaved()], [[], []], text);
  }
  delete globalThis.window;
});

test('a template unnests each record on the way to a field', () => {
  const node = types.readType('metadata', 'ARRAY<STRUCT<request ARRAY<STRUCT<path STRING>>>>');
  const sql = templates.templateForField('edge_logs', [node], [node, node.fields[0], node.fields[0].fields[0]]);
  matches(sql, /^select r2\.`path`, count\(\*\) as n\nfrom `edge_logs` as t\ncross join unnest\(t\.`metadata`\) as r1\ncross join unnest\(r1\.`request`\) as r2\ngroup by r2\.`path`\n/);
});

test('templates are for the columns that a log has, whatever their names', () => {
  const own = [['logged_at', 'TIMESTAMP'], ['user-agent', 'STRING'], ['group', 'STRING']].map(([name, type]) => types.readType(name, type));
  equal(templates.templateForRows('app.logs', own), 'select *\nfrom `app.logs`\norder by `logged_at` desc\nlimit 100');
  equal(templates.templateForField('app.logs', own, [own[1]]), 'select `user-agent`\nfrom `app.logs`\norder by `logged_at` desc\nlimit 100');
  matches(templates.templateOverTime('app.logs', own), /^select timestamp_trunc\(`logged_at`, hour\) as hour, count\(\*\) as n\nfrom `app.logs`\n/);
  matches(templates.templateOverTime('days', [types.readType('d', 'DATE')]), /^select `d` as day, /);
  equal(templates.templateOverTime('untimed', own.slice(1)), null);
  equal(templates.templateForRows('untimed', own.slice(1)), 'select *\nfrom `untimed`\nlimit 100');
  const log = [['id', 'STRING'], ['event_message', 'STRING'], ['earlier', 'TIMESTAMP'], ['timestamp', 'TIMESTAMP']].map(([name, type]) => types.readType(name, type));
  equal(templates.templateForRows('l', log), 'select `id`, `timestamp`, `event_message`\nfrom `l`\norder by `timestamp` desc\nlimit 100');
});

test('a template tells records of one name apart, and unnests lists of values', () => {
  const outer = types.readType('app', 'ARRAY<STRUCT<app ARRAY<STRUCT<n INT64, tags ARRAY<STRING>>>, plain STRUCT<x STRING>>>');
  const [inner, plain] = outer.fields;
  matches(templates.templateForField('l', [], [outer, inner, inner.fields[0]]),
    /^select r2\.`n`, count\(\*\) as row_count\nfrom `l` as t\ncross join unnest\(t\.`app`\) as r1\ncross join unnest\(r1\.`app`\) as r2\n/);
  matches(templates.templateForField('l', [], [outer, inner, inner.fields[1]]), /^select r3 as `tags`, [^]*unnest\(r2\.`tags`\) as r3\ngroup by r3\n/);
  matches(templates.templateForField('l', [], [outer, plain, plain.fields[0]]), /^select r1\.`plain`\.`x`, /);
});

test('a log offers what its fields allow to ask, and joins each record once', () => {
  const columns = (list) => list.map(([name, type]) => types.readType(name, type));
  const edge = columns([['id', 'STRING'], ['timestamp', 'TIMESTAMP'], ['event_message', 'STRING'],
    ['metadata', 'ARRAY<STRUCT<request ARRAY<STRUCT<path STRING>>, response ARRAY<STRUCT<origin_time INT64, status_code INT64>>>>']]);
  const offered = templates.templatesFor('edge_logs', edge);
  equal(offered.map(({ title }) => title), ['Newest rows', 'Rows by hour', 'Errors by hour', 'Slowest paths']);
  matches(offered[2].sql, /^select timestamp_trunc\(t\.`timestamp`, hour\) as hour, if\(r2\.`status_code` >= 500, '5xx', '4xx'\) as status, [^]*where r2\.`status_code` >= 400\n/);
  equal(offered[3].sql.match(/unnest\(t\.`metadata`\)/g).length, 1);
  matches(offered[3].sql, /regexp_replace\(r2\.`path`[^]*max\(r3\.`origin_time`\)/);
  const auth = columns([['timestamp', 'TIMESTAMP'], ['metadata', 'ARRAY<STRUCT<level STRING>>']]);
  equal(templates.templatesFor('auth_logs', auth).map(({ title }) => title), ['Newest rows', 'Rows by hour', 'Errors by hour']);
  equal(templates.templatesFor('plain', columns([['a', 'STRING'], ['level', 'ARRAY<STRING>']])).map(({ title }) => title), ['Newest rows']);
});

test('a range becomes bounds, and all that is kept has none', () => {
  const now = new Date('2026-03-04T05:06:07Z');
  equal(time.boundsOf({ preset: '1h' }, now), { from: '2026-03-04T04:06:07.000Z', to: null });
  equal(time.boundsOf({ preset: 'all' }, now), { from: null, to: null });
  equal(time.boundsOf({ preset: 'unknown' }, now), { from: null, to: null });
  equal(time.boundsOf({ from: '2026-01-01T00:00:00.000Z', to: '' }, now), { from: '2026-01-01T00:00:00.000Z', to: null });
});

test('instants are read from microseconds and from ISO text, which is in UTC', () => {
  for (const [value, expected] of [
    [1795456610717970, 1795456610717.97], ['1795456610717970', 1795456610717.97], ['2026-01-31', Date.UTC(2026, 0, 31)],
    ['2026-01-31T08:00:00', Date.UTC(2026, 0, 31, 8)], ['2026-01-31T08:00:00+02:00', Date.UTC(2026, 0, 31, 6)],
    ['later', null], [null, null], [{}, null], ['', null],
  ]) equal(time.timeOf(value), expected, String(value));
  equal(time.timeText(Date.UTC(2026, 0, 31, 8, 0, 0, 5), true), '2026-01-31 08:00:00.005');
  equal(time.timeText(Number.NaN, true), 'no time');
});

test('a span has some 60 buckets, whatever its length', () => {
  for (const span of [60, 3600, 86400, 7 * 86400, 30 * 86400]) {
    const buckets = span / time.bucketSeconds(span);
    holds(buckets <= 72 && buckets >= 20, `${span} s: ${buckets} buckets`);
  }
});

test('a field for a time takes what the page writes, and gives back the same', () => {
  for (const [text, expected] of [
    ['2026-11-25 14:05', '2026-11-25T14:05:00.000Z'], [' 2026-11-25  4:05:06 ', '2026-11-25T04:05:06.000Z'],
    ['2026-11-25T14:05', '2026-11-25T14:05:00.000Z'], ['2026-11-25', '2026-11-25T00:00:00.000Z'], ['', ''], [' ', ''],
    ['2026-13-01', null], ['2026-02-30', null], ['2026-11-25 24:00', null], ['2026-11-25 14:60', null], ['14:05', null], ['0030-1', null], ['soon', null],
  ]) equal(time.readField(text, true), expected, text);
  for (const text of ['2026-11-25 14:05', '2026-11-25 00:00', '2026-11-25 14:05:06']) {
    for (const utc of [true, false]) equal(time.fieldText(time.readField(text, utc), utc), text);
  }
  equal(time.fieldText('', true), '');
});

test('a span without an end stops at now, unless its rows are long past', () => {
  equal([time.endOfSpan(100, 200, 250), time.endOfSpan(100, 200, 301), time.endOfSpan(100, 200, 150)], [250, 200, 200]);
});

test('the header of a window is read, with open ends', () => {
  equal(time.readWindow('2026-01-02T00:00:00Z/..; asked=2026-01-01T00:00:00Z/..'), { from: '2026-01-02T00:00:00Z', to: null, asked: '2026-01-01T00:00:00Z' });
  equal(time.readWindow('nonsense'), null);
});

test('cells, copies and order follow the type', () => {
  const stamp = { name: 'timestamp', type: 'TIMESTAMP' };
  equal(values.cellText(stamp, 1795456610717970, true), '2026-11-23 17:56:50.717');
  equal(values.copyText(stamp, 1795456610717970), '2026-11-23T17:56:50.717970Z');
  equal(values.cellText({ name: 'n', type: 'INT64' }, null, true), 'NULL');
  const order = (type, list) => values.sortRows(list.map((c) => ({ c })), { name: 'c', type }, false).map(({ c }) => c);
  equal(order('INT64', ['10', 9, null, '9007199254740993']), [9, '10', '9007199254740993', null]);
  equal(order('STRING', ['b', null, 'a']), ['a', 'b', null]);
});

test('a fragment gives back the query that it was made of', () => {
  const query = { endpoint: 'logs.all', parameters: { project: 'a&b=c#d' }, sql: "select '%', \"+\"\nfrom é", range: { from: '2026-01-01T00:00:00.000Z', to: '' } };
  equal(storage.fromFragment(storage.toFragment(query)), { query, code: null });
  equal(storage.fromFragment('#code=abc'), { query: null, code: 'abc' });
  equal(storage.fromFragment('#endpoint=x&__proto__=1').query.parameters, {});
});

test('the history names the log and the condition of a query, and where these repeat what differs', () => {
  const past = (sql, more = {}) => ({ at: 0, query: { endpoint: 'logs.all', parameters: { project: 'p' }, range: { preset: '24h' }, sql, ...more } });
  const nested = "select id from (select * from edge_logs where a = 1)\nwhere b = 2 -- b\norder by id";
  equal(pastTitles.titlesOf([past(nested), past('select count(*) as n from `auth_logs`'), past('')], true),
    ['edge_logs · b = 2 -- b', 'auth_logs · select count(*) as n from `auth_logs`', 'project=p']);
  equal(pastTitles.titlesOf([
    past('select a from t where x = 1 limit 9', { range: { preset: '1h' } }), past('select a from t where x = 1 limit 9'), past('select a from t where x = 1'),
    past('', { parameters: { project: 'q' }, endpoint: 'usage' }), past('', { parameters: { project: 'q' }, endpoint: 'usage', range: { preset: '7d' } }),
  ], true), ['t · Last hour', 't · …1 limit 9', 't · x = 1', 'Last 24 hours', 'Last 7 days']);
});

test('the shell of a snippet gets each value as it is', () => {
  const hostile = `it's "$(touch /nowhere)" \`x\` \\ \n%`;
  const text = snippets.snippet('curl', { endpoint: 'a b', parameters: { sql: hostile }, redact: true }, 'http://h');
  const seen = execFileSync('sh', ['-c', `curl() { for a in "$@"; do printf '%s\\0' "$a"; done; }; TOKEN=t; ${text}`], { encoding: 'utf8' }).split('\0');
  holds(seen.includes(`sql=${hostile}`), text);
  holds(seen.includes('X-API-KEY: t') && seen.includes('http://h/api/endpoints/query/a%20b'), text);
  matches(snippets.snippet('cpp', { endpoint: 'e', parameters: { sql: 'a)sql"b' }, redact: false }, ''), /R"sql_\(a\)sql"b\)sql_"/);
});

const column = (name, type) => types.readType(name, type);

test('a value is written as a literal of its field, and what cannot be written is not', () => {
  for (const [value, type, expected] of [
    ["it's \\ a\n\"b\"", 'STRING', `'it\\'s \\\\ a\\n"b"'`], ['', 'STRING', "''"], [5, 'STRING', null],
    ['9007199254740993', 'INT64', '9007199254740993'], [-1.5, 'FLOAT64', '-1.5'], ['1e21', 'FLOAT64', '1e21'], ['NaN', 'FLOAT64', null], ["1' or 1", 'INT64', null],
    ['1.50', 'NUMERIC(10, 2)', "numeric '1.50'"], [true, 'BOOL', 'true'], ['yes', 'BOOL', null],
    ['1795456610717970', 'TIMESTAMP', "timestamp '2026-11-23 17:56:50.717970+00'"], [1795456610717970, 'TIMESTAMP', "timestamp '2026-11-23 17:56:50.717970+00'"],
    ['2026-11-23', 'DATE', "date '2026-11-23'"], [{}, 'RECORD', null], ['x', 'GEOGRAPHY', null],
  ]) equal(conditions.literal(value, type), expected, `${value} as ${type}`);
});

test('a condition reaches nested fields without a join, and keeps rows without the field where it is negated', () => {
  const columns = [column('path', 'STRING'), column('metadata', 'ARRAY<STRUCT<response ARRAY<STRUCT<status_code INT64>>, plain STRUCT<`a b` BOOL>, tags ARRAY<STRING>>>')];
  const at = (names) => conditions.pathTo(columns, names);
  for (const [names, value, keeps, expected] of [
    [['path'], '/a', true, "`path` = '/a'"], [['path'], '/a', false, "`path` is distinct from '/a'"],
    [['metadata', 'response', 'status_code'], '404', true, 'exists (select 1 from unnest(`metadata`) as r1 cross join unnest(r1.`response`) as r2 where r2.`status_code` = 404)'],
    [['metadata', 'response', 'status_code'], '404', false, 'not exists (select 1 from unnest(`metadata`) as r1 cross join unnest(r1.`response`) as r2 where r2.`status_code` = 404)'],
    [['metadata', 'plain', 'a b'], false, true, 'exists (select 1 from unnest(`metadata`) as r1 where r1.`plain`.`a b` = false)'],
    [['metadata', 'tags'], 'x', true, "exists (select 1 from unnest(`metadata`) as r1 cross join unnest(r1.`tags`) as r2 where r2 = 'x')"],
  ]) equal(conditions.conditionFor(at(names), conditions.literal(value, at(names).at(-1).type.replace('ARRAY<STRING>', 'STRING')), keeps), expected, names.join('.'));
  equal(conditions.conditionOn(at(['path']), (place) => `${place} > 'x'`, true), "not ifnull(`path` > 'x', false)");
  equal([false, true].map((negated) => conditions.conditionExists(at(['path']), negated)), ['`path` is not null', '`path` is null']);
  equal(conditions.conditionExists(at(['metadata', 'plain', 'a b']), true), 'not exists (select 1 from unnest(`metadata`) as r1 where r1.`plain`.`a b` is not null)');
  equal(conditions.pathTo(columns, ['metadata', 'other']), null);
});

test('a condition joins the WHERE of a plain query, and stands around any other', () => {
  for (const [sql, expected] of [
    ['select * from t', 'select * from t\nwhere C'],
    ['select `id`, t.path\nfrom `t` as t\norder by path desc\nlimit 100;', 'select `id`, t.path\nfrom `t` as t\nwhere C\norder by path desc\nlimit 100'],
    ['select * from t where a = 1 limit 5', 'select * from t where a = 1\n  and C limit 5'],
    ['select * from t where a = 1 or b = 2', 'select * from t where (a = 1 or b = 2)\n  and C'],
    ['select * from t where a or b -- c', 'select * from t where (a or b -- c\n)\n  and C'],
    ['select *\nfrom (\nselect a from t\n)\nwhere a = 1', 'select *\nfrom (\nselect a from t\n)\nwhere a = 1\n  and C'],
    ['select path as p from t', 'select *\nfrom (\nselect path as p from t\n)\nwhere C'],
    ['select distinct path from t', 'select *\nfrom (\nselect distinct path from t\n)\nwhere C'],
    ['select path, count(*) as n from t group by 1 order by n desc, 1 limit 3',
      'select *\nfrom (\nselect path, count(*) as n from t group by 1 order by n desc, 1\n)\nwhere C\norder by n desc, 1 limit 3'],
    ['select t.path from t cross join unnest(t.m) as m order by t.path, m.x limit 3', 'select *\nfrom (\nselect t.path from t cross join unnest(t.m) as m order by t.path, m.x\n)\nwhere C limit 3'],
    ['with a as (select 1 as path) select * from a', 'select *\nfrom (\nwith a as (select 1 as path) select * from a\n)\nwhere C'],
    ['select path from a union all select path from b', 'select *\nfrom (\nselect path from a union all select path from b\n)\nwhere C'],
    ['from t |> limit 5', null],
  ]) equal(sqlText.withCondition(sql, 'C', ['path', 'n']), expected, sql);
});

test('what follows AS is a new name, unless it is a type', () => {
  for (const [before, expected] of [
    ['select 1 from edge_logs as t', true], ['select count(*) as ', true], ['cross join unnest(t.metadata) AS\nm', true], ['select max(f(x) as y', true],
    ['select cast(x as in', false], ['select safe_cast(f(x) as ', false], ['select t.', false], ['from edge_logs ', false], ['with a as (sel', false], ['select alias', false],
  ]) equal(completion.namesAlias(before), expected, before);
});

test('the LIMIT at the end of SQL is found among comments, strings and subqueries', () => {
  for (const [sql, expected] of [
    ['select 1 limit 100 offset 20', 'select 1 '],
    ['select 1 LIMIT 5 -- the newest', 'select 1 '],
    ['select 1 limit /* some */ @most # few\n;; -- end', 'select 1 '],
    ['select 1; -- limit 5', 'select 1'],
    ["select 'a limit 5'", "select 'a limit 5'"],
    ["select '''it's limit''' , `x limit 5` limit 5", "select '''it's limit''' , `x limit 5` "],
    ["select 'it\\'s' limit 2", "select 'it\\'s' "],
    ['select * from (select 1 limit 5)', 'select * from (select 1 limit 5)'],
    ['with a as (select 1 limit 5) select * from a limit 3', 'with a as (select 1 limit 5) select * from a '],
    ['select t.limit from t', 'select t.limit from t'],
    ['from t |> limit 5', null],
    ['from t |> limit 5 |> where true', null],
    ['select 1 limit 5 + 5', null],
    ['', ''],
  ]) equal(sqlText.withoutLimit(sql), expected, sql);
});

test('a link is told what of it does nothing', () => {
  const parameter = (name, more = {}) => ({ name, type: 'STRING', required: false, ...more });
  const endpoint = { name: 'logs.all', parameters: [parameter('project'), parameter('tier'), parameter('sql'), parameter('team', { fixed: true })] };
  const told = (fragment, of = endpoint) => hints.linkHints(storage.fromFragment(fragment).query, of);
  equal(told('#endpoint=logs.all&range=1h&p.project=a&p.tier=FREE&sql=select+1&q=x&log=l&chart=none&code=c'), []);
  equal(told('#endpoint=logs.all&p.page='), []);
  equal(told('#endpoint=logs.all&p.page=1'), ['The link sets page, which logs.all does not have: nothing changes by it. Its parameters are project and tier.']);
  equal(told('#endpoint=e&p.a=1&p.b=2&p.sql=3', { name: 'e', parameters: [] }), ['The link sets a, b and sql, which e does not have: nothing changes by it. It has no parameters.']);
  equal(told('#endpoint=logs.all&p.team=x'), ['The link sets team, for which this token has a value of its own: that one holds.']);
  equal(told('#endpoint=logs.all&project=a&project=b&limit=5'), ['The link has project and limit, which the page does not read. A parameter is written with p. before its name: p.project=VALUE.']);
});

test('the rows around a row are looked for until now, or until the row itself', () => {
  const [hour, now] = [3600e3, Date.parse('2026-01-02T12:00:00Z')];
  const around = (text) => time.rangeAround(Date.parse(text), 6 * hour, now);
  equal(around('2026-01-02T00:00:00Z'), { from: '2026-01-01T18:00:00.000Z', to: '2026-01-02T06:00:00.000Z' });
  equal(around('2026-01-02T11:00:00Z'), { from: '2026-01-02T05:00:00.000Z', to: '2026-01-02T12:00:00.000Z' });
  equal(around('2026-01-02T13:00:00Z'), { from: '2026-01-02T07:00:00.000Z', to: '2026-01-02T13:00:00.000Z' });
  // Microseconds of a row from the future are in its range, too.
  equal(time.rangeAround(now + 0.5, hour, now).to, '2026-01-02T12:00:00.001Z');
});

test('the live tail asks from the newest row on, and no later than when it last asked', () => {
  const at = (milliseconds) => ({ timestamp: milliseconds * 1000 });
  const now = 1_795_456_610_000;
  equal(tail.lookFrom([at(now - 5000), at(now - 9000)], now), now - 6000);
  equal(tail.lookFrom([at(now + 3600e3), at(now - 9000)], now), now - 1000);
  equal(tail.lookFrom([{ timestamp: null }], now), null);
  equal(tail.lookFrom([], now), null);
  equal(tail.lookFrom([{ ts: (now - 5000) * 1000 }], now, 'ts'), now - 6000);
});

test('new rows go on top, and older rows that no longer fit take the cursor with them', () => {
  const rowsOf = (first, count) => Array.from({ length: count }, (_, index) => ({ id: `${first + index}` }));
  const shown = { rows: rowsOf(100, 1999), cursor: 'c', cut: false, asked: 1 };
  const fits = tail.joinRows(shown, rowsOf(1, 1), true, 2);
  equal([fits.rows.length, fits.rows[0].id, fits.cursor, fits.cut, fits.asked], [2000, '1', 'c', false, 2]);
  const cut = tail.joinRows(fits, rowsOf(2, 3), true, 3);
  equal([cut.rows.length, cut.rows[0].id, cut.rows.at(-1).id, cut.cursor, cut.cut], [2000, '2', '2095', null, true]);
  const replaced = tail.joinRows(shown, rowsOf(5000, 2000), false, 4);
  equal([replaced.rows.length, replaced.rows.at(-1).id, replaced.cursor, replaced.cut], [2000, '6999', null, true]);
  equal(tail.unknownRows([{ id: 'a' }, { id: 'b' }], [{ id: 'a' }], { id: 'id' }), [{ id: 'b' }]);
  equal(tail.unknownRows([{ ts: 1, msg: 'a' }, { ts: 1, msg: 'b' }], [{ ts: 1, msg: 'a' }], { id: null }), [{ ts: 1, msg: 'b' }]);
});

test('a file quotes what CSV needs, disarms formulas, keeps digits, and writes times in UTC', () => {
  const columns = [['t', 'TIMESTAMP'], ['text', 'STRING'], ['n', 'INT64'], ['nested', 'NESTED']].map(([name, type]) => ({ name, type }));
  const rows = [
    { t: 1795456610717970, text: 'a,"b"\r\nc', n: '9007199254740993', nested: [{ x: 1 }] },
    { t: null, text: '=1+1', n: -5, nested: null },
    { t: null, text: '', n: null, nested: [] },
  ];
  equal(downloads.fileText('csv', columns, rows),
    't,text,n,nested\r\n2026-11-23T17:56:50.717970Z,"a,""b""\r\nc",9007199254740993,"[{""x"":1}]"\r\n,\'=1+1,-5,\r\n,"",,[]\r\n');
  equal(downloads.fileText('ndjson', columns, rows).split('\n')[0],
    '{"t":1795456610717970,"text":"a,\\"b\\"\\r\\nc","n":9007199254740993,"nested":[{"x":1}]}');
  equal(downloads.fileText('csv', [{ name: '=cmd', type: 'INT64' }], [{ '=cmd': 1 }]), "'=cmd\r\n1\r\n");
});

test('columns come from the header, and without it from the first row', () => {
  equal(api.readColumns('a%2Cb:INT64,c:NESTED', []), [{ name: 'a,b', type: 'INT64' }, { name: 'c', type: 'NESTED' }]);
  equal(api.readColumns(null, [{ x: 1 }]), [{ name: 'x', type: '' }]);
  equal(api.readColumns(null, []), []);
});
