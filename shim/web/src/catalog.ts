// What SQL may read: the fields of logs, the sandbox's verdict on the SQL in the editor, and the columns of its rows, for conditions
// on them. All of them come from dry runs.
import type { Call, Server } from './api.ts';
import { quoted } from './sql_text.ts';
import { type Failure, endpointName, failureOf, fields, needsColumns, notice, server, setSourceColumns, source, sourceColumns, verdict, written } from './state.ts';
import { defaultLog } from './templates.ts';
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

const callFields = new WeakMap<Server, Map<string, Promise<FieldNode[]>>>();

// The columns of the rows of a call, by a dry run of its SQL; none for an endpoint's own query.
export function fieldsOfCall(call: Call): Promise<FieldNode[]> {
  const text = call.parameters['sql'] ?? '';
  if (text === '') return call.endpoint === 'logs.all' ? loadFields(defaultLog) : Promise.resolve([]);
  const known = callFields.get(server.value) ?? new Map<string, Promise<FieldNode[]>>();
  callFields.set(server.value, known);
  const key = `${call.endpoint}/${text}`;
  const reading = known.get(key) ?? server.value.dryRun(call.endpoint, text, new AbortController().signal)
    .then(({ result }) => (result ?? []).map((column) => readType(column.name, column.type)));
  known.set(key, reading);
  reading.catch(() => known.delete(key));
  const oldest = known.keys().next().value;
  if (known.size > 30 && oldest !== undefined) known.delete(oldest);
  return reading;
}

let checking: AbortController | null = null;

// What the sandbox would say of the SQL; nothing where there is none.
export async function check(): Promise<void> {
  checking?.abort();
  verdict.value = null;
  const text = written.value;
  if (text.trim() === '') return;
  checking = new AbortController();
  const { signal: stopped } = checking;
  try {
    const seen = await server.value.dryRun(endpointName.value, text, stopped);
    if (!stopped.aborted && text === written.value) verdict.value = seen;
  } catch (error) {
    if (!stopped.aborted) verdict.value = { allowed: false, message: failureOf(error).message };
  }
}

// Asks for the columns that the search adds its conditions to, unless they are known or not needed; what kept them from being read,
// or null.
export async function loadSource(needed = needsColumns.value): Promise<Failure | null> {
  const { key, sql: text, log: table } = source.value;
  if (!needed || sourceColumns.value[key] !== undefined) return null;
  try {
    const seen = await server.value.dryRun(endpointName.value, text ?? `select * from ${quoted(table)}`, new AbortController().signal);
    if (!seen.allowed) return { ...failureOf(seen.message ?? 'The SQL has an error; correct it first.'), status: 400 };
    setSourceColumns(key, (seen.result ?? []).map((column) => readType(column.name, column.type)));
    return null;
  } catch (error) {
    return failureOf(error);
  }
}
