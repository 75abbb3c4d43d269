// What of an answer to draw: the columns that can be an axis, values or lines, what somebody chose of them, and the choice that is
// made where nobody did.
import type { Answer, Column, Row } from './api.ts';
import { timeOf } from './time.ts';
import { isNumberType, isTimeType } from './types.ts';

export type ChartKind = 'line' | 'bar';

export interface ChartChoice {
  kind: ChartKind;
  axis: string;
  // The numbers that are drawn: several lines, or the bars of one.
  values: string[];
  // A column with a line, or a part of a bar, for each of its values; null: one for each of `values`.
  split: string | null;
}

export interface ChartFields {
  axes: Column[];
  values: Column[];
  splits: Column[];
}

export const mostSeries = 6;
export const mostCategories = 60;

const wordsOf = (name: string) => name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase().split(/[^a-z0-9]+/);

// Numbers that name something rather than measure it: a status, a port, an id.
const naming = new Set(['id', 'pid', 'uid', 'uuid', 'code', 'status', 'port', 'line', 'year', 'month', 'week', 'day', 'hour', 'minute', 'version', 'level']);
const counting = new Set(['n', 'count', 'counts', 'total', 'requests', 'rows', 'calls', 'errors', 'events', 'hits', 'invocations', 'logs', 'failed', 'number', 'num']);
const measuring = new Set(['avg', 'average', 'mean', 'median', 'min', 'max', 'ms', 'us', 'ns', 'seconds', 'time', 'duration', 'bytes', 'rate', 'ratio', 'percent', 'pct']);

// By the last word: `error_code` names, `code_errors` counts.
export const namesThings = (name: string) => naming.has(wordsOf(name).findLast((word) => word !== '') ?? '');

export function countsThings(name: string): boolean {
  const words = wordsOf(name);
  return words.some((word) => counting.has(word)) && !words.some((word) => measuring.has(word) || /^p\d+$/.test(word));
}

// ISO text in a column of that name is a time, too: format_timestamp writes it.
export function isTimeColumn(column: Column, rows: Row[]): boolean {
  if (isTimeType(column.type)) return true;
  if (column.type === 'INT64' || !/time|date|day|hour|minute|bucket/i.test(column.name)) return false;
  return rows.length > 0 && rows.every((row) => typeof row[column.name] === 'string' && timeOf(row[column.name]) !== null);
}

const isPlain = (column: Column) => ['STRING', 'BOOL', ''].includes(column.type) || isNumberType(column.type) || isTimeType(column.type);

// Null where nothing can be drawn: no number, a single row, or rows of a log, which have their histogram.
export function chartFields({ columns, rows, shape }: Answer): ChartFields | null {
  const values = columns.filter(({ type }) => isNumberType(type));
  const plain = columns.filter(isPlain);
  if (rows.length < 2 || values.length === 0 || plain.length < 2 || shape) return null;
  const times = plain.filter((column) => isTimeColumn(column, rows));
  const others = plain.filter((column) => !times.includes(column));
  return { axes: [...times, ...others], values, splits: others };
}

function repeats(rows: Row[], name: string): boolean {
  return new Set(rows.map((row) => row[name])).size < rows.length;
}

// Of categories, texts before numbers, and numbers that name before those that measure; of numbers alone the first is the category.
function categoryOf(fields: ChartFields): Column | undefined {
  const { splits } = fields;
  return splits.find(({ type }) => !isNumberType(type)) ?? splits.find(({ name }) => namesThings(name)) ?? splits.find(({ name }) => !countsThings(name)) ?? splits[0];
}

// Whether the rows are ordered by this number, the largest first: the query then is about it.
function descends(rows: Row[], name: string): boolean {
  const numbers = rows.map((row) => Number(row[name] ?? Number.NaN));
  return numbers.every((number, index) => index === 0 || number <= (numbers[index - 1] ?? number)) && (numbers[0] ?? 0) > (numbers.at(-1) ?? 0);
}

// Lines over a time, else bars by a category: of the number that the rows are ordered by, else of what counts, else of the first
// number that is no name. Null where only a choice makes sense of the rows.
export function defaultChoice(answer: Answer): ChartChoice | null {
  const fields = chartFields(answer);
  if (fields === null) return null;
  const { rows } = answer;
  const times = fields.axes.filter((column) => isTimeColumn(column, rows));
  // Rows that each have a name of their own and several times, the oldest and the newest say, have no time of the row.
  const named = times.length > 1 && fields.splits.some(({ name, type }) => type === 'STRING' && !repeats(rows, name));
  const time = named ? undefined : times[0];
  const category = categoryOf(fields);
  const split = time !== undefined && category !== undefined && repeats(rows, time.name) &&
    (!isNumberType(category.type) || namesThings(category.name)) ? category : undefined;
  const axis = time ?? category;
  if (axis === undefined || (time === undefined && rows.length > mostCategories)) return null;
  const left = fields.values.filter((column) => column !== axis && column !== split && !namesThings(column.name));
  const sorted = time === undefined ? left.filter(({ name }) => descends(rows, name)) : [];
  const counts = left.filter(({ name }) => countsThings(name));
  const chosen = sorted.length === 1 ? sorted : counts.length > 0 ? counts : left.slice(0, 1);
  if (chosen.length === 0) return null;
  const kind = time === undefined ? 'bar' : 'line';
  const most = kind === 'bar' || split !== undefined ? 1 : mostSeries;
  return { kind, axis: axis.name, values: chosen.slice(0, most).map(({ name }) => name), split: split?.name ?? null };
}

// Whether the columns of the choice are in the answer, so that it can be drawn.
export function fits(choice: ChartChoice, answer: Answer): boolean {
  if (answer.shape) return choice.axis === answer.shape.time && choice.values.join() === 'rows';
  const fields = chartFields(answer);
  if (fields === null) return false;
  const has = (columns: Column[], name: string) => columns.some((column) => column.name === name);
  return has(fields.axes, choice.axis) && choice.values.length > 0 && choice.values.every((name) => has(fields.values, name)) &&
    (choice.split === null || has(fields.splits, choice.split));
}

// The choice with one part changed, so that it stays one that can be drawn: bars, and what is split, show one number.
export function changed(choice: ChartChoice, part: Partial<ChartChoice>): ChartChoice {
  const next = { ...choice, ...part };
  if (next.split === next.axis) next.split = null;
  if (next.kind === 'bar' || next.split !== null) next.values = next.values.slice(0, 1);
  return next;
}
