// The state of the console: one signal for each thing that the page shows, and what follows from them.
import { computed, signal } from '@preact/signals';
import { type Answer, type Call, type Endpoint, type Parameter, Server, ServerError, type Verdict } from './api.ts';
import type { ChartChoice } from './chart_choice.ts';
import type { FieldNode } from './types.ts';
import { type Past, type Query, type Saved, readHistory, readLayout, readSaved, readToken, writeLayout } from './storage.ts';
import { type Bounds, type Range, appliedWindow, boundsOf, defaultRange } from './time.ts';

export interface Failure {
  message: string;
  status: number;
  snippet: string | null;
  line: number | null;
  column: number | null;
  parameter: string | null;
  requestId: string | null;
}

export interface Shown {
  answer: Answer;
  call: Call;
  query: Query;
}

export type Outcome =
  | { state: 'idle' }
  // `before`: the rows of the run before, which stay on screen meanwhile.
  | { state: 'running'; abort: AbortController; since: number; before: Shown | null }
  | { state: 'cancelled' }
  | { state: 'failed'; failure: Failure; query: Query }
  | ({ state: 'rows' } & Shown);

export const token = signal(readToken());
export const server = computed(() => new Server(token.value));
export const entry = signal<'starting' | 'asking' | 'open'>('starting');
// Somebody signed in just now, and goes on with the keyboard where the query is written.
export const signedIn = signal(false);
// The code of the link that was opened did not sign in.
export const codeFailed = signal(false);
// A sign-in link that was opened in a tab with a token: somebody has to say whether it replaces that.
export const askedSignIn = signal<{ code: string; linked: Query | null } | null>(null);
export const entryProblem = signal<string | null>(null);
export const endpoints = signal<Endpoint[]>([]);
// The project that the token is for; null: all projects.
export const scope = signal<string | null>(null);
export const endpointName = signal('');
export const endpoint = computed(() => endpoints.value.find((known) => known.name === endpointName.value) ?? null);

// Values by parameter's name, over all endpoints: a project stays when the endpoint changes. SQL is each endpoint's own.
export const values = signal<Record<string, string>>({});
export const sqlByEndpoint = signal<Record<string, string>>({});
export const sql = computed(() => sqlByEndpoint.value[endpointName.value] ?? '');
export const range = signal<Range>(defaultRange);
export const redact = signal(false);
// What somebody chose to see as a chart; null: what suits the columns.
export const chart = signal<ChartChoice | 'none' | null>(null);
export const utc = signal(readLayout('utc', false));
export const outcome = signal<Outcome>({ state: 'idle' });
// The rows on screen; `past` while the next run is on its way.
export const shown = computed<(Shown & { past: boolean }) | null>(() => {
  const now = outcome.value;
  if (now.state === 'rows') return { answer: now.answer, call: now.call, query: now.query, past: false };
  return now.state === 'running' && now.before !== null ? { ...now.before, past: true } : null;
});
export const loadingMore = signal(false);
export const verdict = signal<Verdict | null>(null);
export const saved = signal<Saved[]>(readSaved());
export const history = signal<Past[]>(readHistory());
export const notice = signal('');
export const selectedRow = signal<number | null>(null);
// On a narrow screen the sidebar lies over the page.
export const sidebarOpen = signal(false);
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
  const chosen = chart.value === null ? {} : { chart: chart.value };
  return { endpoint: endpointName.value, parameters, sql: takesSql.value ? sql.value : '', range: range.value, ...chosen };
});

const asksFor = ({ chart: _, ...rest }: Query, redacted: boolean) => JSON.stringify([{ ...rest, sql: rest.sql.trim() }, redacted]);

// Whether the rows on screen are those of another query than the one that is written by now.
export const outdated = computed(() => {
  const now = outcome.value;
  return now.state === 'rows' && asksFor(now.query, now.call.redact) !== asksFor(query.value, redact.value);
});

// An error in the SQL of the editor, which is told there, where its place is.
export const failureInSql = computed(() => {
  const now = outcome.value;
  const written = now.state === 'failed' && now.query.sql.trim() !== '' && now.query.sql === query.value.sql;
  return written && now.failure.line !== null ? now.failure : null;
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

// The window that applied to the rows; open on both ends for an endpoint that has none.
export function windowOf(answer: Answer, call: Call): Bounds {
  const names = rangeParameters.value;
  if (names === null) return { from: null, to: null };
  return appliedWindow(answer.window, { from: call.parameters[names.start] ?? null, to: call.parameters[names.end] ?? null });
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

export function selectEndpoint(name: string): void {
  if (name === endpointName.value) return;
  endpointName.value = name;
  verdict.value = null;
  if (outcome.value.state === 'running') outcome.value.abort.abort();
  outcome.value = { state: 'idle' };
  selectedRow.value = null;
  chart.value = null;
  // Text that no editor took is not for the editor of another endpoint.
  insertion.value = null;
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
