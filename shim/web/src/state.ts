// The state of the console, one signal for each thing that the page shows, and what a person can do with it.
import { computed, signal } from '@preact/signals';
import { type Answer, type Call, type Endpoint, type Parameter, Server, ServerError, type Verdict, exchangeCode } from './api.ts';
import type { FieldNode } from './types.ts';
import { type Past, type Query, type Saved, addToHistory, fromFragment, readHistory, readLayout, readSaved, readToken,
  toFragment, writeLayout, writeSaved, writeToken } from './storage.ts';
import { type Range, boundsOf, defaultRange } from './time.ts';

export interface Failure {
  message: string;
  status: number;
  snippet: string | null;
  line: number | null;
  column: number | null;
  parameter: string | null;
  requestId: string | null;
}

export type Outcome =
  | { state: 'idle' }
  | { state: 'running'; abort: AbortController; since: number }
  | { state: 'cancelled' }
  | { state: 'failed'; failure: Failure }
  | { state: 'rows'; answer: Answer; call: Call; query: Query };

export const token = signal(readToken());
export const server = computed(() => new Server(token.value));
export const entry = signal<'starting' | 'asking' | 'open'>('starting');
export const entryProblem = signal<string | null>(null);
export const endpoints = signal<Endpoint[]>([]);
export const endpointName = signal('');
export const endpoint = computed(() => endpoints.value.find((known) => known.name === endpointName.value) ?? null);

// Values by parameter's name, over all endpoints: a project stays when the endpoint changes. SQL is each endpoint's own.
export const values = signal<Record<string, string>>({});
export const sqlByEndpoint = signal<Record<string, string>>({});
export const sql = computed(() => sqlByEndpoint.value[endpointName.value] ?? '');
export const range = signal<Range>(defaultRange);
export const redact = signal(false);
export const utc = signal(readLayout('utc', false));
export const outcome = signal<Outcome>({ state: 'idle' });
export const loadingMore = signal(false);
export const verdict = signal<Verdict | null>(null);
export const saved = signal<Saved[]>(readSaved());
export const history = signal<Past[]>(readHistory());
export const notice = signal('');
export const selectedRow = signal<number | null>(null);
// The fields of the logs that SQL may read, by log, once somebody has looked at them.
export const fields = signal<Record<string, FieldNode[]>>({});
export const insertion = signal<{ text: string; replace: boolean } | null>(null);

export const takesSql = computed(() => endpoint.value?.settings.query_sandboxing ?? false);

// The parameters that a time range stands for: a start and an end.
export const rangeParameters = computed(() => {
  const times = endpoint.value?.parameters.filter((parameter) => parameter.type === 'TIMESTAMP' && !parameter.fixed) ?? [];
  const named = (part: RegExp) => times.find((parameter) => part.test(parameter.name))?.name ?? null;
  const start = named(/start|from|since|after/);
  const end = named(/end|until|before|(^|_)to($|_)/);
  return start !== null && end !== null ? { start, end } : null;
});

export const formParameters = computed<Parameter[]>(() => {
  const ranged = rangeParameters.value;
  return (endpoint.value?.parameters ?? []).filter(
    (parameter) => parameter.name !== 'sql' && parameter.name !== ranged?.start && parameter.name !== ranged?.end && !parameter.fixed,
  );
});

export const missing = computed(() =>
  formParameters.value.filter((parameter) => parameter.required && parameter.default === undefined && !values.value[parameter.name]),
);

export const query = computed<Query>(() => {
  const parameters: Record<string, string> = {};
  for (const { name } of formParameters.value) {
    const value = values.value[name];
    if (value) parameters[name] = value;
  }
  return { endpoint: endpointName.value, parameters, sql: takesSql.value ? sql.value : '', range: range.value };
});

// The call that the form stands for at `now`.
export function callAt(now: Date): Call {
  const parameters = { ...query.value.parameters };
  const ranged = rangeParameters.value;
  if (ranged !== null) {
    const bounds = boundsOf(range.value, now);
    if (bounds.from !== null) parameters[ranged.start] = bounds.from;
    if (bounds.to !== null) parameters[ranged.end] = bounds.to;
  }
  if (query.value.sql.trim() !== '') parameters['sql'] = query.value.sql;
  return { endpoint: endpointName.value, parameters, redact: redact.value };
}

export function failureOf(error: unknown): Failure {
  const nothing = { snippet: null, line: null, column: null, parameter: null, requestId: null };
  if (!(error instanceof ServerError)) {
    const message = error instanceof TypeError ? 'The server cannot be reached.' : String(error);
    return { ...nothing, message, status: 0 };
  }
  const { details } = error;
  return {
    message: error.retryAfter === null ? error.message : `${error.message} (try again in ${error.retryAfter} s)`,
    status: error.status,
    snippet: details.snippet ?? null,
    line: details.line ?? null,
    column: details.column ?? null,
    parameter: details.parameter ?? null,
    requestId: details.request_id ?? null,
  };
}

