// What the browser keeps: the token for this tab alone; saved queries, history and the layout until they are removed.
import type { ChartChoice } from './chart_choice.ts';
import { type Range, toRange } from './time.ts';

// A query as it is written: it names no token.
export interface Query {
  endpoint: string;
  parameters: Record<string, string>;
  // What somebody wrote; the conditions of `search` are added to it. Empty: all rows of `log`, or the endpoint's own query.
  sql: string;
  log?: string;
  search?: string;
  range: Range;
  // What somebody chose to see as a chart; without it, what suits the rows.
  chart?: ChartChoice | 'none';
}

export interface Saved {
  name: string;
  query: Query;
}

export interface Past {
  at: number;
  query: Query;
}

const mostHistory = 50;

// Storage may be switched off, or full: the console then works without it.
function read<T>(storage: () => Storage, key: string, otherwise: T): T {
  try {
    const text = storage().getItem('logquery.' + key);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

function write(storage: () => Storage, key: string, value: unknown): void {
  try {
    storage().setItem('logquery.' + key, JSON.stringify(value));
  } catch (error) {
    console.warn(`logquery: ${key} could not be stored`, error);
  }
}

const tab = () => window.sessionStorage;
const browser = () => window.localStorage;

// What no header can carry is not sent, but asked for again.
export const readToken = () => {
  const token: unknown = read(tab, 'token', '');
  return typeof token === 'string' && /^[!-~]*$/.test(token) ? token : '';
};
export const writeToken = (token: string) => write(tab, 'token', token);

export const readLayout = <T>(key: string, otherwise: T) => read(browser, key, otherwise);
export const writeLayout = (key: string, value: unknown) => write(browser, key, value);

// What the storage holds may have been written by an older console, or by anybody who had the browser.
function toQuery(value: unknown): Query | null {
  const { endpoint, sql, parameters, range, chart, log, search } = (value ?? {}) as Partial<Record<keyof Query, unknown>>;
  if (typeof endpoint !== 'string' || typeof sql !== 'string' || typeof parameters !== 'object' || parameters === null) return null;
  const texts = Object.entries(parameters).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const chosen = toChart(chart);
  return { endpoint, sql, parameters: Object.fromEntries(texts), range: toRange(range), ...ofText('log', log), ...ofText('search', search), ...(chosen === null ? {} : { chart: chosen }) };
}

const ofText = (name: 'log' | 'search', value: unknown) => (typeof value === 'string' && value !== '' ? { [name]: value } : {});

function toChart(value: unknown): ChartChoice | 'none' | null {
  if (value === 'none') return value;
  const { kind, axis, values, split } = (value ?? {}) as Partial<Record<keyof ChartChoice, unknown>>;
  const named = Array.isArray(values) ? values.filter((name): name is string => typeof name === 'string') : [];
  if ((kind !== 'line' && kind !== 'bar') || typeof axis !== 'string' || named.length === 0) return null;
  return { kind, axis, values: named, split: typeof split === 'string' ? split : null };
}

// The entries of a stored list that have a query; `rest` reads the others' part.
function readQueries<T>(key: string, rest: (entry: Record<string, unknown>) => T | null): (T & { query: Query })[] {
  const stored = read<unknown>(browser, key, []);
  return (Array.isArray(stored) ? stored : []).flatMap((entry: unknown) => {
    const fields = (entry ?? {}) as Record<string, unknown>;
    const query = toQuery(fields['query']);
    const others = rest(fields);
    return query === null || others === null ? [] : [{ ...others, query }];
  });
}

export const readSaved = (): Saved[] => readQueries('saved', ({ name }) => (typeof name === 'string' ? { name } : null));

export const writeSaved = (saved: Saved[]) => write(browser, 'saved', saved);

export const readHistory = (): Past[] => readQueries('history', ({ at }) => (typeof at === 'number' ? { at } : null));
export const clearHistory = () => write(browser, 'history', []);

// Calls `changed` when another tab has changed the history.
export function onHistoryChange(changed: () => void): void {
  window.addEventListener('storage', ({ key }) => {
    if (key === null || key === 'logquery.history') changed();
  });
}

// The newest first; a query that runs again moves to the front.
export function addToHistory(history: Past[], query: Query, at: number): Past[] {
  const keyOf = ({ chart: _, ...rest }: Query) => JSON.stringify(rest);
  const key = keyOf(query);
  const added = [{ at, query }, ...history.filter((past) => keyOf(past.query) !== key)].slice(0, mostHistory);
  write(browser, 'history', added);
  return added;
}

// The fragment of a link that opens this query: readable, and without a token.
export function toFragment(query: Query): string {
  const text = new URLSearchParams({ endpoint: query.endpoint });
  if ('preset' in query.range) text.set('range', query.range.preset);
  else text.set('range', `${query.range.from}/${query.range.to}`);
  for (const [name, value] of Object.entries(query.parameters)) {
    if (value !== '') text.set('p.' + name, value);
  }
  if (query.sql.trim() !== '') text.set('sql', query.sql);
  if (query.log !== undefined) text.set('log', query.log);
  if (query.search !== undefined) text.set('q', query.search);
  addChart(text, query.chart);
  return '#' + text.toString();
}

function addChart(text: URLSearchParams, chart: ChartChoice | 'none' | undefined): void {
  if (chart === undefined) return;
  if (chart === 'none') return text.set('chart', 'none');
  text.set('chart', chart.kind);
  text.set('chart.x', chart.axis);
  for (const value of chart.values) text.append('chart.y', value);
  if (chart.split !== null) text.set('chart.by', chart.split);
}

function readChart(text: URLSearchParams): ChartChoice | 'none' | null {
  const kind = text.get('chart');
  if (kind === 'none') return 'none';
  const axis = text.get('chart.x');
  const values = text.getAll('chart.y');
  if ((kind !== 'line' && kind !== 'bar') || axis === null || values.length === 0) return null;
  return { kind, axis, values, split: text.get('chart.by') };
}

const parts = new Set(['endpoint', 'code', 'range', 'sql', 'log', 'q', 'chart', 'chart.x', 'chart.y', 'chart.by']);

// The query of a link. `unread`: parts of the link that mean nothing here, such as a parameter without its p.
export type Linked = Query & { unread?: string[] };

export function fromFragment(fragment: string): { query: Linked | null; code: string | null } {
  const text = new URLSearchParams(fragment.replace(/^#/, ''));
  const code = text.get('code');
  const endpoint = text.get('endpoint');
  const unread = [...new Set(text.keys())].filter((name) => !parts.has(name) && !name.startsWith('p.'));
  if (endpoint === null) return { query: null, code };
  const parameters: Record<string, string> = {};
  for (const [name, value] of text) if (name.startsWith('p.')) parameters[name.slice(2)] = value;
  const chart = readChart(text);
  const query: Linked = { endpoint, parameters, ...(unread.length > 0 ? { unread } : {}), sql: text.get('sql') ?? '', range: readRange(text.get('range')), ...ofText('log', text.get('log')), ...ofText('search', text.get('q')) };
  return { query: chart === null ? query : { ...query, chart }, code };
}

function readRange(text: string | null): Range {
  const [from, to] = text?.split('/') ?? [];
  return toRange(to === undefined ? { preset: from } : { from, to });
}
