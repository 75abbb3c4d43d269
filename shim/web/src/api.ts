// The server as the console sees it: what the token may call, calls, dry runs. Knows nothing of the page.
import { type LogShape, shapeOf } from './log_shape.ts';

export interface Parameter {
  name: string;
  type: string;
  required: boolean;
  description?: string;
  default?: string;
  allowed?: string[];
  pattern?: boolean;
  examples?: string[];
  fixed?: boolean;
}

export interface Column {
  name: string;
  type: string;
}

export interface Endpoint {
  id: string;
  name: string;
  description: string;
  revision: string;
  max_rows: number;
  settings: { caching: number | string; query_sandboxing: boolean; redact_pii: boolean; language?: string };
  parameters: Parameter[];
  columns: Column[];
  tables?: string[];
}

// `project`: the only project that the token reads, if it is for one. `saves_queries`: the server keeps queries. `lists_projects`: it
// lists the projects that have rows.
export interface EndpointList {
  endpoints: Endpoint[];
  project?: string;
  saves_queries?: boolean;
  lists_projects?: boolean;
}

// Where the server keeps a query; without a project it is shared.
export interface SavedPlace {
  name: string;
  project?: string;
}

// A query that the server keeps; lists leave the SQL out. `problem`: why it cannot run now.
export interface ServerQuery extends SavedPlace {
  revision: number;
  endpoint: string;
  description: string;
  sql?: string;
  saved_by: string;
  saved_at: string;
  problem?: string;
}

export interface ServerQueryList {
  queries: ServerQuery[];
  may_save: boolean;
}

// A place of a query whose meaning differs in the other language; without one it is about the whole query.
export interface RewriteNote {
  line?: number;
  column?: number;
  text: string;
}

// `of`: the SQL that was rewritten.
export interface Rewritten {
  language: string;
  endpoint: string;
  sql: string;
  notes: RewriteNote[];
  of: string;
}

export type Row = Record<string, unknown>;

export interface Verdict {
  allowed: boolean;
  message?: string;
  line?: number;
  column?: number;
  snippet?: string;
  tables?: string[];
  columns?: string[];
  functions?: string[];
  result?: Column[];
  parts?: { then_here?: string }[];
}

export interface Answer {
  rows: Row[];
  columns: Column[];
  cursor: string | null;
  truncated: boolean;
  window: string | null;
  timings: Timing[];
  cache: string | null;
  age: number | null;
  requestId: string | null;
  receipt: string | null;
  ignored: string | null;
  // The project that the token reads, where the call asked for another one.
  scope: string | null;
  bytes: number;
  milliseconds: number;
  // When it was asked for, in milliseconds since 1970.
  asked: number;
  // Older rows were left out as new ones came.
  cut: boolean;
  // What their time and message are called, if the rows are those of a log.
  shape: LogShape | null;
}

export interface Timing {
  name: string;
  milliseconds: number;
}

interface ErrorDetails {
  line?: number;
  column?: number;
  snippet?: string;
  parameter?: string;
  nearest?: string[];
  request_id?: string;
}

// What the server said of a call that failed.
export class ServerError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly details: ErrorDetails,
    readonly retryAfter: string | null,
    // After a conflict: the query that is saved now.
    readonly present: ServerQuery | null = null,
  ) {
    super(message);
  }
}

export interface Call {
  endpoint: string;
  parameters: Record<string, string>;
  redact: boolean;
}

// Where a GET of the call goes; snippets show the same.
export function callPath(call: Call, more: Record<string, string> = {}): string {
  const query = new URLSearchParams({ ...call.parameters, ...more });
  const text = query.toString();
  return `/api/endpoints/query/${encodeURIComponent(call.endpoint)}${text === '' ? '' : '?' + text}`;
}

function savedPath({ name, project }: SavedPlace): string {
  return `/api/saved/${encodeURIComponent(name)}?${new URLSearchParams(project === undefined ? { shared: 'true' } : { project }).toString()}`;
}

// Beyond this length proxies refuse URLs; the call is then a POST.
const longestUrl = 6000;

function errorFrom(response: Response, text: string): ServerError {
  const retryAfter = response.headers.get('Retry-After');
  try {
    const body = JSON.parse(text) as { error?: { message?: string; details?: ErrorDetails }; present?: ServerQuery };
    if (body.error?.message !== undefined) {
      return new ServerError(body.error.message, response.status, body.error.details ?? {}, retryAfter, body.present ?? null);
    }
  } catch {
    // Not the server's own answer: a proxy's, say.
  }
  const what = `the answer has status ${response.status} and is no JSON of logquery's`;
  return new ServerError(what, response.status, {}, retryAfter);
}

export class Server {
  constructor(private readonly token: string) {}

  private async fetchText(path: string, init: RequestInit): Promise<{ response: Response; text: string }> {
    const headers = new Headers(init.headers);
    if (this.token !== '') headers.set('X-API-KEY', this.token);
    const response = await fetch(path, { ...init, headers, cache: 'no-store', credentials: 'omit' });
    const text = await response.text();
    if (!response.ok) throw errorFrom(response, text);
    return { response, text };
  }

  async endpoints(): Promise<EndpointList> {
    const { text } = await this.fetchText('/api/endpoints', {});
    return JSON.parse(text) as EndpointList;
  }

