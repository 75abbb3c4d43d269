// What SQL may read: the fields of logs, and the sandbox's verdict on the SQL in the editor. Both come from dry runs.
import type { Server } from './api.ts';
import { endpointName, failureOf, fields, notice, query, server, verdict } from './state.ts';
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
