// The histogram of log rows over time: the buckets that suit their range, and the counts as a chart, in parts by a status or a level.
import type { Answer, Call, Row, Server } from './api.ts';
import type { ChartData, Series } from './charts.ts';
import { type Split, extentSql, histogramSql, noPart, orderParts, partOfRow, termOfPart, textOf, topValues, topValuesSql } from './counting.ts';
import type { Term } from './search.ts';
import { type Bounds, bucketSeconds, endOfSpan, startCut, timeOf } from './time.ts';
import { counted } from './values.ts';

interface Span {
  from: number;
  to: number;
}

type Ask = (sql: string) => Promise<Answer>;

const secondsOf = (value: unknown) => (timeOf(value) ?? Number.NaN) / 1000;

// When the first and the last row were, in seconds since 1970: of all rows of the query, where the server can be asked, else of
// those that are there, which may be the newest alone.
async function extentOf(answer: Answer, call: Call, time: string, ask: Ask | null): Promise<Span | null> {
  const sql = extentSql(call, time);
  if (sql !== null && ask !== null) {
    try {
      const { rows } = await ask(sql);
      const [from, to] = [secondsOf(rows[0]?.['first']), secondsOf(rows[0]?.['last'])];
      if (from <= to) return { from, to };
    } catch {
      // SQL that cannot be asked this way: the rows that are there have an extent, too. What was aborted ends with the next request.
    }
  }
  return rowsExtent(answer, time);
}

function rowsExtent(answer: Answer, time: string): Span | null {
  const times = answer.rows.map((row) => secondsOf(row[time])).filter((at) => !Number.isNaN(at));
  if (times.length === 0) return null;
  return { from: times.reduce((least, at) => Math.min(least, at)), to: times.reduce((most, at) => Math.max(most, at)) };
}

// The window that applied; where it has no start, from the first row on.
async function spanOf(answer: Answer, call: Call, time: string, window: Bounds, ask: Ask | null): Promise<Span | null> {
  const now = answer.asked / 1000;
  const from = window.from === null ? null : Date.parse(window.from) / 1000;
  const to = window.to === null ? null : Date.parse(window.to) / 1000;
  const rows = from === null ? await extentOf(answer, call, time, ask) : rowsExtent(answer, time);
  if (rows === null) return null;
  const span = { from: from ?? rows.from, to: to ?? (from === null ? endOfSpan(rows.from, rows.to, now) : Math.max(now, rows.to)) };
  return span.to >= span.from ? span : null;
}

interface Counts {
  // By part, the rows of each bucket; a single part without a name is all rows.
  parts: Map<string, Map<number, number>>;
  split: Split | null;
}

const sumOf = (counts: Map<number, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0);

function termOf(split: Split, part: string): { term?: Term } {
  const term = termOfPart(split, part);
  return term === null ? {} : { term };
}

function seriesOf({ parts, split }: Counts, x: number[]): Series[] {
  const valuesOf = (counts: Map<number, number>) => x.map((start) => counts.get(start) ?? 0);
  if (split === null) return [{ label: 'rows', values: valuesOf(parts.get('') ?? new Map()) }];
  const ordered = orderParts(split.kind, new Map([...parts].map(([part, counts]) => [part, sumOf(counts)])));
  return ordered.map(({ part, tone }) => ({ ...termOf(split, part), label: part === noPart ? 'none' : part === '' ? '""' : part, values: valuesOf(parts.get(part) ?? new Map()), ...(tone === null ? {} : { tone }) }));
}

function bucketed(span: Span, step: number, time: string, counts: Counts, title: string): ChartData {
  const x: number[] = [];
  for (let start = Math.floor(span.from / step) * step; start <= span.to; start += step) x.push(start);
  const series = seriesOf(counts, x);
  const by = counts.split === null ? '' : ` by ${counts.split.path.at(-1)?.name ?? ''}`;
  return { kind: 'bar', x, categories: null, axis: time, series, bucket: step, stacked: series.length > 1, title: `${title}${by}, a bar is ${widthOf(step)}` };
}

const units: [number, string][] = [[86400, 'day'], [3600, 'hour'], [60, 'minute'], [1, 'second']];

// "10 minutes", as the title says how wide a bar is.
function widthOf(step: number): string {
  const [seconds, unit] = units.find(([size]) => step % size === 0) ?? [1, 'second'];
  return step === seconds ? `a${unit === 'hour' ? 'n' : ''} ${unit}` : `${step / seconds} ${unit}s`;
}

async function withTopValues(split: Split | null, call: Call, ask: Ask): Promise<Split | null> {
  const sql = split?.kind === 'value' ? topValuesSql(call, split.path) : null;
  if (split === null || sql === null) return split;
  const { rows } = await ask(sql);
  return { ...split, values: rows.flatMap(({ value }) => (value === null ? [] : [String(value)])) };
}

