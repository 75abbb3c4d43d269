// Which logs have rows: those of the endpoint that is open, and the own logs of the server, which its endpoint my.logs counts.
import type { Call } from './api.ts';
import { quoted } from './sql_text.ts';
import { endpoints, server } from './state.ts';
import { timeOf } from './time.ts';

export const ownLogs = 'my.logs';

export interface LogWithRows {
  endpoint: string;
  log: string;
  rows: number;
  // When its newest row was, in milliseconds since 1970; null where only rows of the time range were counted.
  newest: number | null;
}

const signalOf = (signal?: AbortSignal) => signal ?? new AbortController().signal;

// The own logs with rows, the one with the newest row first. Without SQL, my.logs answers with a row for each log.
export async function ownLogsWithRows(project: string | undefined, signal?: AbortSignal): Promise<LogWithRows[]> {
  const known = endpoints.value.find(({ name }) => name === ownLogs);
  if (known === undefined) return [];
  const { rows } = await server.value.call({ endpoint: ownLogs, parameters: project === undefined ? {} : { project }, redact: false }, {}, signalOf(signal));
  return rows.map((row) => ({ endpoint: ownLogs, log: String(row['log']), rows: Number(row['row_count']), newest: timeOf(row['newest']) }))
    .filter(({ log, rows: count }) => count > 0 && known.tables?.includes(log) === true)
    .sort((left, right) => (right.newest ?? 0) - (left.newest ?? 0));
}

// The logs of the call's endpoint that have rows for its parameters, the one with the most first.
async function logsOfEndpoint(call: Call, signal?: AbortSignal): Promise<LogWithRows[]> {
  const of = endpoints.value.find(({ name }) => name === call.endpoint);
  const tables = of?.tables ?? [];
  if (of === undefined || !of.settings.query_sandboxing || of.settings.language === 'clickhouse' || tables.length < 2) return [];
  const sql = tables.map((table, at) => `select ${at} as place, count(*) as n from ${quoted(table)}`).join('\nunion all\n');
  const { rows } = await server.value.call({ ...call, parameters: { ...call.parameters, sql } }, {}, signalOf(signal));
  return rows.map((row) => ({ endpoint: call.endpoint, log: tables[Number(row['place'])] ?? '', rows: Number(row['n']), newest: null }))
    .filter(({ rows: count }) => count > 0).sort((left, right) => right.rows - left.rows);
}

// The logs that have rows where a call has none, without the log that it asked.
export async function logsWithRows(call: Call, asked: string, signal?: AbortSignal): Promise<LogWithRows[]> {
  const nothing = () => [];
  const here = call.endpoint === ownLogs ? [] : await logsOfEndpoint(call, signal).catch(nothing);
  const own = await ownLogsWithRows(call.parameters['project'], signal).catch(nothing);
  return [...here, ...own].filter(({ endpoint, log }) => endpoint !== call.endpoint || log !== asked);
}
