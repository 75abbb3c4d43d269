// Which answers are rows of a log, and what their time, message and id are called: those of the built-in logs, and of logs of one's own.
import type { Column } from './api.ts';
import { countsThings } from './chart_choice.ts';
import { plainTable } from './sql_text.ts';
import { isLogRows } from './values.ts';

export interface LogShape {
  time: string;
  message: string | null;
  id: string | null;
}

const messages = ['event_message', 'message', 'msg', 'body', 'text', 'log'];

// The column with the text of a row, by the names that such columns have.
export function namedMessage<T extends { name: string; type: string }>(columns: T[]): T | null {
  for (const name of messages) {
    const found = columns.find((column) => column.name.toLowerCase() === name && column.type === 'STRING');
    if (found !== undefined) return found;
  }
  return null;
}

// Null for what is computed from rows, such as counts. Without SQL the rows are those of the endpoint's own query.
export function shapeOf(columns: Column[], sql: string): LogShape | null {
  const has = (name: string) => columns.some((column) => column.name === name);
  const id = has('id') ? 'id' : null;
  if (isLogRows(columns)) return { time: 'timestamp', message: 'event_message', id };
  const times = columns.filter(({ type }) => type === 'TIMESTAMP');
  const time = times.find(({ name }) => name === 'timestamp') ?? times[0];
  const plain = sql.trim() === '' ? null : plainTable(sql);
  const message = namedMessage(columns)?.name ?? null;
  // A row for each log, with a count beside its name, is no row of a log.
  if (message?.toLowerCase() === 'log' && plain?.all !== true && columns.some(({ name, type }) => type === 'INT64' && countsThings(name))) return null;
  if (time === undefined || (message === null && plain?.all !== true)) return null;
  return { time: time.name, message, id };
}