  // The projects that have rows, those with the newest first.
  async projects(): Promise<string[]> {
    const { text } = await this.fetchText('/api/projects', {});
    return (JSON.parse(text) as { result: { project: string }[] }).result.map(({ project }) => project);
  }

  async call(call: Call, more: Record<string, string>, signal: AbortSignal): Promise<Answer> {
    const begin = performance.now();
    const asked = Date.now();
    const { response, text } = await this.send(call, { int64: 'string', ...more }, signal);
    const rows = (JSON.parse(text) as { result: Row[] }).result;
    const read = readHeaders(response.headers, rows);
    return { ...read, rows, bytes: text.length, milliseconds: performance.now() - begin, asked, cut: false, shape: shapeOf(read.columns, call.parameters['sql'] ?? '') };
  }

  async dryRun(endpoint: string, sql: string, signal: AbortSignal): Promise<Verdict> {
    const { text } = await this.fetchText(callPath({ endpoint, parameters: { dry_run: 'true' }, redact: false }), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ sql }),
      signal,
    });
    return JSON.parse(text) as Verdict;
  }

  async rewrite(wanted: { sql: string; to: string; rows_have_metadata: boolean }, redacted: boolean, signal: AbortSignal): Promise<Rewritten> {
    const { text } = await this.fetchText('/api/translate', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(redacted ? { 'LF-ENDPOINT-REDACT-PII': 'true' } : {}) },
      body: JSON.stringify(wanted),
      signal,
    });
    return { ...(JSON.parse(text) as Omit<Rewritten, 'of'>), of: wanted.sql };
  }

  async savedQueries(): Promise<ServerQueryList> {
    const { text } = await this.fetchText('/api/saved', {});
    return JSON.parse(text) as ServerQueryList;
  }

  async savedQuery(place: SavedPlace): Promise<ServerQuery> {
    const { text } = await this.fetchText(savedPath(place), {});
    return JSON.parse(text) as ServerQuery;
  }

  async saveQuery(place: SavedPlace, draft: { endpoint: string; sql: string; description: string }, revision: number | null): Promise<ServerQuery> {
    const { text } = await this.fetchText(savedPath(place), {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(revision === null ? draft : { ...draft, revision }),
    });
    return JSON.parse(text) as ServerQuery;
  }

  async deleteQuery(place: SavedPlace, revision: number): Promise<void> {
    await this.fetchText(savedPath(place), { method: 'DELETE', headers: { 'If-Match': `"${revision}"` } });
  }

  private send(call: Call, more: Record<string, string>, signal: AbortSignal) {
    const headers: Record<string, string> = { 'Logquery-Want-Columns': 'true' };
    if (call.redact) headers['LF-ENDPOINT-REDACT-PII'] = 'true';
    const path = callPath(call, more);
    if (path.length <= longestUrl) return this.fetchText(path, { headers, signal });
    return this.fetchText(callPath({ ...call, parameters: {} }), {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...call.parameters, ...more }),
      signal,
    });
  }
}

// Exchanges the code of a link that opens the console for the token that it stands for.
export async function exchangeCode(code: string): Promise<string> {
  const response = await fetch('/api/console/token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code }),
    cache: 'no-store',
    credentials: 'omit',
  });
  const text = await response.text();
  if (!response.ok) throw errorFrom(response, text);
  return (JSON.parse(text) as { token: string }).token;
}

function readHeaders(headers: Headers, rows: Row[]): Omit<Answer, 'rows' | 'bytes' | 'milliseconds' | 'asked' | 'cut' | 'shape'> {
  const age = headers.get('Age');
  return {
    columns: readColumns(headers.get('Logquery-Columns'), rows),
    cursor: headers.get('Logquery-Cursor'),
    truncated: headers.get('Logquery-Truncated') === 'true',
    window: headers.get('Logquery-Window'),
    timings: readTimings(headers.get('Server-Timing') ?? ''),
    cache: headers.get('Logquery-Cache'),
    age: age === null ? null : Number(age),
    requestId: headers.get('X-Request-Id'),
    receipt: headers.get('Logquery-Receipt'),
    ignored: headers.get('Logquery-Ignored-Parameters'),
    scope: decoded(headers.get('Logquery-Token-Project')),
  };
}

// "a:INT64,b:NESTED", names percent-encoded; without it, as from behind a proxy that drops it, the first row's keys.
export function readColumns(header: string | null, rows: Row[]): Column[] {
  if (header === null || header === '') {
    return Object.keys(rows[0] ?? {}).map((name) => ({ name, type: '' }));
  }
  return header.split(',').map((part) => {
    const colon = part.lastIndexOf(':');
    return { name: decodeURIComponent(part.slice(0, colon)), type: part.slice(colon + 1) };
  });
}

// "project=abc", percent-encoded.
function decoded(header: string | null): string | null {
  return header === null ? null : decodeURIComponent(header);
}

function readTimings(header: string): Timing[] {
  return header.split(',').flatMap((part) => {
    const match = /^\s*([a-z]+);dur=([0-9.]+)/.exec(part);
    return match ? [{ name: match[1] ?? '', milliseconds: Number(match[2]) }] : [];
  });
}
