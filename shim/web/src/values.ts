// How values of rows read: in a cell, in a detail, on the clipboard, and in which order they sort.
import type { Column, Row } from './api.ts';
import { timeOf, timeText } from './time.ts';

// A TIMESTAMP travels as microseconds since 1970.
export function isInstant(column: Column, value: unknown): boolean {
  return (column.type === 'TIMESTAMP' || (column.type === '' && column.name === 'timestamp')) && timeOf(value) !== null;
}

export function cellText(column: Column, value: unknown, utc: boolean): string {
  if (value === null || value === undefined) return 'NULL';
  if (isInstant(column, value)) return timeText(timeOf(value) ?? Number.NaN, utc).replace(/\.000$/, '');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

// What a copy of a cell holds: the value itself, and of an instant the ISO form.
export function copyText(column: Column, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (isInstant(column, value)) return isoMicros(value);
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}

function isoMicros(value: unknown): string {
  const micros = String(value);
  if (!/^\d{16}$/.test(micros)) return new Date(timeOf(value) ?? Number.NaN).toISOString();
  return `${new Date(Number(micros.slice(0, 13))).toISOString().slice(0, 23)}${micros.slice(13)}Z`;
}

const collator = new Intl.Collator(undefined, { numeric: false });

// NULL goes last in ascending order; numbers, also those that travel as text, by value.
export function compareValues(column: Column, left: unknown, right: unknown): number {
  const empty = (value: unknown) => value === null || value === undefined;
  if (empty(left) || empty(right)) return Number(empty(left)) - Number(empty(right));
  const numeric = ['INT64', 'FLOAT64', 'NUMERIC', 'BIGNUMERIC', 'TIMESTAMP'].includes(column.type);
  if (numeric || (typeof left === 'number' && typeof right === 'number')) {
    const difference = Number(left) - Number(right);
    if (!Number.isNaN(difference)) return difference;
  }
  if (typeof left === 'object' || typeof right === 'object') {
    return collator.compare(JSON.stringify(left), JSON.stringify(right));
  }
  return collator.compare(String(left), String(right));
}

export function sortRows<C extends Column>(rows: Row[], column: C, descending: boolean, valueOf = (row: Row, { name }: C): unknown => row[name]): Row[] {
  const sign = descending ? -1 : 1;
  return rows.toSorted((left, right) => sign * compareValues(column, valueOf(left, column), valueOf(right, column)));
}

// Records travel as a list of one: in a detail they stand as the record itself.
export function unwrap(value: unknown): unknown {
  if (Array.isArray(value) && value.length === 1 && typeof value[0] === 'object' && value[0] !== null) return value[0];
  return value;
}

// Rows of a log, which are shown with their time and message first.
export function isLogRows(columns: Column[]): boolean {
  const has = (name: string) => columns.some((column) => column.name === name);
  return has('timestamp') && has('event_message');
}

// "1 row", "2,000 rows".
export const counted = (number: number, what: string) => `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`;

export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

export function millisecondsText(milliseconds: number): string {
  if (milliseconds >= 10000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return milliseconds >= 10 ? `${Math.round(milliseconds)} ms` : `${milliseconds.toFixed(1)} ms`;
}
