// The histogram of log rows over time: which SQL counts them, and the counts as a chart.
import type { Answer, Call, Server } from './api.ts';
import type { ChartData } from './charts.ts';
import { type Bounds, bucketSeconds, endOfSpan, timeOf } from './time.ts';
import { withoutLimit } from './sql_text.ts';
import { isLogRows } from './values.ts';

// The log that logs.all shows without SQL.
export const defaultLog = 'edge_logs';

// All rows of the call's query, as what stands behind FROM: the answer itself has only the newest. Null where SQL cannot say which
// rows these are: those of another endpoint's own query, and of SQL whose LIMIT stays.
function allRows(call: Call): string | null {
  const given = (call.parameters['sql'] ?? '').trim();
  if (given === '' && call.endpoint !== 'logs.all') return null;
  const all = withoutLimit(given);
  if (all === null) return null;
  return given === '' ? defaultLog : `(\n${all}\n)`;
}

// Counts these rows over time, in buckets of `step` seconds.
export function histogramSql(call: Call, step: number): string | null {
  const rows = allRows(call);
  if (rows === null) return null;
  const bucket = `timestamp_micros(div(unix_micros(timestamp), ${step * 1_000_000}) * ${step * 1_000_000})`;
  return `select ${bucket} as bucket, count(*) as n from ${rows} group by 1 order by 1`;
}

// When the first and the last of these rows were.
export function extentSql(call: Call): string | null {
  const rows = allRows(call);
  return rows === null ? null : `select min(timestamp) as first, max(timestamp) as last from ${rows}`;
}

interface Span {
  from: number;
  to: number;
}

type Ask = (sql: string) => Promise<Answer>;

const secondsOf = (value: unknown) => (timeOf(value) ?? Number.NaN) / 1000;

// When the first and the last row were, in seconds since 1970: of all rows of the query, where the server can be asked, else of
// those that are there, which may be the newest alone.
async function extentOf(answer: Answer, call: Call, ask: Ask | null): Promise<Span | null> {
  const sql = extentSql(call);
  if (sql !== null && ask !== null) {
    try {
      const { rows } = await ask(sql);
      const [from, to] = [secondsOf(rows[0]?.['first']), secondsOf(rows[0]?.['last'])];
      if (from <= to) return { from, to };
    } catch {
      // SQL that cannot be asked this way: the rows that are there have an extent, too. What was aborted ends with the next request.
    }
  }
  return rowsExtent(answer);
}

function rowsExtent(answer: Answer): Span | null {
  const times = answer.rows.map((row) => secondsOf(row['timestamp'])).filter((time) => !Number.isNaN(time));
  if (times.length === 0) return null;
  return { from: times.reduce((least, time) => Math.min(least, time)), to: times.reduce((most, time) => Math.max(most, time)) };
}

// The window that applied; where it has no start, from the first row on.
async function spanOf(answer: Answer, call: Call, window: Bounds, ask: Ask | null): Promise<Span | null> {
  const now = answer.asked / 1000;
  const from = window.from === null ? null : Date.parse(window.from) / 1000;
  const to = window.to === null ? null : Date.parse(window.to) / 1000;
  const rows = from === null ? await extentOf(answer, call, ask) : rowsExtent(answer);
  if (rows === null) return null;
  const span = { from: from ?? rows.from, to: to ?? (from === null ? endOfSpan(rows.from, rows.to, now) : Math.max(now, rows.to)) };
  return span.to >= span.from ? span : null;
}

function bucketed(span: Span, step: number, counts: Map<number, number>, title: string): ChartData {
  const x: number[] = [];
  for (let start = Math.floor(span.from / step) * step; start <= span.to; start += step) x.push(start);
  const values = x.map((start) => counts.get(start) ?? 0);
  return { kind: 'bar', x, categories: null, axis: 'timestamp', series: [{ label: 'rows', values }], bucket: step, stacked: false, title };
}

export async function histogramOf(
  answer: Answer, call: Call, canCount: boolean, window: Bounds, server: Server, signal: AbortSignal,
): Promise<ChartData | null> {
  if (!isLogRows(answer.columns)) return null;
  const ask: Ask | null = canCount ? (sql) => server.call({ ...call, parameters: { ...call.parameters, sql } }, {}, signal) : null;
  const span = await spanOf(answer, call, window, ask);
  if (span === null) return null;
  const step = bucketSeconds(span.to - span.from);
  const sql = histogramSql(call, step);
  if (sql !== null && ask !== null) {
    try {
      const counted = await ask(sql);
      const counts = new Map(counted.rows.map((row) => [(timeOf(row['bucket']) ?? 0) / 1000, Number(row['n'])]));
      const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
      return bucketed(span, step, counts, `${total.toLocaleString('en')} rows`);
    } catch (error) {
      if (signal.aborted) throw error;
      // SQL whose rows cannot be counted this way, one that ends in a pipe say: the rows that are there are counted instead.
    }
  }
  const counts = new Map<number, number>();
  for (const row of answer.rows) {
    const start = Math.floor((timeOf(row['timestamp']) ?? 0) / 1000 / step) * step;
    counts.set(start, (counts.get(start) ?? 0) + 1);
  }
  return bucketed(span, step, counts, `${answer.rows.length.toLocaleString('en')} rows that are shown`);
}
