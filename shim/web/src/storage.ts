// What the browser keeps: the token for this tab alone; saved queries, history and the layout until they are removed.
import { type Range, defaultRange } from './time.ts';

// A query as it is written: it names no token.
export interface Query {
  endpoint: string;
  parameters: Record<string, string>;
  sql: string;
  range: Range;
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
  const key = JSON.stringify(query);
  const added = [{ at, query }, ...history.filter((past) => JSON.stringify(past.query) !== key)].slice(0, mostHistory);
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
  return '#' + text.toString();
}

export function fromFragment(fragment: string): { query: Query | null; code: string | null } {
  const text = new URLSearchParams(fragment.replace(/^#/, ''));
  const code = text.get('code');
  const endpoint = text.get('endpoint');
  if (endpoint === null) return { query: null, code };
  const parameters: Record<string, string> = {};
  for (const [name, value] of text) if (name.startsWith('p.')) parameters[name.slice(2)] = value;
  return { query: { endpoint, parameters, sql: text.get('sql') ?? '', range: readRange(text.get('range')) }, code };
}

function readRange(text: string | null): Range {
  if (text === null) return defaultRange;
  const [from, to] = text.split('/');
  return to === undefined ? { preset: text } : { from: from ?? '', to };
}
