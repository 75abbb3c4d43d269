// An answer as a chart, by what was chosen to be drawn: data only, no drawing.
import type { Answer, Row } from './api.ts';
import { type ChartChoice, type ChartKind, countsThings, fits, isTimeColumn, mostCategories, mostSeries } from './chart_choice.ts';
import type { Shade } from './counting.ts';
import { bucketOf, leavesOut } from './sql_text.ts';
import type { Term } from './search.ts';
import { type Bounds, endOfSpan, timeOf, timeText } from './time.ts';
import { counted } from './values.ts';

export interface Series {
  label: string;
  values: (number | null)[];
  // How bad what it counts is; without it, it has a colour of the palette.
  tone?: Shade;
  // Returns the filter that keeps the rows of a part of a histogram; the field is named by its whole path.
  term?: Term;
}

export interface ChartData {
  kind: ChartKind;
  // Of a chart over time: seconds since 1970, ascending. Otherwise the places of the categories.
  x: number[];
  categories: string[] | null;
  axis: string;
  series: Series[];
  // Of a histogram: the width of a bucket, and what was counted.
  bucket: number | null;
  // The series are parts of one bar.
  stacked: boolean;
  // The rows in each bucket of the range before, for a histogram that is compared; null where that is not kept.
  before?: (number | null)[];
  // The number of these rows, and since when they are kept, if that is later than the start of the range before. No rows: all of it is
  // outside of what is kept.
  rowsBefore?: { rows: number | null; keptFrom: number | null };
  title: string;
}

export const colours = 6;

// The colour of a series, from 1 on. The named parts of a histogram lie below all others, the most frequent one at the bottom.
export function colourOf({ bucket, series }: ChartData, index: number): number {
  return ((bucket === null ? index : series.length - 1 - index) % colours) + 1;
}

// The title's words about the range before.
export function beforeText({ rowsBefore }: ChartData, utc: boolean): string {
  if (rowsBefore === undefined) return '';
  const { rows, keptFrom } = rowsBefore;
  const kept = keptFrom === null ? '' : timeText(keptFrom * 1000, utc).slice(0, 16);
  if (rows === null) return `; the range before lies outside of what is kept for this tier, which begins ${kept}`;
  return `; ${counted(rows, 'row')} in the range before${kept === '' ? '' : `, of which this tier keeps only what is later than ${kept}`}`;
}

// What decides which times a chart has beside those of the rows: a time without a row is one at which nothing was counted.
export interface Context {
  window: Bounds;
  sql: string;
}

const numberOf = (value: unknown): number | null => {
  if (value === null || value === undefined || value === '' || typeof value === 'object') return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
};

const textOf = (value: unknown) => (value === null || value === undefined ? 'NULL' : String(value));

const secondsOf = (row: Row, name: string) => (timeOf(row[name]) ?? 0) / 1000;

// What a time or a group without a row counts: 0. Of a mean or a maximum it has none.
const absentValue = (name: string) => (countsThings(name) ? 0 : null);

// One line for each value of `split`, the largest ones: at each place of the axis, what its row says.
function splitSeries(rows: Row[], places: unknown[], placeOf: (row: Row) => unknown, value: string, split: string): { series: Series[]; of: number } {
  const at = new Map(places.map((place, index) => [place, index]));
  const lines = new Map<string, { sum: number; values: (number | null)[] }>();
  const absent = absentValue(value);
  for (const row of rows) {
    const label = textOf(row[split]);
    const line = lines.get(label) ?? { sum: 0, values: places.map(() => absent) };
    const number = numberOf(row[value]);
    const index = at.get(placeOf(row));
    if (index !== undefined) line.values[index] = number;
    line.sum += Math.abs(number ?? 0);
    lines.set(label, line);
  }
  const largest = [...lines].sort(([, left], [, right]) => right.sum - left.sum).slice(0, mostSeries);
  return { series: largest.map(([label, { values }]) => ({ label, values })), of: lines.size };
}

// Of more than these, none is added: the rows are then no buckets, or far apart.
const mostPlaces = 3000;

// The distance of the buckets that these ascending times begin: the one that the SQL names, else the least gap, if all gaps are
// multiples of it. Null where the times are not spaced that way.
function spacing(times: number[], sql: string): number | null {
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at));
  const divides = (step: number | null) => step !== null && step >= 1 && Number.isInteger(step) && gaps.every((gap) => gap % step === 0);
  const named = bucketOf(sql);
  if (divides(named)) return named;
  const least = gaps.length === 0 ? null : Math.min(...gaps);
  return divides(least) ? least : null;
}

const isOrdered = (numbers: number[]) => [1, -1].some((sign) => numbers.every((number, at) => at === 0 || sign * (number - (numbers[at - 1] ?? number)) >= 0));

