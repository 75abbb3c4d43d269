// The state of the console: one signal for each thing that the page shows, and what follows from them.
import { batch, computed, signal } from '@preact/signals';
import { type Answer, type Call, type Endpoint, type Parameter, Server, ServerError, type ServerQuery, type Verdict } from './api.ts';
import type { ChartChoice } from './chart_choice.ts';
import type { FieldNode } from './types.ts';
import { type Linked, type Past, type Query, type Saved, readHistory, readLayout, readSaved, readToken, writeLayout } from './storage.ts';
import { type Term, parseSearch, writeSearch } from './search.ts';
import { type Compiled, compile, detached, holdsConditions } from './search_sql.ts';
import { defaultLog, templateForRows } from './templates.ts';
import { type Bounds, type Range, appliedWindow, boundsOf, defaultRange, toRange } from './time.ts';

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
  | { state: 'failed'; failure: Failure; query: Query; sql: string }
  | ({ state: 'rows' } & Shown);

export const token = signal(readToken());
export const server = computed(() => new Server(token.value));
export const entry = signal<'starting' | 'asking' | 'open'>('starting');
// Somebody signed in just now, and goes on with the keyboard where the query is written.
export const signedIn = signal(false);
// The code of the link that was opened did not sign in.
export const codeFailed = signal(false);
// A sign-in link that was opened in a tab with a token: somebody has to say whether it replaces that.
export const askedSignIn = signal<{ code: string; linked: Linked | null } | null>(null);
export const entryProblem = signal<string | null>(null);
export const endpoints = signal<Endpoint[]>([]);
// The project that the token is for; null: all projects.
export const scope = signal<string | null>(null);
export const endpointName = signal('');
export const endpoint = computed(() => endpoints.value.find((known) => known.name === endpointName.value) ?? null);

// Values by parameter's name, over all endpoints: a project stays when the endpoint changes. SQL is each endpoint's own.
export const values = signal<Record<string, string>>({});
const sqlByEndpoint = signal<Record<string, string>>({});
// What somebody wrote, or an example; `written` is this with the conditions of the search.
export const sql = computed(() => sqlByEndpoint.value[endpointName.value] ?? '');
const logByEndpoint = signal<Record<string, string>>({});
const termsByEndpoint = signal<Record<string, Term[]>>({});
// The terms of the search, which stand as filters above the rows.
export const terms = computed<Term[]>(() => termsByEndpoint.value[endpointName.value] ?? []);
export const range = signal<Range>(defaultRange);
export const redact = signal(false);
// What somebody chose to see as a chart; null: what suits the columns.
export const chart = signal<ChartChoice | 'none' | null>(null);
// Whether histograms are compared with the range before.
export const comparing = signal<boolean>(readLayout<unknown>('compare', false) === true);
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
// Whether the server lists the projects that have rows.
export const listsProjects = signal(false);
// Whether the server keeps queries, whether the token may change them, and those that it sees.
export const keeps = signal(false);
export const maySave = signal(false);
export const serverQueries = signal<{ queries: ServerQuery[]; problem: string | null }>({ queries: [], problem: null });
// The query of the server that was opened or saved last: saving it again replaces this revision.
export const openedFrom = signal<ServerQuery | null>(null);
export const history = signal<Past[]>(readHistory());
export const notice = signal('');
// What of the link that was opened does nothing.
export const unusedOfLink = signal<string[]>([]);
export const selectedRow = signal<number | null>(null);
// The row that is looked for among the rows of the next run, to be opened.
export const found = signal<{ time: string; id: string | null } | null>(null);
// On a narrow screen the sidebar lies over the page.
export const sidebarOpen = signal(false);
// The fields of the logs that SQL may read, by log, once somebody has looked at them.
export const fields = signal<Record<string, FieldNode[]>>({});

// The columns of the rows of a call, with what is nested in them: of the rows on screen, once they are known.
export const rowColumns = signal<{ of: Call | null; columns: FieldNode[] }>({ of: null, columns: [] });
export const rowFields = computed(() => rowColumns.value.columns);

export const takesSql = computed(() => endpoint.value?.settings.query_sandboxing ?? false);

