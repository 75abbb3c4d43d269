// An answer as a chart, by what was chosen to be drawn: data only, no drawing.
import type { Answer, Row } from './api.ts';
import { type ChartChoice, type ChartKind, countsThings, fits, isTimeColumn, mostCategories, mostSeries } from './chart_choice.ts';
import { timeOf } from './time.ts';

export interface Series {
  label: string;
  values: (number | null)[];
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
  title: string;
}

const numberOf = (value: unknown): number | null => {
  if (value === null || value === undefined || value === '' || typeof value === 'object') return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
};

const textOf = (value: unknown) => (value === null || value === undefined ? 'NULL' : String(value));

const secondsOf = (row: Row, name: string) => (timeOf(row[name]) ?? 0) / 1000;

// One line for each value of `split`, the largest ones: at each place of the axis, what its row says. Groups without rows have no
// row in a count of them: that is 0.
function splitSeries(rows: Row[], places: unknown[], placeOf: (row: Row) => unknown, value: string, split: string): { series: Series[]; of: number } {
  const at = new Map(places.map((place, index) => [place, index]));
  const lines = new Map<string, { sum: number; values: (number | null)[] }>();
  const absent = countsThings(value) ? 0 : null;
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

function overTime(answer: Answer, choice: ChartChoice): ChartData {
  const { axis, kind, split, values } = choice;
  const rows = answer.rows.filter((row) => timeOf(row[axis]) !== null).toSorted((left, right) => secondsOf(left, axis) - secondsOf(right, axis));
  const shared = { kind, categories: null, axis, bucket: null, stacked: kind === 'bar' && split !== null };
  if (split === null) {
    const series = values.map((name) => ({ label: name, values: rows.map((row) => numberOf(row[name])) }));
    return { ...shared, x: rows.map((row) => secondsOf(row, axis)), series, title: `${values.join(', ')} over ${axis}` };
  }
  const x = [...new Set(rows.map((row) => secondsOf(row, axis)))];
  const { series, of } = splitSeries(rows, x, (row) => secondsOf(row, axis), values[0] ?? '', split);
  return { ...shared, x, series, title: `${values[0]} over ${axis} by ${split}${largestOf(series.length, of)}` };
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

// Null where the rows have not the columns of the choice.
export function chartOf(answer: Answer, choice: ChartChoice | null): ChartData | null {
  if (choice === null || !fits(choice, answer)) return null;
  const axis = answer.columns.find(({ name }) => name === choice.axis);
  return axis !== undefined && isTimeColumn(axis, answer.rows) ? overTime(answer, choice) : byCategory(answer, choice);
}
