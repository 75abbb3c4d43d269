// How bad a row is, by its status or its level: a tone, which colours it, and the text that says the same without a colour.
import type { Row } from './api.ts';
import { unwrap } from './values.ts';

export type Tone = 'error' | 'warn' | 'ok' | 'info' | 'none';

export interface Mark {
  text: string;
  tone: Tone;
}

export function toneOfStatus(text: string): Tone {
  const status = /^[1-5]\d\d$/.test(text) ? Number(text[0]) : 0;
  return (['none', 'none', 'ok', 'info', 'warn', 'error'] as const)[status] ?? 'none';
}

export function toneOfLevel(text: string): Tone {
  const level = text.toLowerCase();
  if (/^(err|error|fatal|panic|emerg|alert|crit|severe)/.test(level)) return 'error';
  if (/^warn/.test(level)) return 'warn';
  return /^(info|notice|log)/.test(level) ? 'info' : 'none';
}

export const statuses = ['status_code', 'status', 'statuscode', 'http_status', 'response_status'];
export const levels = ['level', 'error_severity', 'severity', 'severity_text', 'log_level', 'loglevel', 'lvl'];

// What a name says that its values are.
export function markKind(name: string): 'status' | 'level' | null {
  const text = name.toLowerCase();
  return statuses.includes(text) ? 'status' : levels.includes(text) ? 'level' : null;
}

// The mark of a value in a field of this name; null for one that says nothing of how bad the row is.
export function markOf(name: string, value: unknown): Mark | null {
  const kind = markKind(name);
  if (kind === null || (typeof value !== 'string' && typeof value !== 'number') || value === '') return null;
  const text = String(value);
  if (kind === 'status' && toneOfStatus(text) !== 'none') return { text, tone: toneOfStatus(text) };
  const tone = toneOfLevel(text);
  return text.length > 16 || (kind === 'status' && tone === 'none') ? null : { text, tone };
}

// Rows that were looked at: those of the live tail come again with every look.
const statusOf = new WeakMap<Row, string[] | null>();
const levelOf = new WeakMap<Row, string[] | null>();

// The names that lead to a row's status, else to its level: the outermost field that one of these rows has. The newest may all lack it.
export function markPath(rows: Row[]): string[] | null {
  for (const [names, known] of [[statuses, statusOf], [levels, levelOf]] as const) {
    for (const row of rows) {
      const found = known.has(row) ? (known.get(row) ?? null) : findPath(row, names);
      known.set(row, found);
      if (found !== null) return found;
    }
  }
  return null;
}

const deepest = 6;

function findPath(row: Row, names: string[]): string[] | null {
  let level: { path: string[]; value: unknown }[] = [{ path: [], value: row }];
  for (let depth = 0; depth < deepest && level.length > 0; ++depth) {
    const next = level.flatMap(({ path, value }) => {
      const inner = unwrap(value);
      return typeof inner !== 'object' || inner === null || Array.isArray(inner) ? [] : Object.entries(inner).map(([name, child]) => ({ path: [...path, name], value: child as unknown }));
    });
    const found = next.find(({ path, value }) => names.includes((path.at(-1) ?? '').toLowerCase()) && markOf(path.at(-1) ?? '', value) !== null);
    if (found !== undefined) return found.path;
    level = next;
  }
  return null;
}

// The value that the names lead to; records travel as lists of one.
export function valueAt(row: Row, names: string[]): unknown {
  return names.reduce<unknown>((value, name) => {
    const inner = unwrap(value);
    const record = Array.isArray(inner) ? (inner[0] as unknown) : inner;
    return typeof record === 'object' && record !== null ? (record as Row)[name] : undefined;
  }, row);
}
