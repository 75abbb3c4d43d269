// Tests of the search: its language, the SQL that it becomes, the fields and marks that it knows, and the histogram's parts. units.mjs
// runs them.
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { equal, holds, matches } from './check.mjs';
import { load, source } from './load.mjs';

const types = await load('types.ts');
const templates = await load('templates.ts');
const time = await load('time.ts');
const storage = await load('storage.ts');
const charts = await load('charts.ts');
const histogram = await load('histogram.ts');
const counting = await load('counting.ts');
const pastTitles = await load('past_titles.ts');
const search = await load('search.ts');
const searchFields = await load('search_fields.ts');
const searchSql = await load('search_sql.ts');
const marks = await load('marks.ts');
const splitting = await load('splitting.ts');
const shapes = await load('log_shape.ts');

const column = (name, type) => types.readType(name, type);
const logAnswer = (times) => ({ rows: times.map((seconds) => ({ timestamp: seconds * 1e6, event_message: 'm' })), asked: 1e12, window: null,
  shape: { time: 'timestamp', message: 'event_message', id: null },
  columns: [{ name: 'timestamp', type: 'TIMESTAMP' }, { name: 'event_message', type: 'STRING' }], truncated: false, cursor: 'more' });

const parsed = (text) => search.parseSearch(text);
const edge = ['id:STRING', 'timestamp:TIMESTAMP', 'event_message:STRING',
  'metadata:ARRAY<STRUCT<request ARRAY<STRUCT<method STRING, path STRING, headers ARRAY<STRUCT<cf_ray STRING>>>>, response ARRAY<STRUCT<status_code INT64, headers ARRAY<STRUCT<cf_ray STRING>>>>>>']
  .map((text) => column(text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1)));
const own = [column('ts', 'TIMESTAMP'), column('msg', 'STRING'), column('size', 'STRING'), column('ok', 'BOOL'), column('user-agent', 'STRING'), column('tags', 'ARRAY<STRING>')];
const conditionsOf = (text, columns = edge) => parsed(text).terms.map((term) => searchSql.conditionOf(columns, term)).map((one) => one.sql ?? one.problem);

test('a search is words, phrases, fields with an operator, and what is left out', () => {
  const said = (text) => parsed(text).terms.map(({ negated, field, operator, value, exact }) => `${negated ? 'not ' : ''}${field?.join('/') ?? 'text'} ${operator} ${exact ? 'exactly ' : ''}${value}`);
  for (const [text, expected] of [
    ['timeout', ['text contains timeout']],
    ['  "two words"  -gone ', ['text contains two words', 'not text contains gone']],
    ['status_code:500 status:>=500 s:<5 s:<=5 s:>5', ['status_code = 500', 'status >= 500', 's < 5', 's <= 5', 's > 5']],
    ['path:~auth -path:/health path:*', ['path contains auth', 'not path = /health', 'path exists ']],
    ['method:"GET" a.b:"x y" m:"*"', ['method = exactly GET', 'a/b = exactly x y', 'm = exactly *']],
    ['user-agent:curl `odd name`.`x.y`:1', ['user-agent = curl', 'odd name/x.y = 1']],
    ['https://x.example/a?b=c 12:30', ['text contains https://x.example/a?b=c', 'text contains 12:30']],
    ['a:b:c it\'s', ['a = b:c', "text contains it's"]],
    ['"a \\"b\\" \\\\ \\n"', ['text contains a "b" \\ \n']],
    ['"never closed', ['text contains never closed']],
    ['', []],
  ]) equal(said(text), expected, text);
  for (const [text, expected] of [
    ['-', /after the minus sign/], ['""', /between the quotes/], ['path:', /Write a value after path/], ['a -b:', /Write a value after b/],
    ['x'.repeat(4001), /at most 4,000 characters/], ['x '.repeat(41), /at most 40 terms/],
  ]) matches(parsed(text).problem, expected);
});

