// The histogram of log rows over time: which SQL counts them, and the counts as a chart.
import type { Answer, Call, Server } from './api.ts';
import type { ChartData } from './charts.ts';
import { bucketSeconds, readWindow, timeOf } from './time.ts';
import { withoutLimit } from './sql_text.ts';
import { isLogRows } from './values.ts';

// The log that logs.all shows without SQL.
const defaultLog = 'edge_logs';

// The rows of the call's query, counted over time: all of them, where the answer itself has only the newest. Null where SQL cannot
// say which rows these are: those of another endpoint's own query, and of SQL whose LIMIT stays.
export function histogramSql(call: Call, step: number): string | null {
  const given = (call.parameters['sql'] ?? '').trim();
  if (given === '' && call.endpoint !== 'logs.all') return null;
  const all = withoutLimit(given);
  if (all === null) return null;
  const rows = given === '' ? defaultLog : `(\n${all}\n)`;
  const bucket = `timestamp_micros(div(unix_micros(timestamp), ${step * 1_000_000}) * ${step * 1_000_000})`;
  return `select ${bucket} as bucket, count(*) as n from ${rows} group by 1 order by 1`;
}

interface Span {
  from: number;
  to: number;
}

// From the window that applied, else from what was asked for, else from the rows: seconds since 1970.
function spanOf(answer: Answer, asked: { from: string | null; to: string | null }, now: number): Span | null {
  const window = answer.window === null ? null : readWindow(answer.window);
  const seconds = (text: string | null | undefined) => (text ? Date.parse(text) / 1000 : null);
  const times = answer.rows.map((row) => timeOf(row['timestamp'])).filter((time) => time !== null);
  if (times.length === 0) return null;
  const newest = times.reduce((most, time) => Math.max(most, time)) / 1000;
  const oldest = times.reduce((least, time) => Math.min(least, time)) / 1000;
  const from = seconds(window?.from) ?? seconds(asked.from) ?? oldest;
  const to = seconds(window?.to) ?? seconds(asked.to) ?? Math.max(now, newest);
  return to > from ? { from, to } : null;
}

function bucketed(span: Span, step: number, counts: Map<number, number>, title: string): ChartData {
  const x: number[] = [];
  for (let start = Math.floor(span.from / step) * step; start <= span.to; start += step) x.push(start);
  const values = x.map((start) => counts.get(start) ?? 0);
  return { kind: 'bar', x, categories: null, axis: 'timestamp', series: [{ label: 'rows', values }], bucket: step, stacked: false, title };
}

export async function histogramOf(
  answer: Answer, call: Call, canCount: boolean, asked: { from: string | null; to: string | null }, server: Server, signal: AbortSignal,
): Promise<ChartData | null> {
  if (!isLogRows(answer.columns)) return null;
  const span = spanOf(answer, asked, Date.now() / 1000);
  if (span === null) return null;
  const step = bucketSeconds(span.to - span.from);
  const sql = canCount ? histogramSql(call, step) : null;
  if (sql !== null) {
    try {
      const counted = await server.call({ ...call, parameters: { ...call.parameters, sql } }, {}, signal);
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