async function countAll(call: Call, time: string, step: number, wanted: Split | null, ask: Ask): Promise<Counts | null> {
  const split = await withTopValues(wanted, call, ask);
  const sql = histogramSql(call, time, step, split);
  if (sql === null) return null;
  const answer = await ask(sql);
  // Buckets that an endpoint's limit of rows cut off would be drawn as empty ones.
  if (answer.truncated) return split === null ? null : countAll(call, time, step, null, ask);
  const parts = new Map<string, Map<number, number>>();
  for (const row of answer.rows) {
    const part = split === null ? '' : row['part'] === undefined || row['part'] === null ? noPart : String(row['part']);
    const counts = parts.get(part) ?? new Map<number, number>();
    parts.set(part, counts.set((timeOf(row['bucket']) ?? 0) / 1000, Number(row['n'])));
  }
  return { parts, split };
}

// The parameters that bound the time of a call.
export interface RangeNames {
  start: string;
  end: string;
}

interface Before {
  counts: Map<number, number>;
  // Where the server read only a part of the range before: when that begins, as a place of the chart; null: it read all of it.
  from: number | null;
  shift: number;
}

// The rows of the range before, in buckets of the same width, at the places of those that are compared with them.
async function countBefore(call: Call, time: string, span: Span, step: number, names: RangeNames, ask: (call: Call, sql: string) => Promise<Answer>): Promise<Before | null> {
  const sql = histogramSql(call, time, step, null);
  if (sql === null) return null;
  const shift = Math.ceil((span.to - span.from) / step) * step;
  const at = (seconds: number) => new Date((seconds - shift) * 1000).toISOString();
  const { rows, truncated, window } = await ask({ ...call, parameters: { ...call.parameters, [names.start]: at(span.from), [names.end]: at(span.to) } }, sql);
  const cut = startCut(window ?? null);
  return truncated ? null : { counts: new Map(rows.map((row) => [(timeOf(row['bucket']) ?? 0) / 1000 + shift, Number(row['n'])])), from: cut === null ? null : cut / 1000 + shift, shift };
}

// Buckets that lie before what is kept, wholly or in part, have no count: none was read.
function compared(chart: ChartData, { counts, from, shift }: Before, span: Span): ChartData {
  if (from === null) return { ...chart, before: chart.x.map((start) => counts.get(start) ?? 0), rowsBefore: { rows: sumOf(counts), keptFrom: null } };
  if (from >= span.to) return { ...chart, rowsBefore: { rows: null, keptFrom: from - shift } };
  return { ...chart, before: chart.x.map((start) => (start < from ? null : (counts.get(start) ?? 0))), rowsBefore: { rows: sumOf(counts), keptFrom: from - shift } };
}

export async function histogramOf(
  answer: Answer, call: Call, canCount: boolean, window: Bounds, server: Pick<Server, 'call'>, signal: AbortSignal, split: Split | null = null,
  compare: RangeNames | null = null,
): Promise<ChartData | null> {
  const time = answer.shape?.time;
  if (time === undefined) return null;
  const ask: Ask | null = canCount ? (sql) => server.call({ ...call, parameters: { ...call.parameters, sql } }, {}, signal) : null;
  const span = await spanOf(answer, call, time, window, ask);
  if (span === null) return null;
  const step = bucketSeconds(span.to - span.from);
  if (ask !== null) {
    try {
      const counts = await countAll(call, time, step, split, ask);
      const total = [...(counts?.parts.values() ?? [])].reduce((sum, part) => sum + sumOf(part), 0);
      if (counts !== null) {
        const chart = bucketed(span, step, time, counts, counted(total, 'row'));
        const before = compare === null || window.from === null ? null
          : await countBefore(call, time, span, step, compare, (of, sql) => server.call({ ...of, parameters: { ...of.parameters, sql } }, {}, signal));
        return before === null ? chart : compared(chart, before, span);
      }
    } catch (error) {
      if (signal.aborted) throw error;
      // SQL whose rows cannot be counted this way, one that ends in a pipe say: the rows that are there are counted instead.
    }
  }
  return bucketed(span, step, time, countShown(answer.rows, time, step, split), `${counted(answer.rows.length, 'row')} that ${answer.rows.length === 1 ? 'is' : 'are'} shown`);
}

// Counts the rows that are there, in the parts that the server would count them in.
function countShown(rows: Row[], time: string, step: number, wanted: Split | null): Counts {
  const split = wanted === null ? null : withTopOf(rows, wanted);
  const partsOf = rows.map((row) => (split === null ? '' : partOfRow(row, split)));
  // Rows that all lack the field have no parts.
  const isWhole = partsOf.every((part) => part === noPart);
  const parts = new Map<string, Map<number, number>>();
  rows.forEach((row, at) => {
    const part = isWhole ? '' : (partsOf[at] ?? '');
    const start = Math.floor((timeOf(row[time]) ?? 0) / 1000 / step) * step;
    const counts = parts.get(part) ?? new Map<number, number>();
    parts.set(part, counts.set(start, (counts.get(start) ?? 0) + 1));
  });
  return { parts, split: isWhole ? null : split };
}

function withTopOf(rows: Row[], split: Split): Split {
  return split.kind === 'value' ? { ...split, values: topValues(rows.map((row) => textOf(row, split))) } : split;
}