// ------------------------------------------------------------------------------------------------ opening

// Opens the console with what the address and the tab hold: a code of a link, a token, or nothing.
export async function start(): Promise<void> {
  const { query: linked, code } = fromFragment(location.hash);
  if (code !== null) await takeCode(code, linked);
  await open(linked, true);
  window.addEventListener('hashchange', () => void followAddress());
}

// A link was opened in a tab that has the console already: a query, or a code that signs in as somebody else.
async function followAddress(): Promise<void> {
  const { query: linked, code } = fromFragment(location.hash);
  if (code !== null) {
    const problem = await takeCode(code, linked);
    if (problem === null) {
      forgetAnswers();
      await open(linked, false);
    } else {
      notice.value = `The sign-in link failed: ${problem}`;
    }
  } else if (entry.value === 'open' && linked !== null && toFragment(linked) !== toFragment(query.value)) {
    openLinked(linked);
  }
}

// Exchanges a link's code for its token; what went wrong, or null. The exchange uses the code up: neither a reload nor the
// history of the browser needs it, and the address keeps only the query.
async function takeCode(code: string, linked: Query | null): Promise<string | null> {
  window.history.replaceState(null, '', linked === null ? location.pathname : toFragment(linked));
  try {
    useToken(await exchangeCode(code));
    entryProblem.value = null;
    return null;
  } catch (error) {
    const problem = failureOf(error).message;
    entryProblem.value = problem;
    return problem;
  }
}

// Drops what another token was shown.
function forgetAnswers(): void {
  if (outcome.value.state === 'running') outcome.value.abort.abort();
  outcome.value = { state: 'idle' };
  verdict.value = null;
  fields.value = {};
  selectedRow.value = null;
}

function openLinked(linked: Query): boolean {
  if (endpoints.value.some((one) => one.name === linked.endpoint)) {
    openQuery(linked, true);
    return true;
  }
  notice.value = `This token has no endpoint ${linked.endpoint}`;
  return false;
}

function useToken(text: string): void {
  token.value = text;
  writeToken(text);
}

// What keeps `text` from being a token, or null. Tokens travel in a header, which has visible ASCII characters alone; a copy
// from a page or a chat may bring others, some of which cannot be seen.
export function problemOfToken(text: string): string | null {
  const characters = [...text];
  const at = characters.findIndex((character) => !/^[!-~]$/.test(character));
  if (at < 0) return text === '' ? 'Paste an access token.' : null;
  const code = (characters[at] ?? '').codePointAt(0) ?? 0;
  return `Character ${at + 1} of the token is U+${code.toString(16).toUpperCase().padStart(4, '0')}. ` +
    'A token has only visible ASCII characters without spaces; copy it again from where it was made.';
}

export async function signIn(text: string): Promise<void> {
  const problem = problemOfToken(text);
  if (problem !== null) {
    entryProblem.value = problem;
    return;
  }
  useToken(text);
  entryProblem.value = null;
  await open(fromFragment(location.hash).query, false);
}

export function signOut(): void {
  useToken('');
  endpoints.value = [];
  forgetAnswers();
  entryProblem.value = null;
  entry.value = 'asking';
}

async function open(linked: Query | null, atStart: boolean): Promise<void> {
  try {
    endpoints.value = await server.value.endpoints();
  } catch (error) {
    const failure = failureOf(error);
    // At the start a missing token is no mistake.
    const quiet = atStart && token.value === '' && failure.status === 401;
    if (!quiet) entryProblem.value ??= failure.message;
    if (failure.status === 401) useToken('');
    entry.value = 'asking';
    return;
  }
  entry.value = 'open';
  const known = (name: string) => endpoints.value.some((one) => one.name === name);
  if (linked !== null && openLinked(linked)) return;
  // A link into an open tab that names no query leaves what is written there.
  if (known(endpointName.value)) return;
  const first = known('logs.all') ? 'logs.all' : (endpoints.value[0]?.name ?? '');
  const last = history.value[0]?.query;
  if (last !== undefined && known(last.endpoint)) return openQuery(last, false);
  selectEndpoint(first);
}

export function selectEndpoint(name: string): void {
  if (name === endpointName.value) return;
  endpointName.value = name;
  verdict.value = null;
  if (outcome.value.state === 'running') outcome.value.abort.abort();
  outcome.value = { state: 'idle' };
  selectedRow.value = null;
  // Text that no editor took is not for the editor of another endpoint.
  insertion.value = null;
}

