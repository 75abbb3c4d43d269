// How the console is entered and left: by a token, by a link with a code or a query, by Back and Forward.
import * as address from './address.ts';
import { exchangeCode } from './api.ts';
import { linkHints } from './link_hints.ts';
import { logsWithRows } from './own_logs.ts';
import { forgetProjects } from './projects.ts';
import { openLog, openQuery, run } from './running.ts';
import { loadServerQueries } from './server_queries.ts';
import { askedSignIn, chart, codeFailed, endpointName, endpoints, entry, entryProblem, failureOf, fields, forgetWritten, history, keeps, listsProjects, log, maySave, missing, notice, openedFrom, outcome, outdated, query, range, scope,
  selectEndpoint, selectedRow, server, serverQueries, sidebarOpen, signedIn, sourceColumns, takesSql, token, unusedOfLink, values, verdict } from './state.ts';
import { type Linked, clearHistory, fromFragment, onHistoryChange, readHistory, toFragment, writeToken } from './storage.ts';
import { defaultRange } from './time.ts';

// Opens the console with what the address and the tab hold: a code of a link, a token, or nothing.
export async function start(): Promise<void> {
  address.onMove((fragment) => void follow(fragment));
  onHistoryChange(() => (history.value = readHistory()));
  const { query: linked, code } = fromFragment(location.hash);
  if (code !== null && token.value !== '') {
    // Whoever sent the link must not decide as whom this tab works.
    address.rename('', false);
    await open(null, true);
    if (entry.value === 'open') return ask(code, linked);
  }
  if (code !== null) await takeCode(code, linked);
  await open(linked, true);
}

function ask(code: string, linked: Linked | null): void {
  address.rename(toFragment(query.value), false);
  askedSignIn.value = { code, linked };
}

// Signs in by the link that was asked about.
export async function acceptSignIn(): Promise<void> {
  const link = askedSignIn.value;
  if (link === null) return;
  askedSignIn.value = null;
  const problem = await takeCode(link.code, link.linked);
  if (problem !== null) {
    notice.value = `The sign-in link failed: ${problem}`;
    return;
  }
  forgetAnswers();
  await open(link.linked, false);
}

export function declineSignIn(): void {
  askedSignIn.value = null;
}

// Follows Back, Forward, or a link that was opened in a tab that has the console already: a query, or a code that signs in. Without a new fragment only what covered the page has gone.
async function follow(fragment: string | null): Promise<void> {
  const { cover } = address.place();
  if (cover !== 'sidebar') sidebarOpen.value = false;
  if (fragment === null) {
    if (cover !== 'row') selectedRow.value = null;
    return;
  }
  const { query: linked, code } = fromFragment(fragment);
  if (code !== null && entry.value === 'open') {
    ask(code, linked);
  } else if (code !== null) {
    await takeCode(code, linked);
    await open(linked, false);
  } else if (entry.value === 'open' && linked !== null) {
    openLinked(linked);
  }
}

// Exchanges a link's code for its token; what went wrong, or null. The exchange uses the code up: neither a reload nor the
// history of the browser needs it, and the address keeps only the query.
async function takeCode(code: string, linked: Linked | null): Promise<string | null> {
  const here = linked ?? (entry.value === 'open' ? query.value : null);
  address.rename(here === null ? '' : toFragment(here), linked !== null);
  try {
    useToken(await exchangeCode(code));
    entryProblem.value = null;
    codeFailed.value = false;
    return null;
  } catch (error) {
    const problem = failureOf(error).message;
    entryProblem.value = problem;
    codeFailed.value = true;
    return problem;
  }
}

// Drops what another token was shown.
function forgetAnswers(): void {
  serverQueries.value = { queries: [], problem: null };
  forgetProjects();
  maySave.value = false;
  openedFrom.value = null;
  if (outcome.value.state === 'running') outcome.value.abort.abort();
  outcome.value = { state: 'idle' };
  verdict.value = null;
  fields.value = {};
  sourceColumns.value = {};
  selectedRow.value = null;
}

function openLinked(linked: Linked): boolean {
  const known = endpoints.value.find((one) => one.name === linked.endpoint);
  if (known !== undefined) {
    openQuery(linked, address.place().ran, 'address');
    unusedOfLink.value = linkHints(linked, known);
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
  signedIn.value = true;
  await open(fromFragment(location.hash).query, false);
  if (entry.value !== 'open') signedIn.value = false;
}

// Also drops what was written and asked: the next one at this browser may be somebody else. Saved queries stay.
export function signOut(): void {
  useToken('');
  endpoints.value = [];
  endpointName.value = '';
  scope.value = null;
  askedSignIn.value = null;
  forgetAnswers();
  history.value = [];
  clearHistory();
  values.value = {};
  forgetWritten();
  range.value = defaultRange;
  chart.value = null;
  notice.value = '';
  address.rename('', false);
  entryProblem.value = null;
  entry.value = 'asking';
}

// Runs the query that the console opens with; where it has no rows, that of a log that has some, unless somebody went on meanwhile.
async function openWhereRowsAre(): Promise<void> {
  await run('address');
  const now = outcome.value;
  if (now.state !== 'rows' || now.answer.rows.length > 0) return;
  const [first] = await logsWithRows(now.call, log.value);
  if (first !== undefined && outcome.value === now && !outdated.value) openLog(first, 'address');
}

async function open(linked: Linked | null, atStart: boolean): Promise<void> {
  try {
    const list = await server.value.endpoints();
    endpoints.value = list.endpoints;
    scope.value = list.project ?? null;
    keeps.value = list.saves_queries === true;
    listsProjects.value = list.lists_projects === true;
    void loadServerQueries();
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
  if (last !== undefined && known(last.endpoint)) return openQuery(last, false, 'address');
  selectEndpoint(first);
  address.rename(toFragment(query.value), false);
  // A token that says which project it is for needs no question: its rows are there at once.
  if (takesSql.value && missing.value.length === 0) await openWhereRowsAre();
}