// Whether the endpoint's own query is for the newest rows of a log, and not, say, for a summary.
const ownRows = computed(() => endpointName.value === 'logs.all');

// True if somebody chose a log of the endpoint, or its own query.
export const choseLog = computed(() => logByEndpoint.value[endpointName.value] !== undefined);

// The log that somebody chose; empty for the endpoint's own query.
const chosenLog = computed(() => {
  const chosen = logByEndpoint.value[endpointName.value] ?? '';
  const known = endpoint.value?.tables?.includes(chosen) ?? false;
  return known && !(ownRows.value && chosen === defaultLog) ? chosen : '';
});

// The log whose rows are searched while nobody has written SQL.
export const log = computed(() => (chosenLog.value !== '' ? chosenLog.value : ownRows.value ? defaultLog : (endpoint.value?.tables?.[0] ?? '')));

// Whether what runs is the endpoint's own query, which is none of a log's rows.
export const runsOwnQuery = computed(() => !ownRows.value && chosenLog.value === '' && terms.value.length === 0 && sql.value.trim() === '');

// Whether the rows can be searched: the search writes SQL of the BigQuery dialect.
export const searchable = computed(() => takesSql.value && log.value !== '' && endpoint.value?.settings.language !== 'clickhouse');

// The columns of what the search adds its conditions to, by endpoint and SQL or log.
export const sourceColumns = signal<Record<string, FieldNode[]>>({});

export const source = computed(() => {
  const text = sql.value.trim() === '' ? null : sql.value;
  return { key: JSON.stringify([endpointName.value, text === null ? log.value : null, text]), sql: text, log: log.value };
});

const mostSources = 40;

export function setSourceColumns(key: string, columns: FieldNode[]): void {
  const kept = Object.entries(sourceColumns.value).filter(([other]) => other !== key).slice(1 - mostSources);
  sourceColumns.value = Object.fromEntries([...kept, [key, columns]]);
}

// Whether the columns have to be known to write the SQL.
export const needsColumns = computed(() => takesSql.value && (terms.value.length > 0 || (source.value.sql === null && chosenLog.value !== '')));

// The query as SQL, with the conditions of the search; null while the columns are not known.
export const compiled = computed<Compiled | null>(() => {
  if (!needsColumns.value) return { sql: sql.value, problems: [], problem: null };
  const columns = sourceColumns.value[source.value.key];
  if (columns === undefined) return null;
  return compile(source.value.sql ?? templateForRows(source.value.log, columns), columns, terms.value);
});

// Whether the editor is open: once somebody uses it, or where SQL was written; else it is one line. null: nobody has said.
export const editorOpened = signal<boolean | null>(null);
export const editorOpen = computed(() => editorOpened.value ?? sql.value.trim() !== '');

// SQL that somebody is about to edit, in which the conditions of the filters still stand but which cannot be told apart into them and
// the rest: half a LIMIT, say. It runs as it is, without filters.
const draft = signal<string | null>(null);

// The SQL that runs, as the editor shows it; empty for the endpoint's own query.
export const written = computed(() => draft.value ?? compiled.value?.sql ?? sql.value);

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
  const base = { endpoint: endpointName.value, parameters, sql: takesSql.value ? (draft.value ?? sql.value) : '', range: range.value, ...chosen };
  if (!takesSql.value || draft.value !== null) return base;
  const other = source.value.sql === null && chosenLog.value !== '';
  return { ...base, ...(other ? { log: log.value } : {}), ...(terms.value.length > 0 ? { search: writeSearch(terms.value) } : {}) };
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
  const same = now.state === 'failed' && now.sql.trim() !== '' && now.sql === written.value;
  return same && now.failure.line !== null ? now.failure : null;
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
  if (takesSql.value && written.value.trim() !== '') parameters['sql'] = written.value;
  return { endpoint: endpointName.value, parameters, redact: redact.value };
}

// The window that applied to the rows; open on both ends for an endpoint that has none.
export function windowOf(answer: Answer, call: Call): Bounds {
  const names = rangeParameters.value;
  if (names === null) return { from: null, to: null };
  return appliedWindow(answer.window, { from: call.parameters[names.start] ?? null, to: call.parameters[names.end] ?? null });
}

