// The rows that are on screen as a file, CSV or NDJSON: made here, so that the file has the rows, the order and, if wanted, the
// columns of the table, and no query runs again.
import type { Column, Row } from './api.ts';
import { copyText, isInstant } from './values.ts';

export type Format = 'csv' | 'ndjson';

// As RFC 4180 has it. NULL is an empty field and an empty text is ""; text that a spreadsheet would read as a formula gets an
// apostrophe in front.
function csvField(column: Column, value: unknown): string {
  if (value === null || value === undefined) return '';
  const nested = typeof value === 'object';
  const text = nested ? JSON.stringify(value) : isInstant(column, value) ? copyText(column, value) : String(value);
  const isText = nested || column.type === 'STRING' || column.type === 'JSON' || column.type === '';
  const safe = isText && typeof value !== 'number' && /^[=+\-@]/.test(text) ? `'${text}` : text;
  return text === '' || /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function csv(columns: Column[], rows: Row[]): string {
  const name = (column: Column) => csvField({ name: '', type: 'STRING' }, column.name);
  const lines = [columns.map(name), ...rows.map((row) => columns.map((column) => csvField(column, row[column.name])))];
  return lines.map((line) => line.join(',') + '\r\n').join('');
}

// Integers that JavaScript cannot hold are there as text, and are numbers again in the file.
function jsonValue({ type }: Column, value: unknown): string {
  if (type === 'INT64' && typeof value === 'string' && /^-?\d+$/.test(value)) return value;
  return JSON.stringify(value ?? null);
}

function ndjson(columns: Column[], rows: Row[]): string {
  return rows.map((row) => `{${columns.map((column) => `${JSON.stringify(column.name)}:${jsonValue(column, row[column.name])}`).join(',')}}\n`).join('');
}

export function fileText(format: Format, columns: Column[], rows: Row[]): string {
  return format === 'csv' ? csv(columns, rows) : ndjson(columns, rows);
}

export function saveFile(name: string, format: Format, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: format === 'csv' ? 'text/csv' : 'application/x-ndjson' }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  window.setTimeout(() => URL.revokeObjectURL(url), 1000);
}
