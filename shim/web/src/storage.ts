// What the browser keeps: the token for this tab alone; saved queries, history and the layout until they are removed.
import type { ChartChoice } from './chart_choice.ts';
import { type Range, defaultRange } from './time.ts';

// A query as it is written: it names no token.
export interface Query {
  endpoint: string;
  parameters: Record<string, string>;
  sql: string;
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

function isQuery(value: unknown): value is Query {
  const query = value as Partial<Query> | null;
  return typeof query?.endpoint === 'string' && typeof query.sql === 'string' && typeof query.parameters === 'object';
}

export function readSaved(): Saved[] {
  const saved = read<Saved[]>(browser, 'saved', []);
  return Array.isArray(saved) ? saved.filter((one) => typeof one?.name === 'string' && isQuery(one.query)) : [];
}

export const writeSaved = (saved: Saved[]) => write(browser, 'saved', saved);

export function readHistory(): Past[] {
  const history = read<Past[]>(browser, 'history', []);
  return Array.isArray(history) ? history.filter((one) => typeof one?.at === 'number' && isQuery(one.query)) : [];
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

export function fromFragment(fragment: string): { query: Query | null; code: string | null } {
  const text = new URLSearchParams(fragment.replace(/^#/, ''));
  const code = text.get('code');
  const endpoint = text.get('endpoint');
  if (endpoint === null) return { query: null, code };
  const parameters: Record<string, string> = {};
  for (const [name, value] of text) if (name.startsWith('p.')) parameters[name.slice(2)] = value;
  const chart = readChart(text);
  const query = { endpoint, parameters, sql: text.get('sql') ?? '', range: readRange(text.get('range')) };
  return { query: chart === null ? query : { ...query, chart }, code };
}

function readRange(text: string | null): Range {
  if (text === null) return defaultRange;
  const [from, to] = text.split('/');
  return to === undefined ? { preset: text } : { from: from ?? '', to };
}
