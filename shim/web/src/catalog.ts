// What SQL may read: the fields of logs, the sandbox's verdict on the SQL in the editor, and the columns of its rows, for one more
// condition on them. All of them come from dry runs.
import type { Server } from './api.ts';
import { conditionFor, pathTo } from './conditions.ts';
import { defaultLog } from './histogram.ts';
import { withCondition } from './sql_text.ts';
import { endpointName, failureOf, fields, insertion, notice, query, server, setSql, sql, takesSql, verdict } from './state.ts';
import { templateForRows } from './templates.ts';
import { type FieldNode, readType } from './types.ts';

// By the server as one token sees it: another token asks anew.
const asked = new WeakMap<Server, Map<string, Promise<FieldNode[]>>>();

// A log's fields, asked for once by a dry run of a query for all of it.
export function loadFields(table: string): Promise<FieldNode[]> {
  const key = fieldsKey(endpointName.value, table);
  const known = asked.get(server.value) ?? new Map<string, Promise<FieldNode[]>>();
  asked.set(server.value, known);
  let reading = known.get(key);
  if (reading === undefined) {
    reading = readFields(endpointName.value, table, key);
    known.set(key, reading);
  }
  return reading;
}

async function readFields(of: string, table: string, key: string): Promise<FieldNode[]> {
  try {
    const seen = await server.value.dryRun(of, 'select * from `' + table + '`', new AbortController().signal);
    const read = (seen.result ?? []).map((column) => readType(column.name, column.type));
    fields.value = { ...fields.value, [key]: read };
    return read;
  } catch (error) {
    asked.get(server.value)?.delete(key);
    notice.value = `The fields of ${table} could not be read: ${failureOf(error).message}`;
    return [];
  }
}

export const fieldsKey = (of: string, table: string) => `${of}/${table}`;

let checking: AbortController | null = null;

// What the sandbox would say of the SQL; nothing where there is none.
export async function check(): Promise<void> {
  checking?.abort();
  verdict.value = null;
  const text = query.value.sql;
  if (text.trim() === '') return;
  checking = new AbortController();
  const { signal: stopped } = checking;
  try {
    const seen = await server.value.dryRun(endpointName.value, text, stopped);
    if (!stopped.aborted && text === query.value.sql) verdict.value = seen;
  } catch (error) {
    if (!stopped.aborted) verdict.value = { allowed: false, message: failureOf(error).message };
  }
}

// Whether a condition on the rows can be written: SQL has to say which rows they are.
export const canFilter = () => takesSql.value && (sql.value.trim() !== '' || endpointName.value === 'logs.all');

// Writes into the editor that rows must have this value in the field that the names lead to, or, not `keeps`, must not.
export async function addCondition(names: string[], value: unknown, keeps: boolean): Promise<void> {
  const of = endpointName.value;
  const given = sql.value;
  const field = names.join('.');
  try {
    const base = given.trim() === '' ? templateForRows(defaultLog, await loadFields(defaultLog)) : given;
    const seen = await server.value.dryRun(of, base, new AbortController().signal);
    if (of !== endpointName.value || given !== sql.value) return;
    const columns = (seen.result ?? []).map((column) => readType(column.name, column.type));
    const path = pathTo(columns, names);
    if (path === null) return void (notice.value = seen.allowed ? `The SQL in the editor has no column ${field}` : 'The SQL in the editor has an error; correct it first');
    const condition = conditionFor(path, value, keeps);
    const text = condition === null ? null : withCondition(base, condition, columns.map(({ name }) => name));
    if (text === null) return void (notice.value = condition === null ? `SQL cannot write this value of ${field}` : 'The LIMIT is in the middle of the SQL: write the condition before it');
    setSql(text);
    insertion.value = { text, replace: true };
    notice.value = `The SQL now ${keeps ? 'asks for' : 'leaves out'} this ${field}. Run it to see the rows.`;
  } catch (error) {
    notice.value = `The columns of the SQL could not be read: ${failureOf(error).message}`;
  }
}