export function openQuery(next: Query, andRun: boolean): void {
  selectEndpoint(next.endpoint);
  values.value = { ...values.value, ...Object.fromEntries(formParameters.value.map(({ name }) => [name, ''])), ...next.parameters };
  range.value = next.range;
  if (takesSql.value) {
    setSql(next.sql);
    insertion.value = { text: next.sql, replace: true };
  }
  if (andRun && missing.value.length === 0) void run();
}

export function setSql(text: string): void {
  sqlByEndpoint.value = { ...sqlByEndpoint.value, [endpointName.value]: text };
}

export function setValue(name: string, text: string): void {
  values.value = { ...values.value, [name]: text };
}

export function setRange(next: Range): void {
  range.value = next;
}

export function setUtc(on: boolean): void {
  utc.value = on;
  writeLayout('utc', on);
}

// ------------------------------------------------------------------------------------------------ running

export async function run(): Promise<void> {
  const first = missing.value[0];
  if (first !== undefined) {
    notice.value = `${first.name} needs a value`;
    document.getElementById('parameter-' + first.name)?.focus();
    return;
  }
  if (outcome.value.state === 'running') outcome.value.abort.abort();
  const abort = new AbortController();
  const call = callAt(new Date());
  const made = query.value;
  outcome.value = { state: 'running', abort, since: performance.now() };
  selectedRow.value = null;
  history.value = addToHistory(history.value, made, Date.now());
  window.history.replaceState(null, '', toFragment(made));
  const isCurrent = () => outcome.value.state === 'running' && outcome.value.abort === abort;
  try {
    const answer = await server.value.call(call, {}, abort.signal);
    if (!isCurrent()) return;
    outcome.value = { state: 'rows', answer, call, query: made };
    notice.value = `${answer.rows.length} rows`;
  } catch (error) {
    if (!isCurrent()) return;
    const failure = failureOf(error);
    outcome.value = abort.signal.aborted ? { state: 'cancelled' } : { state: 'failed', failure };
    notice.value = abort.signal.aborted ? 'Cancelled' : `Error: ${failure.message}`;
    if (failure.status === 401) {
      entryProblem.value = failure.message;
      entry.value = 'asking';
    }
  }
}

export function cancel(): void {
  if (outcome.value.state !== 'running') return;
  outcome.value.abort.abort();
  outcome.value = { state: 'cancelled' };
  notice.value = 'Cancelled';
}

// Adds the rows of the next page to those that are there.
export async function loadMore(): Promise<void> {
  const shown = outcome.value;
  if (shown.state !== 'rows' || shown.answer.cursor === null || loadingMore.value) return;
  loadingMore.value = true;
  try {
    const next = await server.value.call(shown.call, { cursor: shown.answer.cursor }, new AbortController().signal);
    // The live tail may have put rows on top meanwhile; the page belongs below them, unless the tail has cut what it follows.
    const now = outcome.value;
    if (now.state !== 'rows' || now.call !== shown.call || now.answer.cursor !== shown.answer.cursor) return;
    const rows = [...now.answer.rows, ...next.rows];
    outcome.value = { ...now, answer: { ...now.answer, rows, cursor: next.cursor, bytes: now.answer.bytes + next.bytes } };
    notice.value = `${rows.length} rows`;
  } catch (error) {
    notice.value = `The next page failed: ${failureOf(error).message}`;
  } finally {
    loadingMore.value = false;
  }
}

export async function download(format: 'csv' | 'ndjson'): Promise<void> {
  const shown = outcome.value;
  if (shown.state !== 'rows') return;
  try {
    const text = await server.value.download(shown.call, format, new AbortController().signal);
    const url = URL.createObjectURL(new Blob([text], { type: format === 'csv' ? 'text/csv' : 'application/x-ndjson' }));
    const link = Object.assign(document.createElement('a'), { href: url, download: `${shown.call.endpoint}.${format}` });
    link.click();
    window.setTimeout(() => URL.revokeObjectURL(url), 1000);
    notice.value = `Downloaded ${link.download}`;
  } catch (error) {
    notice.value = `The download failed: ${failureOf(error).message}`;
  }
}

// ------------------------------------------------------------------------------------------------ saved queries

export function save(name: string): void {
  saved.value = [{ name, query: query.value }, ...saved.value.filter((one) => one.name !== name)];
  writeSaved(saved.value);
  notice.value = `Saved as ${name}`;
}

export function removeSaved(name: string): void {
  saved.value = saved.value.filter((one) => one.name !== name);
  writeSaved(saved.value);
}

export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notice.value = `Copied ${what}`;
  } catch {
    notice.value = `The browser does not let the page copy ${what}`;
  }
}
