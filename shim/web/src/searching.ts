// The search over rows: what is written in its box becomes filters, and each change of the filters runs the query.
import { batch, computed, signal } from '@preact/signals';
import { loadSource } from './catalog.ts';
import { run } from './running.ts';
import { type Operator, type Term, parseSearch, withTerm, writeTerm } from './search.ts';
import { shortName } from './search_fields.ts';
import { conditionOf } from './search_sql.ts';
import { pathTo } from './conditions.ts';
import { compiled, endpointName, missing, setLog, setTerms, source, sourceColumns, terms, writeSql } from './state.ts';

export const box = signal('');
// What is wrong with what the box holds.
const boxProblem = signal<string | null>(null);
// The filter that the box holds again, to be changed.
export const editing = signal<number | null>(null);

export const searchProblem = computed(() => boxProblem.value ?? compiled.value?.problem ?? compiled.value?.problems.find((problem) => problem !== null) ?? null);

export function write(text: string): void {
  box.value = text;
  boxProblem.value = null;
}

export function clearBox(): void {
  write('');
  editing.value = null;
}

function change(next: Term[]): void {
  batch(() => {
    setTerms(next);
    clearBox();
  });
  if (missing.value.length === 0) void run();
  else void loadSource().then(() => run());
}

// Makes filters of what the box holds, and runs the query; what cannot be read stays in the box, with the reason below it.
export async function submit(): Promise<void> {
  const { terms: added, problem } = parseSearch(box.value);
  const of = endpointName.value;
  boxProblem.value = problem;
  if (problem !== null) return;
  const failure = added.length === 0 ? null : await loadSource(true);
  if (of !== endpointName.value) return;
  const columns = sourceColumns.value[source.value.key] ?? [];
  const conditions = failure === null ? added.map((term) => conditionOf(columns, term)) : [];
  boxProblem.value = failure?.message ?? conditions.flatMap((one) => ('problem' in one ? [one.problem] : []))[0] ?? null;
  if (boxProblem.value !== null) return;
  const at = editing.value;
  const kept = terms.value.filter((_, index) => index !== at);
  // What was edited keeps its place.
  change(at === null ? added.reduce(withTerm, kept) : [...kept.slice(0, at), ...added, ...kept.slice(at)]);
}

// Runs what is written, with what the search box still holds.
export function runWritten(): Promise<void> {
  return box.value.trim() === '' && editing.value === null ? run() : submit();
}

// The shortest name of the field that the names lead to.
async function nameOf(names: string[]): Promise<string[] | null> {
  const of = endpointName.value;
  await loadSource(true);
  if (of !== endpointName.value) return null;
  const columns = sourceColumns.value[source.value.key] ?? [];
  const path = pathTo(columns, names);
  return path === null ? names : shortName(columns, path);
}

// Puts the beginning of a filter into the box: the field contains this text, or the part of it that somebody leaves there.
export async function writeFilter(names: string[], value: string): Promise<void> {
  const field = await nameOf(names);
  const box = document.getElementById('search');
  if (field === null || !(box instanceof HTMLInputElement)) return;
  const text = writeTerm({ negated: false, field, operator: 'contains', value, exact: false });
  write(text);
  box.value = text;
  box.focus();
  box.setSelectionRange(text.indexOf(':~') + 2, text.length);
}

// Adds a filter on the field that the names lead to, under the shortest name that means it.
export async function addFilter(names: string[], operator: Operator, value: string, negated: boolean): Promise<void> {
  const field = await nameOf(names);
  if (field === null) return;
  // Digits have no upper case, and need no quotes.
  const exact = operator !== 'exists' && value.toLowerCase() !== value.toUpperCase() && operator !== 'contains';
  change(withTerm(terms.value, { negated, field, operator, value, exact }));
}

// Where among the filters this one is, whose field is named by its whole path.
const placeOf = (term: Term) => terms.value.findIndex((other) => other.field !== null && other.any === undefined &&
  writeTerm({ ...other, field: term.field }) === writeTerm(term) && term.field?.slice(-other.field.length).join('.') === other.field.join('.'));

export const isFiltered = (term: Term) => placeOf(term) >= 0;

// Adds the filter, whose field is named by its whole path, or removes it if it is there.
export async function toggleTerm(term: Term): Promise<void> {
  const at = placeOf(term);
  if (at >= 0) return removeFilter(at);
  const field = await nameOf(term.field ?? []);
  if (field !== null) change(withTerm(terms.value, { ...term, field }));
}

// Keeps the rows from one instant to another, for rows of an endpoint that takes no range of time.
export async function addTimes(column: string, from: string, to: string): Promise<void> {
  const field = await nameOf([column]);
  if (field === null) return;
  const others = terms.value.filter((term) => term.field?.join('.') !== field.join('.'));
  const bound = (operator: Operator, value: string): Term => ({ negated: false, field, operator, value, exact: false });
  change([...others, bound('>=', from), bound('<', to)]);
}

export function removeFilter(at: number): void {
  change(terms.value.filter((_, index) => index !== at));
}

export function removeAll(): void {
  change([]);
}

export function negateFilter(at: number): void {
  change(terms.value.map((term, index) => (index === at ? { ...term, negated: !term.negated } : term)));
}

// Puts a filter into the box, to be changed there.
export function editFilter(at: number): void {
  const term = terms.value[at];
  if (term === undefined) return;
  write(writeTerm(term));
  editing.value = at;
}

// Searches the rows of another log; SQL that was written was of the log before, and filters stay where the log has their fields.
// Without a name the endpoint's own query runs.
export function chooseLog(name: string): void {
  const kept = name === '' ? [] : terms.value;
  batch(() => {
    writeSql('');
    setLog(name);
    setTerms(kept);
  });
  void run();
}