test('the text of a term reads as the term again, whatever its value is', () => {
  const hostile = ["it's", '"', '\\', '\\"', '-a', 'a:b', '*', '~', '>=5', '', ' ', '\n', '\r\n', '\0', '\u202e\u2066', 'x\u00a0y', '`', "'; drop table t; --", '😀', '\ud800', '=1', '<', '5xx', '(', ')', '(a', 'a)', 'f(x)', 'or', 'OR'];
  for (const value of hostile) {
    for (const field of [null, ['path'], ['a b', 'c.d'], ['`', '\\']]) {
      for (const operator of field === null ? ['contains'] : ['=', '>=', '<', 'contains', 'exists']) {
        for (const [negated, exact] of [[false, false], [true, true]]) {
          if (value === '' && field === null) continue;
          const term = { negated, field, operator, value: operator === 'exists' ? '' : value, exact: exact && ['=', '>=', '<'].includes(operator) };
          const text = search.writeTerm(term);
          const { terms, problem } = parsed(`first ${text} last`);
          equal(problem, null, text);
          // Names that need quotes are told apart by case, too.
          const [, again] = terms;
          equal([terms.length, again.negated, again.field, again.operator, again.value], [3, negated, field, operator, term.value], JSON.stringify([text, term]));
        }
      }
    }
  }
});

test('terms stand beside or, and in groups with parentheses', () => {
  const said = (text) => {
    const { terms, problem } = parsed(text);
    return problem ?? search.writeSearch(terms);
  };
  for (const [text, expected] of [
    ['a or b', '(a or b)'], ['a OR b:1 Or -c', '(a or b:1 or -c)'],
    // Side by side binds more closely.
    ['a b or c d', '(a b or c d)'], ['a (b or c) d', 'a (b or c) d'],
    ['-(a b)', '-(a b)'], ['-(a or b:5xx) c', '-(a or b:5xx) c'], ['(a (b or (c d)))', 'a (b or c d)'],
    // A group of one is the term itself; the parenthesis of a word is the word's.
    ['(a)', 'a'], ['((a) b)', 'a b'], ['(f(x) or g())', '("f(x)" or "g()")'], ['(path:/a(b) or c)', '(path:/a(b) or c)'], ['a) or b', '("a)" or b)'],
    ['(a:* or "x)")', '(a:* or "x)")'], ['order or for', '(order or for)'], ['"or" or or', /before or|after or/], ['path:or', 'path:or'],
    ['or a', /Write a term before or/], ['a or', /Write a term after or/], ['a or or b', /Write a term before or/], ['or', /in quotes/],
    ['()', /between the parentheses/], ['(a or )', /after or/], ['(a', /not closed/], ['(a (b)', /not closed/], ['-(', /not closed/], ['(status:)', /Write a value after status/],
    ['('.repeat(7) + 'a' + ')'.repeat(7), /at most 5 deep/], [`(${'x or '.repeat(45)}x)`, /at most 40 terms/],
  ]) {
    if (expected instanceof RegExp) matches(said(text), expected);
    else equal([said(text), said(said(text))], [expected, expected], text);
  }
  equal(search.labelOf(parsed('a or b').terms[0], 'msg'), { field: '', operator: 'any of', value: 'a or b' });
  const [negated] = parsed('-(a b)').terms;
  equal([negated.negated, search.labelOf(negated, 'msg').operator], [true, 'not']);
});