// The times of the rows, which ascend, with those between them and in the window that have no row because nothing was counted.
function places(times: number[], answer: Answer, axis: string, { window, sql }: Context): number[] {
  const [first, last] = [times[0], times.at(-1)];
  const step = spacing(times, sql);
  const left = leavesOut(sql, answer.rows.length);
  const lacking = left === 'none' && (answer.truncated || answer.cursor !== null) ? 'the rest' : left;
  if (first === undefined || last === undefined || step === null || lacking === 'any') return times;
  // The first rows by another order than that of time lack any time.
  if (lacking === 'the rest' && !isOrdered(answer.rows.map((row) => secondsOf(row, axis)))) return times;
  const seconds = (end: string | null) => (end === null ? null : Date.parse(end) / 1000);
  const from = seconds(window.from) ?? first;
  // A range that was asked for goes on until now, however long the silence: it may be an outage.
  const now = answer.asked / 1000;
  const to = seconds(window.to) ?? (window.from === null ? endOfSpan(from, last, now) : Math.max(now, last));
  // Times outside of the window are others than those that it bounds.
  const spans = lacking === 'none' && first > from - step && last <= to;
  const begin = spans ? first - Math.max(0, Math.ceil((first - from) / step)) * step : first;
  const end = spans ? to : last;
  if ((end - begin) / step > mostPlaces) return times;
  return Array.from({ length: Math.floor((end - begin) / step) + 1 }, (_, index) => begin + index * step);
}

function overTime(answer: Answer, choice: ChartChoice, context: Context | null): ChartData {
  const { axis, kind, split, values } = choice;
  const rows = answer.rows.filter((row) => timeOf(row[axis]) !== null).toSorted((left, right) => secondsOf(left, axis) - secondsOf(right, axis));
  const shared = { kind, categories: null, axis, bucket: null, stacked: kind === 'bar' && split !== null };
  const times = [...new Set(rows.map((row) => secondsOf(row, axis)))];
  // A chart has one value at a time: of rows that share one, each is drawn where it is.
  const fills = context !== null && values.some(countsThings) && (split !== null || times.length === rows.length);
  const x = fills ? places(times, answer, axis, context) : null;
  if (split === null) {
    const title = `${values.join(', ')} over ${axis}`;
    if (x === null) return { ...shared, x: rows.map((row) => secondsOf(row, axis)), series: values.map((name) => ({ label: name, values: rows.map((row) => numberOf(row[name])) })), title };
    const at = new Map(rows.map((row) => [secondsOf(row, axis), row]));
    const valueAt = (time: number, name: string) => {
      const row = at.get(time);
      return row === undefined ? absentValue(name) : numberOf(row[name]);
    };
    return { ...shared, x, series: values.map((name) => ({ label: name, values: x.map((time) => valueAt(time, name)) })), title };
  }
  const { series, of } = splitSeries(rows, x ?? times, (row) => secondsOf(row, axis), values[0] ?? '', split);
  return { ...shared, x: x ?? times, series, title: `${values[0]} over ${axis} by ${split}${largestOf(series.length, of)}` };
}

const largestOf = (shown: number, all: number) => (shown < all ? `, the ${shown} largest of ${all}` : '');

// The axis, and where its values repeat the next text beside it: a path and its methods, say.
function labelColumns({ columns, rows }: Answer, axis: string): string[] {
  if (new Set(rows.map((row) => row[axis])).size === rows.length) return [axis];
  const other = columns.find(({ name, type }) => name !== axis && type === 'STRING');
  return other === undefined ? [axis] : [axis, other.name];
}

function byCategory(answer: Answer, choice: ChartChoice): ChartData {
  const { axis, kind, split, values } = choice;
  const rows = answer.rows.slice(0, mostCategories);
  const cut = rows.length < answer.rows.length ? `, the first ${rows.length} of ${answer.rows.length} rows` : '';
  const shared = { kind, axis, bucket: null, stacked: kind === 'bar' && split !== null };
  if (split !== null) {
    const categories = [...new Set(rows.map((row) => textOf(row[axis])))];
    const { series, of } = splitSeries(rows, categories, (row) => textOf(row[axis]), values[0] ?? '', split);
    return { ...shared, x: categories.map((_, index) => index), categories, series, title: `${values[0]} by ${axis} and ${split}${largestOf(series.length, of)}${cut}` };
  }
  const series = values.map((name) => ({ label: name, values: rows.map((row) => numberOf(row[name])) }));
  const names = labelColumns(answer, axis);
  const categories = rows.map((row) => names.map((name) => textOf(row[name])).join(' '));
  return { ...shared, x: rows.map((_, index) => index), categories, series, title: `${values.join(', ')} by ${names.join(' and ')}${cut}` };
}

// Null where the rows have not the columns of the choice. Without a context, no time is added to those of the rows.
export function chartOf(answer: Answer, choice: ChartChoice | null, context: Context | null = null): ChartData | null {
  if (choice === null || !fits(choice, answer)) return null;
  const axis = answer.columns.find(({ name }) => name === choice.axis);
  return axis !== undefined && isTimeColumn(axis, answer.rows) ? overTime(answer, choice, context) : byCategory(answer, choice);
}