// The query with the times that its rows on screen are of, else with those that it would have now.
export function fixedQuery(now: Date): Query {
  const made = query.value;
  const rows = outcome.value;
  if (rangeParameters.value === null || !('preset' in made.range)) return made;
  const seen = rows.state === 'rows' && !outdated.value ? { ...windowOf(rows.answer, rows.call), asked: new Date(rows.answer.asked).toISOString() } : { ...boundsOf(made.range, now), asked: now.toISOString() };
  return { ...made, range: { from: seen.from ?? '', to: seen.to ?? seen.asked } };
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
  draft.value = null;
  verdict.value = null;
  if (outcome.value.state === 'running') outcome.value.abort.abort();
  outcome.value = { state: 'idle' };
  // What was told of the rows of the other endpoint.
  notice.value = '';
  unusedOfLink.value = [];
  selectedRow.value = null;
  chart.value = null;
  editorOpened.value = null;
  rowColumns.value = { of: null, columns: [] };
}

export function setSql(text: string): void {
  draft.value = null;
  sqlByEndpoint.value = { ...sqlByEndpoint.value, [endpointName.value]: text };
}

export function setTerms(next: Term[]): void {
  draft.value = null;
  termsByEndpoint.value = { ...termsByEndpoint.value, [endpointName.value]: next };
}

export function setLog(name: string): void {
  logByEndpoint.value = { ...logByEndpoint.value, [endpointName.value]: name };
}

// Writes SQL in place of what was there, and of its filters.
export function writeSql(text: string): void {
  batch(() => {
    setTerms([]);
    if (text.trim() === '') setLog('');
    setSql(text);
  });
}

// Takes SQL that somebody wrote over in the editor. Filters whose conditions still stand in it remain; all others are now part of it.
export function editWritten(text: string): void {
  if (text === written.value) return;
  const columns = sourceColumns.value[source.value.key] ?? [];
  const base = text.trim() === '' || terms.value.length === 0 ? null : detached(text, columns, terms.value);
  if (base === null && terms.value.length > 0 && holdsConditions(text, columns, terms.value)) return void (draft.value = text);
  if (base === null) return writeSql(text);
  batch(() => {
    setSql(base);
    // The conditions are on the same columns until another search asks what they are.
    setSourceColumns(source.value.key, columns);
  });
}

// The range of a query; a link may also have it as the endpoint's parameters.
function rangeOf({ range: written, parameters }: Query): Range {
  const ranged = rangeParameters.value;
  const [from, to] = [parameters[ranged?.start ?? ''] ?? '', parameters[ranged?.end ?? ''] ?? ''];
  return from === '' && to === '' ? written : toRange({ from, to });
}

// Writes the query of a link, of the history or of the rows on screen.
export function setQuery(next: Query): void {
  batch(() => {
    values.value = { ...values.value, ...Object.fromEntries(formParameters.value.map(({ name }) => [name, ''])), ...next.parameters };
    range.value = rangeOf(next);
    if (!takesSql.value) return;
    setSql(next.sql);
    setLog(next.log ?? '');
    const { terms: read, problem } = parseSearch(next.search ?? '');
    setTerms(read);
    if (problem !== null) notice.value = `The search of this query cannot be read: ${problem}`;
  });
}

// Makes a query of its own of SQL that is no longer that of the filters.
export function settleDraft(): void {
  if (draft.value !== null) writeSql(draft.value);
}

export function forgetWritten(): void {
  sqlByEndpoint.value = {};
  logByEndpoint.value = {};
  termsByEndpoint.value = {};
  sourceColumns.value = {};
}

export function setValue(name: string, text: string): void {
  values.value = { ...values.value, [name]: text };
}

export function setRange(next: Range): void {
  range.value = next;
}

export function setComparing(on: boolean): void {
  comparing.value = on;
  writeLayout('compare', on);
}

export function setUtc(on: boolean): void {
  utc.value = on;
  writeLayout('utc', on);
}
