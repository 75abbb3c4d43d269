// Tests of the histogram and of charts: what is counted, what is drawn, and what somebody chooses. units.mjs runs them.
import test from 'node:test';
import { equal, holds, lacks, matches } from './check.mjs';
import { load } from './load.mjs';

const values = await load('values.ts');
const storage = await load('storage.ts');
const charts = await load('charts.ts');
const choices = await load('chart_choice.ts');
const histogram = await load('histogram.ts');
const counting = await load('counting.ts');
const shapes = await load('log_shape.ts');

test('the histogram counts the rows of SQL without its LIMIT', () => {
  const sqlOf = (endpoint, parameters, time = 'timestamp', split = null) => counting.histogramSql({ endpoint, parameters }, time, 60, split);
  const sql = sqlOf('logs.all', { sql: 'select timestamp from auth_logs\nlimit 20;' });
  matches(sql, /from \(\nselect timestamp from auth_logs\n\n\) as t group by 1/);
  lacks(sql, /limit/);
  matches(sqlOf('logs.all', {}), /from edge_logs as t group by/);
  matches(sqlOf('app.rows', { sql: 'select * from app' }, 'ts`'), /unix_micros\(t\.`ts\\``\)/);
  equal(sqlOf('app.rows', {}), null);
  equal(sqlOf('app.rows', { sql: 'from a |> limit 5' }), null);
});

const logAnswer = (times, more = {}) => ({ rows: times.map((seconds) => ({ timestamp: seconds * 1e6, event_message: 'm' })), asked: 1e12, window: null,
  shape: { time: 'timestamp', message: 'event_message', id: null },
  columns: [{ name: 'timestamp', type: 'TIMESTAMP' }, { name: 'event_message', type: 'STRING' }], truncated: false, cursor: 'more', ...more });

test('without a start the histogram spans all rows of the query, not those that are shown', async () => {
  const first = 1e9 - 7 * 86400;
  const asked = [];
  const server = {
    call: async ({ parameters: { sql } }) => {
      asked.push(sql);
      if (/min\(`timestamp`\) as first/.test(sql)) return { rows: [{ first: String(first * 1e6), last: 1e9 * 1e6 }] };
      const step = Number(/div\(unix_micros\(t\.`timestamp`\), (\d+)\)/.exec(sql)[1]) / 1e6;
      return { rows: [first, 1e9].map((at) => ({ bucket: Math.floor(at / step) * step * 1e6, n: '30' })) };
    },
  };
  const drawnOf = (window) => histogram.histogramOf(logAnswer([1e9 - 60, 1e9]), { endpoint: 'logs.all', parameters: {} }, true, window, server, new AbortController().signal);
  const chart = await drawnOf({ from: null, to: null });
  equal([chart.title.slice(0, 7), chart.bucket, chart.series[0].values.at(0), chart.series[0].values.at(-1)], ['60 rows', 10800, 30, 30]);
  holds(chart.x[0] <= first && chart.x.at(-1) <= 1e9, `from ${chart.x[0]} to ${chart.x.at(-1)}`);
  // One request is enough if a start is given.
  asked.length = 0;
  await drawnOf({ from: new Date((1e9 - 3600) * 1000).toISOString(), to: null });
  equal(asked.length, 1);
  const shown = await histogram.histogramOf(logAnswer([1e9 - 60, 1e9]), { endpoint: 'logs.all', parameters: {} }, false, { from: null, to: null }, server, new AbortController().signal);
  matches(shown.title, /^2 rows that are shown, a bar is a second$/);
});

test('rows that are shown have the parts that the server would count', async () => {
  const path = [{ name: 'http', type: 'RECORD', repeated: false, fields: [] }, { name: 'status', type: 'INT64', repeated: false, fields: [] }];
  const answer = (values) => ({ ...logAnswer(values.map((_, at) => 1e9 + at)), rows: values.map((value, at) => ({ timestamp: (1e9 + at) * 1e6, event_message: 'm', http: { status: value } })) });
  const drawn = async (values, split) => histogram.histogramOf(answer(values), { endpoint: 'logs.all', parameters: {} }, false, { from: null, to: null }, {}, new AbortController().signal, split);
  const parts = (chart) => chart.series.map(({ label, tone, values }) => `${label} ${tone} ${values.reduce((sum, n) => sum + n, 0)}`);
  const byClass = await drawn([200, '503', 500, null], { path, kind: 'status', values: [] });
  equal([byClass.title, byClass.stacked], ['4 rows that are shown by status, a bar is a second', true]);
  equal(parts(byClass), ['none none 1', '2xx ok 1', '5xx error 2']);
  equal(parts(await drawn([null, null], { path, kind: 'status', values: [] })), ['rows undefined 2']);
  const text = [{ ...path[0] }, { ...path[1], type: 'STRING' }];
  equal(parts(await drawn(['warn', 'Error', 'ERROR'], { path: text, kind: 'level', values: [] })), ['WARN warn 1', 'ERROR error 2']);
  const many = await drawn(['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd', 'e', 'e', 'f'], { path: text, kind: 'value', values: [] });
  equal(parts(many).filter((part) => part.startsWith('other')), ['other values other 1']);
  equal(many.series.length, 6);
});

test('a range before that is not kept has no zeros, and the title says since when rows are kept', async () => {
  const [from, to] = [1e9 - 7200, 1e9];
  const iso = (seconds) => new Date(seconds * 1000).toISOString();
  const drawnOf = async (kept) => {
    const server = {
      call: async ({ parameters: { sql, since } }) => {
        const step = Number(/div\(unix_micros\(t\.`timestamp`\), (\d+)\)/.exec(sql)[1]) / 1e6;
        const start = Math.max(Date.parse(since) / 1000, kept ?? 0);
        const times = [from - 5400, from - 1800, from + 60].filter((at) => at >= start && (at >= from) === (Date.parse(since) / 1000 >= from));
        return { rows: times.map((at) => ({ bucket: Math.floor(at / step) * step * 1e6, n: '7' })), truncated: false,
          window: kept === null ? null : `${iso(start)}/..; asked=${since}/..` };
      },
    };
    const call = { endpoint: 'logs.all', parameters: { since: iso(from) } };
    return histogram.histogramOf(logAnswer([to - 60, to]), call, true, { from: iso(from), to: iso(to) }, server, new AbortController().signal, null, { start: 'since', end: 'until' });
  };
  const whole = await drawnOf(null);
  equal([whole.before.includes(null), whole.before.reduce((sum, n) => sum + n, 0), charts.beforeText(whole, true)], [false, 14, '; 14 rows in the range before']);
  const part = await drawnOf(from - 3600);
  equal(part.before.map((n, at) => (n === null) === (part.x[at] < from + 3600)), part.x.map(() => true));
  holds(part.before[0] === null && part.before.includes(7) && part.before.includes(0), part.before.join());
  equal(charts.beforeText(part, true), '; 7 rows in the range before, of which this tier keeps only what is later than 2001-09-08 22:46');
  const none = await drawnOf(from);
  equal([none.before, charts.beforeText(none, true)], [undefined, '; the range before lies outside of what is kept for this tier, which begins 2001-09-08 23:46']);
});

test('parts without a value and with other values are the last of a legend, each in a colour of its own', () => {
  const parts = (kind, counts) => counting.orderParts(kind, new Map(counts)).toReversed().map(({ part, tone }) => `${part === counting.noPart ? 'none' : part}:${tone}`);
  equal(parts('value', [[counting.noPart, 90], ['/a', 5], ['other values', 70], ['/b', 8], ['', 1]]), ['/b:null', '/a:null', ':null', 'other values:other', 'none:none']);
  equal(parts('level', [[counting.noPart, 90], ['DEBUG', 5], ['INFO', 70], ['ERROR', 8]]), ['ERROR:error', 'INFO:info', 'DEBUG:null', 'none:none']);
  equal(parts('status', [[counting.noPart, 9], ['1xx', 5], ['2xx', 70], ['5xx', 8]]), ['5xx:error', '2xx:ok', '1xx:null', 'none:none']);
  const chart = { bucket: 60, series: Array.from({ length: 7 }, (_, at) => ({ label: `${at}`, values: [] })) };
  equal([6, 5, 4, 3, 2].map((at) => charts.colourOf(chart, at)), [1, 2, 3, 4, 5]);
});

test('a row for each log, with its oldest and newest row, is drawn by log and never over time', () => {
  const summary = { columns: [['log', 'STRING'], ['row_count', 'INT64'], ['oldest', 'TIMESTAMP'], ['newest', 'TIMESTAMP']].map(([name, type]) => ({ name, type })),
    rows: [1, 2].map((n) => ({ log: `l${n}`, row_count: n, oldest: n * 1e15, newest: n * 1e15 + 1 })) };
  equal([shapes.shapeOf(summary.columns, ''), shapes.shapeOf(summary.columns.slice(0, 3), 'select log, count(*) as row_count, min(ts) as oldest from a group by 1')], [null, null]);
  equal(choices.defaultChoice({ ...summary, shape: null }), { kind: 'bar', axis: 'log', values: ['row_count'], split: null });
  // A log of one's own may have columns of these names.
  equal(shapes.shapeOf(summary.columns, 'select *\nfrom `shop`\norder by `oldest` desc\nlimit 100').time, 'oldest');
});

const answerOf = (columns, rows) => ({ columns: columns.map(([name, type]) => ({ name, type })), rows });
const drawn = (answer) => charts.chartOf(answer, choices.defaultChoice(answer));

test('rows are drawn by their time, else by their category, else not at all', () => {
  const timed = drawn(answerOf([['t', 'TIMESTAMP'], ['n', 'INT64']], [{ t: 2e15, n: 2 }, { t: 1e15, n: null }]));
  equal([timed.kind, timed.x, timed.series], ['line', [1e9, 2e9], [{ label: 'n', values: [null, 2] }]]);
  const counted = drawn(answerOf([['status', 'INT64'], ['n', 'INT64']], [{ status: 200, n: 5 }, { status: 404, n: 1 }]));
  equal([counted.kind, counted.categories], ['bar', ['200', '404']]);
  // Rows that are ordered by a number are about that number.
  const slowest = drawn(answerOf([['path', 'STRING'], ['requests', 'INT64'], ['slowest', 'INT64']], [{ path: 'a', requests: 1, slowest: 9 }, { path: 'b', requests: 7, slowest: 8 }]));
  equal([slowest.kind, slowest.series.map(({ label }) => label)], ['bar', ['slowest']]);
  equal(drawn(answerOf([['a', 'STRING']], [{ a: 'x' }, { a: 'y' }])), null);
  equal(drawn(answerOf([['a', 'STRING'], ['n', 'INT64']], [{ a: 'x', n: 1 }])), null);
});

test('of several numbers the one that counts is drawn, else the first that is no name', () => {
  const columns = (text) => text.split(' ').map((part) => part.split(':')).map(([name, type = 'INT64']) => [name, type]);
  const rows = (names) => [1, 2].map((n) => Object.fromEntries(names.map(([name, type]) => [name, type === 'TIMESTAMP' ? n * 1e15 : type === 'STRING' ? `v${n}` : n])));
  for (const [text, expected] of [
    ['path:STRING id avg_ms:FLOAT64 requests', 'bar requests by path'],
    ['path:STRING user_id avg_ms:FLOAT64', 'bar avg_ms by path'],
    ['path:STRING userId', 'none'],
    ['status_code count', 'bar count by status_code'],
    ['count status_code', 'bar count by status_code'],
    ['n p95_ms', 'bar n by p95_ms'],
    ['max_rows:INT64 path:STRING', 'bar max_rows by path'],
    ['timestamp:TIMESTAMP count success_count avg_time:FLOAT64', 'line count,success_count by timestamp'],
    ['timestamp:TIMESTAMP avg_time:FLOAT64 max_memory', 'line avg_time by timestamp'],
    ['hour:TIMESTAMP port count', 'line count by hour'],
    ['id timestamp:TIMESTAMP', 'none'],
    ['meta:ARRAY<STRING> n', 'none'],
  ]) {
    const named = columns(text);
    const choice = choices.defaultChoice(answerOf(named, rows(named)));
    equal(choice === null ? 'none' : `${choice.kind} ${choice.values} by ${choice.axis}`, expected, text);
  }
});

test('times that repeat give a line for each category, the largest ones, and 0 where nothing was counted', () => {
  const rows = [];
  for (let status = 0; status < 8; ++status) rows.push({ hour: 1e15, status: `s${status}`, n: status + 1 });
  rows.push({ hour: 2e15, status: 's7', n: 3 });
  const chart = drawn(answerOf([['hour', 'TIMESTAMP'], ['status', 'STRING'], ['n', 'INT64']], rows));
  equal([chart.x, chart.series.map(({ label }) => label)], [[1e9, 2e9], ['s7', 's6', 's5', 's4', 's3', 's2']]);
  equal(chart.series.slice(0, 2).map(({ values: of }) => of), [[8, 3], [7, 0]]);
  matches(chart.title, /^n over hour by status, the 6 largest of 8$/);
});

const hour = 3600;
const hourly = (hours, n = 'n', more = {}) => ({ ...answerOf([['hour', 'TIMESTAMP'], [n, 'INT64']], hours.map((at) => ({ hour: at * hour * 1e6, [n]: at }))),
  asked: 10.5 * hour * 1000, truncated: false, cursor: null, ...more });
const trunc = 'select timestamp_trunc(t.timestamp, hour) as hour, count(*) as n from t group by 1';
const iso = (hours) => new Date(hours * hour * 1000).toISOString();
const filled = (answer, sql = trunc, window = { from: null, to: null }) => {
  const { x, series } = charts.chartOf(answer, { kind: 'line', axis: 'hour', values: [answer.columns[1].name], split: null }, { sql, window });
  return x.map((at, index) => `${at / hour}:${series[0].values[index]}`).join(' ');
};

test('a time at which nothing was counted is 0, within the window', () => {
  const window = { from: iso(2.5), to: null };
  equal(filled(hourly([4, 7, 8]), trunc, window), '2:0 3:0 4:4 5:0 6:0 7:7 8:8 9:0 10:0');
  equal(filled(hourly([4, 7, 8]), trunc, { from: iso(4), to: iso(9) }), '4:4 5:0 6:0 7:7 8:8 9:0');
  equal(filled(hourly([8, 7, 4]), `${trunc} order by hour desc`, { from: null, to: null }), '4:4 5:0 6:0 7:7 8:8 9:0 10:0');
  // Without the SQL of the times, their least distance says how far apart they are.
  equal(filled(hourly([2, 4, 8]), ''), '2:2 4:4 6:0 8:8 10:0');
  equal(filled(hourly([2, 5, 7]), ''), '2:2 5:5 7:7');
});

test('a silence until now is drawn, however short the time before it was', () => {
  equal(filled(hourly([2, 3]), trunc, { from: iso(2), to: null }), '2:2 3:3 4:0 5:0 6:0 7:0 8:0 9:0 10:0');
  // Without a range that was asked for, old rows fill the chart.
  equal(filled(hourly([2, 3])), '2:2 3:3');
});

test('no 0 stands for what a query left out, or for a number that does not count', () => {
  const window = { from: iso(2), to: null };
  equal(filled(hourly([8, 6, 5]), `${trunc} order by 1 desc limit 3`, window), '5:5 6:6 7:0 8:8');
  equal(filled(hourly([8, 6, 5]), `${trunc} order by 1 desc limit 100`, window), '2:0 3:0 4:0 5:5 6:6 7:0 8:8 9:0 10:0');
  equal(filled(hourly([6, 8, 5]), `${trunc} order by n limit 3`, window), '5:5 6:6 8:8');
  equal(filled(hourly([5, 8]), `${trunc} having n > 1`, window), '5:5 8:8');
  equal(filled(hourly([8, 5], 'n', { truncated: true }), trunc, window), '5:5 6:0 7:0 8:8');
  equal(filled(hourly([5, 8], 'slowest_ms'), trunc, window), '5:5 8:8');
  // Times outside of the window are others than those that it bounds.
  equal(filled(hourly([5, 8]), trunc, { from: iso(7), to: null }), '5:5 6:0 7:0 8:8');
  equal(filled(hourly([0, 1e6]), trunc), '0:0 1000000:1000000');
});

test('lines by a category share the times without rows', () => {
  const answer = { ...answerOf([['hour', 'TIMESTAMP'], ['s', 'STRING'], ['n', 'INT64']], [[1, 'a'], [1, 'b'], [3, 'a']].map(([at, s]) => ({ hour: at * hour * 1e6, s, n: 5 }))), asked: 3.5 * hour * 1000, truncated: false, cursor: null };
  const chart = charts.chartOf(answer, choices.defaultChoice(answer), { sql: trunc, window: { from: null, to: null } });
  equal([chart.x.map((at) => at / hour), chart.series.map(({ values: of }) => of)], [[1, 2, 3], [[5, 0, 5], [5, 0, 0]]]);
});

test('a choice is drawn while the rows have its columns, and changes into one that can be drawn', () => {
  const answer = answerOf([['path', 'STRING'], ['method', 'STRING'], ['a', 'INT64'], ['b', 'INT64']],
    Array.from({ length: 70 }, (_, at) => ({ path: `/p${at % 40}`, method: 'GET', a: at, b: -at })));
  equal(choices.defaultChoice(answer), null);
  const chosen = { kind: 'bar', axis: 'path', values: ['b'], split: null };
  const chart = charts.chartOf(answer, chosen);
  equal([chart.x.length, chart.categories[0], chart.title], [60, '/p0 GET', 'b by path and method, the first 60 of 70 rows']);
  equal(charts.chartOf(answer, { ...chosen, values: ['c'] }), null);
  equal(charts.chartOf(answer, { ...chosen, axis: 'c' }), null);
  const lines = { kind: 'line', axis: 'path', values: ['a', 'b'], split: null };
  equal(choices.changed(lines, { kind: 'bar' }), { kind: 'bar', axis: 'path', values: ['a'], split: null });
  equal(choices.changed(lines, { split: 'method' }), { kind: 'line', axis: 'path', values: ['a'], split: 'method' });
  equal(choices.changed({ ...lines, split: 'method' }, { axis: 'method' }).split, null);
  const parts = choices.changed({ ...lines, split: 'method' }, { kind: 'bar' });
  equal([parts.split, parts.values, charts.chartOf(answer, parts).stacked], ['method', ['a'], true]);
});

test('a link carries the chart that somebody chose, and nothing that is none', () => {
  const base = { endpoint: 'e', parameters: {}, sql: '', range: { preset: '24h' } };
  for (const chart of ['none', { kind: 'line', axis: 'a&b', values: ['x', 'y=z'], split: null }, { kind: 'line', axis: 'a', values: ['x'], split: 'by' }]) {
    equal(storage.fromFragment(storage.toFragment({ ...base, chart })).query.chart, chart);
  }
  for (const text of ['chart=pie&chart.x=a&chart.y=b', 'chart=bar&chart.x=a', 'chart=bar&chart.y=b', 'chart=']) {
    equal('chart' in storage.fromFragment(`#endpoint=e&${text}`).query, false, text);
  }
});