test('a group becomes one condition, and a row without a field is not in a group that is left out', () => {
  const one = (word) => `strpos(lower(\`event_message\`), lower('${word}')) > 0`;
  equal(conditionsOf('a or b'), [`(${one('a')} or ${one('b')})`]);
  equal(conditionsOf('a b or c'), [`((${one('a')} and ${one('b')}) or ${one('c')})`]);
  equal(conditionsOf('-(a or b)'), [`not ifnull((${one('a')} or ${one('b')}), false)`]);
  matches(conditionsOf('a or status_code:5xx')[0], /^\(strpos.* or exists \(select 1 from unnest.*>= 500 and .*< 600.*\)$/);
  matches(conditionsOf('a or nothing:1')[0], /have no field nothing/);
  const { sql, problems } = searchSql.compile('select id, event_message from edge_logs limit 5', edge, parsed('x (a or b)').terms);
  equal(problems, [null, null]);
  holds(sql.includes(`where ${one('x')}\n  and (${one('a')} or ${one('b')})`), sql);
});

test('a search becomes conditions of SQL, with everything that was written in literals', () => {
  const response = 'exists (select 1 from unnest(`metadata`) as r1 cross join unnest(r1.`response`) as r2 where ';
  const request = response.replace('response', 'request');
  for (const [text, expected] of [
    ['Time"out', "strpos(lower(`event_message`), lower('Time\"out')) > 0"],
    ["-it's\\", "not ifnull(strpos(lower(`event_message`), lower('it\\'s\\\\')) > 0, false)"],
    ['status_code:500', `${response}r2.\`status_code\` = 500)`],
    ['status:>=500', `${response}r2.\`status_code\` >= 500)`],
    ['-status:5xx', `not ${response}(r2.\`status_code\` >= 500 and r2.\`status_code\` < 600))`],
    ['STATUS_CODE:~40', `${response}strpos(lower(cast(r2.\`status_code\` as string)), lower('40')) > 0)`],
    ['method:get', `${request}lower(r2.\`method\`) = lower('get'))`],
    ['method:"GET"', `${request}r2.\`method\` = 'GET')`],
    ['path:*', `${request}r2.\`path\` is not null)`],
    ['request.headers.cf_ray:"1"', `exists (select 1 from unnest(\`metadata\`) as r1 cross join unnest(r1.\`request\`) as r2 cross join unnest(r2.\`headers\`) as r3 where r3.\`cf_ray\` = '1')`],
    ['timestamp:>=2026-11-25T14:05:00.123456Z', "`timestamp` >= timestamp '2026-11-25 14:05:00.123456+00'"],
  ]) equal(conditionsOf(text), [expected], text);
  for (const [text, expected] of [
    ['late', "strpos(lower(`msg`), lower('late')) > 0"], ['size:>5', 'safe_cast(`size` as float64) > 5'], ['size:>"5"', "`size` > '5'"], ['-ok:true', '`ok` is distinct from true'],
    ['-user-agent:*', '`user-agent` is null'], ['tags:"x"', "exists (select 1 from unnest(`tags`) as r1 where r1 = 'x')"],
  ]) equal(conditionsOf(text, own), [expected], text);
  // Rows without a message are searched in all of their texts.
  equal(conditionsOf('-x', [column('a', 'STRING'), column('n', 'INT64'), column('b', 'STRING')]),
    ["not (ifnull(strpos(lower(`a`), lower('x')) > 0, false) or ifnull(strpos(lower(`b`), lower('x')) > 0, false))"]);
});

test('a search that cannot be understood says why, and names near fields', () => {
  for (const [text, expected, columns] of [
    ['statuscode:5', /no field statuscode\. Near names are status_code\. To look for it as text, put it in quotes\.$/],
    ['metod:GET', /Near names are method/], ['zzzzzzzz:1', /no field zzzzzzzz\. The log on the left lists them/],
    ['cf_ray:1', /cf_ray is in several places: write metadata\.request\.headers\.cf_ray or metadata\.response\.headers\.cf_ray\./],
    ['response:*', /response is a record; write one of its fields, such as response\.status_code/],
    ['status:bad', /status is a number, and "bad" is not/], ['ok:maybe', /ok is true or false/, own], ['ts:soon', /ts is a time such as/, own],
    ['x', /These rows have no text/, [column('n', 'INT64')]],
  ]) matches(conditionsOf(text, columns ?? edge)[0], expected);
});

test('filters join the query, and stay while their conditions stand in the SQL that somebody edits', () => {
  const { terms } = parsed('late status:>=500');
  const base = templates.templateForRows('edge_logs', edge);
  const { sql, problems } = searchSql.compile(base, edge, terms);
  equal([sql.split('\n').map((line) => line.trim().split(/[ (]/)[0]), problems], [['select', 'from', 'where', 'and', 'order', 'limit'], [null, null]]);
  equal(searchSql.detached(sql, edge, terms), base);
  const edited = sql.replace('limit 100', 'limit 500').replace('`id`, ', '');
  equal(searchSql.detached(edited, edge, terms), base.replace('limit 100', 'limit 500').replace('`id`, ', ''));
  equal(searchSql.detached(sql.replace('500)', '400)'), edge, terms), null);
  equal(searchSql.detached(sql.replace('  and', '  or'), edge, terms), null);
  const grouped = 'select event_message, count(*) as n from edge_logs group by 1';
  const counted = searchSql.compile(grouped, [column('event_message', 'STRING'), column('n', 'INT64')], parsed('n:>5').terms);
  equal(counted.sql, `select *\nfrom (\n${grouped}\n)\nwhere \`n\` > 5`);
  matches(searchSql.compile('from t |> limit 5', own, parsed('x').terms).problem, /LIMIT is in the middle/);
  equal(searchSql.compile(base, edge, parsed('nofield:1 late').terms).problems.map((problem) => problem === null), [false, true]);
});

test('a filter that is added twice is there once, and its opposite gives way', () => {
  const [yes, no, other] = parsed('a:1 -a:1 b:2').terms;
  equal(search.writeSearch(search.withTerm(search.withTerm([yes, other], yes), no)), 'b:2 -a:1');
});

test('the fields that matter come first, under the shortest name that means them', () => {
  const shown = (columns) => searchFields.facetFields(columns).first.map((path) => searchFields.shortName(columns, path).join('.'));
  equal(shown(edge), ['status_code', 'method', 'path']);
  equal(shown([column('zone', 'STRING'), column('severity', 'STRING'), column('http', 'STRUCT<path STRING, status INT64>')]), ['status', 'severity', 'path']);
  equal(shown(own), []);
  const ray = edge[3].fields[1].fields[1].fields[0];
  equal(searchFields.shortName(edge, [edge[3], edge[3].fields[1], edge[3].fields[1].fields[1], ray]), ['response', 'headers', 'cf_ray']);
});

test('a filter for words names what is searched', () => {
  const label = (text, columns) => {
    const { field, operator, value } = search.labelOf(parsed(text).terms[0], searchSql.searchedText(columns));
    return [field, operator, value].join(' ');
  };
  equal(label('timeout', edge), 'event_message contains timeout');
  equal(label('-timeout', own), 'msg lacks timeout');
  equal(label('a', [column('ts', 'TIMESTAMP'), column('user', 'STRING'), column('host', 'STRING')]), 'user or host contains a');
  equal(label('a', 'abcd'.split('').map((name) => column(name, 'STRING'))), 'any of 4 texts contains a');
  equal(label('a', undefined), 'text contains a');
  equal(label('path:x', undefined), 'path = x');
});

test('a status and a level say how bad a row is, by names that logs have', () => {
  const told = (name, value) => marks.markOf(name, value)?.tone ?? null;
  for (const [name, value, expected] of [
    ['status_code', 503, 'error'], ['status', '404', 'warn'], ['status', 200, 'ok'], ['status', 301, 'info'], ['status', 'failed', null], ['status', 'error', 'error'], ['status', 7, null],
    ['level', 'ERROR', 'error'], ['error_severity', 'PANIC', 'error'], ['severity', 'Warning', 'warn'], ['level', 'info', 'info'], ['level', 'debug', 'none'], ['level', null, null], ['path', '500', null],
  ]) equal(told(name, value), expected, `${name} ${value}`);
  const rows = [{ id: 'a', level: 'info', metadata: null }, { id: 'b', level: 'info', metadata: [{ request: [{ path: '/' }], response: [{ status_code: 500 }] }] }];
  equal(marks.markPath(rows), ['metadata', 'response', 'status_code']);
  equal(rows.map((row) => marks.valueAt(row, ['metadata', 'response', 'status_code'])), [undefined, 500]);
  equal(marks.markPath([{ a: 1 }]), null);
  // The newest rows may all lack it, and a level counts only where no row has a status.
  const plain = Array.from({ length: 30 }, (_, at) => ({ id: at, level: 'info', metadata: null }));
  equal(marks.markPath([...plain, ...rows]), ['metadata', 'response', 'status_code']);
  equal(marks.markPath([{ id: 'new', metadata: null }, ...plain]), ['level']);
});

test('rows of a log of its own are known by their time and their message', () => {
  const list = (text) => text.split(' ').map((part) => part.split(':')).map(([name, type]) => ({ name, type }));
  const shape = (text, sql) => {
    const found = shapes.shapeOf(list(text), sql);
    return found === null ? null : `${found.time} ${found.message} ${found.id}`;
  };
  equal(shape('timestamp:TIMESTAMP id:STRING event_message:STRING', ''), 'timestamp event_message id');
  equal(shape('tenant:STRING ts:TIMESTAMP msg:STRING', 'select * from app_logs order by ts desc'), 'ts msg null');
  equal(shape('ts:TIMESTAMP user:STRING', 'select * from app_logs limit 5'), 'ts null null');
  equal(shape('ts:TIMESTAMP user:STRING', 'select ts, user from app_logs'), null);
  equal(shape('hour:TIMESTAMP n:INT64', 'select timestamp_trunc(ts, hour) as hour, count(*) as n from app_logs group by 1'), null);
  equal(shape('msg:STRING', 'select * from app_logs'), null);
});

test('the histogram is in parts by status or level, the bad ones at the bottom, and in few parts by other values', async () => {
  const split = splitting.splitOf(edge, null);
  equal([split.kind, split.path.at(-1).name], ['status', 'status_code']);
  matches(counting.histogramSql({ endpoint: 'logs.all', parameters: {} }, 'timestamp', 60, split), /concat\(cast\(div\(r2\.`status_code`, 100\) as string\), 'xx'\) as part, [^]*left join unnest\(t\.`metadata`\) as r1\nleft join unnest/);
  equal(splitting.splitOf(edge, 'none'), null);
  equal(splitting.splitOf(edge, { split: null }), null);
  equal(splitting.splitOf(edge, { split: 'metadata.of.another.log' }).path.at(-1).name, 'status_code');
  equal(splitting.splitsOf(edge), ['metadata.response.status_code', 'metadata.request.method', 'metadata.request.path']);
  const path = splitting.splitOf(edge, { split: 'metadata.request.path' });
  matches(counting.histogramSql({ endpoint: 'logs.all', parameters: {} }, 'timestamp', 60, { ...path, values: ["/it's", '/b'] }), /if\(r2\.`path` in \('\/it\\'s', '\/b'\), /);
  const server = { call: async () => ({ truncated: false, rows: [['5xx', 2], ['2xx', 7], [null, 1], ['4xx', 3]].map(([part, n]) => ({ bucket: 1e9 * 1e6, part, n: String(n) })) }) };
  const window = { from: new Date((1e9 - 600) * 1000).toISOString(), to: new Date(1e9 * 1000).toISOString() };
  const drawnIn = (of) => histogram.histogramOf(logAnswer([1e9]), { endpoint: 'logs.all', parameters: {} }, true, window, of, new AbortController().signal, split);
  const chart = await drawnIn(server);
  equal([chart.stacked, chart.title, chart.series.map(({ label, tone }) => `${label} ${tone}`)], [true, '13 rows by status_code, a bar is 10 seconds', ['none none', '2xx ok', '4xx warn', '5xx error']]);
  // More groups than an endpoint returns would be drawn as empty bars: the rows are counted without parts then.
  const cut = await drawnIn({ call: async ({ parameters }) => ({ truncated: / as part/.test(parameters.sql), rows: [{ bucket: 1e9 * 1e6, n: '9' }] }) });
  equal([cut.stacked, cut.title], [false, '9 rows, a bar is 10 seconds']);
});

test('a histogram is compared with the range before, bucket by bucket', async () => {
  const asked = [];
  const server = { call: async ({ parameters }) => {
    asked.push([parameters.from, parameters.to]);
    const second = asked.length > 1;
    return { truncated: false, rows: [{ bucket: (second ? 1e9 - 610 : 1e9) * 1e6, n: second ? '4' : '6' }] };
  } };
  const iso = (seconds) => new Date(seconds * 1000).toISOString();
  const window = { from: iso(1e9 - 605), to: iso(1e9) };
  const call = { endpoint: 'logs.all', parameters: { from: window.from, to: window.to } };
  const chart = await histogram.histogramOf(logAnswer([1e9]), call, true, window, server, new AbortController().signal, null, { start: 'from', end: 'to' });
  equal(asked, [[window.from, window.to], [iso(1e9 - 605 - 610), iso(1e9 - 610)]]);
  equal([chart.before.at(-1), chart.series[0].values.at(-1), chart.title, charts.beforeText(chart, true)], [4, 6, '6 rows, a bar is 10 seconds', '; 4 rows in the range before']);
});

test('rows over time are counted in a unit that suits the range', () => {
  equal([900, 3600, 86400, 7 * 86400, 30 * 86400, null].map(templates.unitFor), ['minute', 'minute', 'hour', 'hour', 'day', 'hour']);
  const now = new Date('2026-03-04T05:06:07Z');
  equal([time.spanOf({ preset: '1h' }, now), time.spanOf({ preset: 'all' }, now), time.spanOf({ from: '2026-03-04T05:00:00Z', to: '' }, now)], [3600, null, 367]);
  matches(templates.templateOverTime('l', own, 'minute'), /timestamp_trunc\(`ts`, minute\) as minute/);
});

test('a link carries the log and the search, and is short', () => {
  const query = { endpoint: 'logs.all', parameters: { project: 'p' }, sql: '', range: { preset: '1h' }, log: 'auth_logs', search: '"a b" status:>=500' };
  const link = storage.toFragment(query);
  equal([storage.fromFragment(link).query, link.length < 100], [query, true]);
  equal(pastTitles.titlesOf([{ at: 0, query }], true), ['auth_logs · "a b" status:>=500']);
});

// The relative luminance of a colour, as WCAG 2 defines it.
function luminance(hex) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((left, right) => left - right);
  return (light + 0.05) / (dark + 0.05);
}

test('the colours of status and level can be read in light and in dark', () => {
  const css = readFileSync(source('console.css'), 'utf8');
  const palettes = [...css.matchAll(/:root(?:\[[^\]]*\])? \{([^}]*)\}/g)].map(([, body]) => Object.fromEntries([...body.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, name, value]) => [name, value])));
  equal(palettes.length, 2);
  for (const colours of palettes) {
    for (const [text, back] of [['error', 'error-back'], ['warn', 'warn-back'], ['good', 'good-back'], ['info', 'info-back'], ['error', 'page'], ['warn', 'page'], ['good', 'page'], ['info', 'page']]) {
      holds(contrast(colours[text], colours[back]) >= 4.5, `${text} on ${back}: ${contrast(colours[text], colours[back]).toFixed(2)}`);
    }
    // Bars are graphics, for which WCAG asks 3 to 1; their parts are named beside them.
    for (const tone of ['error', 'warn', 'ok', 'info']) holds(contrast(colours[`tone-${tone}`], colours.page) >= 3, `${tone}: ${contrast(colours[`tone-${tone}`], colours.page).toFixed(2)}`);
  }
});
