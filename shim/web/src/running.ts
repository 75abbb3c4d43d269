// Queries: opened with their parameters and SQL, run, cancelled, continued by pages; each run is in the browser's history.
import * as address from './address.ts';
import { type ChartChoice, fits } from './chart_choice.ts';
import { loadSource } from './catalog.ts';
import { callAt, chart, choseLog, compiled, endpointName, entry, entryProblem, failureOf, history, loadingMore, missing, notice, outcome, query, range, redact,
  selectEndpoint, selectedRow, server, setLog, setQuery, setRange, settleDraft, shown, sql } from './state.ts';
import { type Query, addToHistory, toFragment } from './storage.ts';
import { rangeWith } from './time.ts';
import { type LogWithRows, ownLogs, ownLogsWithRows } from './own_logs.ts';
import { counted } from './values.ts';

// Where a query that is opened came from: the address names it already, or a click on the page makes a new entry of it.
export type Origin = 'address' | 'page';

async function showAddress(made: Query, ran: boolean, origin: Origin): Promise<void> {
  if (origin === 'address') address.rename(toFragment(made), ran);
  else await address.enter(toFragment(made), ran);
}

// Shows another endpoint, with the parameters that it shares with the one before.
export function showEndpoint(name: string): void {
  if (name === endpointName.value) return;
  selectEndpoint(name);
  void showAddress(query.value, false, 'page');
}

export function openQuery(next: Query, andRun: boolean, origin: Origin): void {
  selectEndpoint(next.endpoint);
  setQuery(next);
  chart.value = next.chart ?? null;
  if (andRun && missing.value.length === 0) {
    void run(origin);
    return;
  }
  if (outcome.value.state === 'running') outcome.value.abort.abort();
  outcome.value = { state: 'idle' };
  void showAddress(query.value, false, origin);
}

// Writes the query of the rows on screen again.
export function restore(): void {
  const now = outcome.value;
  if (now.state !== 'rows') return;
  setQuery(now.query);
  redact.value = now.call.redact;
}

// Shows the rows of a log with rows.
export function openLog({ endpoint, log, newest }: LogWithRows, origin: Origin): void {
  const { parameters, range } = query.value;
  openQuery({ endpoint, parameters, sql: '', log, range: rangeWith(range, newest, new Date()) }, true, origin);
}

// Own logs begin with the rows of the one with the newest row, until somebody chooses another one, or the query of my.logs itself.
async function settleLog(): Promise<void> {
  if (endpointName.value !== ownLogs || choseLog.value || sql.value.trim() !== '') return;
  const [first] = await ownLogsWithRows(query.value.parameters['project']).catch(() => []);
  if (first === undefined || endpointName.value !== ownLogs || choseLog.value || sql.value.trim() !== '') return;
  setLog(first.log);
  setRange(rangeWith(range.value, first.newest, new Date()));
}

export async function run(origin: Origin = 'page'): Promise<void> {
  const first = missing.value[0];
  if (first !== undefined) {
    notice.value = `${first.name} needs a value`;
    document.getElementById('parameter-' + first.name)?.focus();
    return;
  }
  await settleLog();
  if (!(await canWrite(origin))) return;
  if (outcome.value.state === 'running') outcome.value.abort.abort();
  const abort = new AbortController();
  const call = callAt(new Date());
  const made = query.value;
  const past = shown.value;
  const before = past?.call.endpoint === call.endpoint ? { answer: past.answer, call: past.call, query: past.query } : null;
  outcome.value = { state: 'running', abort, since: performance.now(), before };
  history.value = addToHistory(history.value, made, Date.now());
  void showAddress(made, true, origin);
  selectedRow.value = null;
  const isCurrent = () => outcome.value.state === 'running' && outcome.value.abort === abort;
  try {
    const answer = await server.value.call(call, {}, abort.signal);
    if (!isCurrent()) return;
    outcome.value = { state: 'rows', answer, call, query: made };
    notice.value = counted(answer.rows.length, 'row');
    // What was chosen for other columns says nothing of these.
    if (chart.value !== null && chart.value !== 'none' && answer.rows.length > 1 && !fits(chart.value, answer)) setChart(null);
  } catch (error) {
    if (!isCurrent()) return;
    const failure = failureOf(error);
    outcome.value = abort.signal.aborted ? { state: 'cancelled' } : { state: 'failed', failure, query: made, sql: call.parameters['sql'] ?? '' };
    // The message itself is an alert where the rows would be, or below the SQL.
    notice.value = abort.signal.aborted ? 'Cancelled' : 'Failed';
    if (failure.status === 401) {
      entryProblem.value = failure.message;
      entry.value = 'asking';
    }
  }
}

// Reads the columns that the search needs. Where it cannot be written as SQL, the message stands below it, and nothing runs.
async function canWrite(origin: Origin): Promise<boolean> {
  settleDraft();
  if (compiled.value !== null && compiled.value.problem === null && compiled.value.problems.every((problem) => problem === null)) return true;
  const made = query.value;
  const failure = await loadSource();
  if (made.endpoint !== endpointName.value) return false;
  const problem = compiled.value?.problem ?? compiled.value?.problems.find((one) => one !== null) ?? null;
  if (failure === null && problem === null) return true;
  if (failure !== null) outcome.value = { state: 'failed', failure, query: made, sql: made.sql };
  notice.value = failure === null ? 'The search needs a change' : 'Failed';
  void showAddress(made, true, origin);
  return false;
}

export function cancel(): void {
  if (outcome.value.state !== 'running') return;
  outcome.value.abort.abort();
  outcome.value = { state: 'cancelled' };
  notice.value = 'Cancelled';
}

// Adds the rows of the next page to those that are there.
export async function loadMore(): Promise<void> {
  const above = outcome.value;
  if (above.state !== 'rows' || above.answer.cursor === null || loadingMore.value) return;
  loadingMore.value = true;
  try {
    const next = await server.value.call(above.call, { cursor: above.answer.cursor }, new AbortController().signal);
    // The live tail may have put rows on top meanwhile; the page belongs below them, unless the tail has cut what it follows.
    const now = outcome.value;
    if (now.state !== 'rows' || now.call !== above.call || now.answer.cursor !== above.answer.cursor) return;
    const rows = [...now.answer.rows, ...next.rows];
    outcome.value = { ...now, answer: { ...now.answer, rows, cursor: next.cursor, bytes: now.answer.bytes + next.bytes } };
    notice.value = counted(rows.length, 'row');
  } catch (error) {
    notice.value = `The next page failed: ${failureOf(error).message}`;
  } finally {
    loadingMore.value = false;
  }
}

// Draws the rows that are shown otherwise; the address, and so a link, carries the choice.
export function setChart(next: ChartChoice | 'none' | null): void {
  chart.value = next;
  const now = outcome.value;
  if (now.state !== 'rows') return;
  const { chart: before, ...rest } = now.query;
  address.rename(toFragment(next === null ? rest : { ...rest, chart: next }), true);
}
