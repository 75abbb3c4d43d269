// The most frequent values of the fields that matter, among all rows of the query on screen: a click makes a filter of one.
import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { Call, Row } from './api.ts';
import { allRows, topValuesSql, worstValuesSql } from './counting.ts';
import { markKind, markOf } from './marks.ts';
import { facetFields, findFields, shortName } from './search_fields.ts';
import { addFilter, removeFilter } from './searching.ts';
import { failureOf, rowColumns, rowFields, searchable, server, shown, sidebarOpen, terms } from './state.ts';
import type { FieldNode } from './types.ts';

const mostValues = 8;
// The number for a status or a level, whose bad values come first: the frequent ones are there, too.
const mostMarks = 16;

interface Counted {
  // Whose rows were counted: what was counted for those before stays on screen meanwhile.
  of: Call;
  values: { value: string | null; n: number }[];
  problem: string | null;
}

const counted = signal<Record<string, Counted>>({});

const keyOf = (path: FieldNode[]) => path.map(({ name }) => name).join('.');

const valueOf = (row: Row) => ({ value: row['value'] === null ? null : String(row['value']), n: Number(row['n']) });

async function count(call: Call, path: FieldNode[], signal: AbortSignal): Promise<void> {
  const sql = markKind(path.at(-1)?.name ?? '') === null ? topValuesSql(call, path, mostValues) : worstValuesSql(call, path, mostMarks);
  if (sql === null) return;
  let found: Counted;
  try {
    const { rows } = await server.value.call({ ...call, parameters: { ...call.parameters, sql } }, {}, signal);
    found = { of: call, values: rows.map(valueOf), problem: null };
  } catch (error) {
    if (signal.aborted) return;
    found = { of: call, values: [], problem: failureOf(error).message };
  }
  counted.value = { ...counted.value, [keyOf(path)]: found };
}

// The filter on this value, if there is one.
function filterOn(path: FieldNode[], value: string | null): number {
  return terms.value.findIndex((term) => {
    const same = keyOf(findFields(rowFields.value, term.field ?? [])[0] ?? []) === keyOf(path);
    return term.field !== null && same && (value === null ? term.operator === 'exists' && term.negated : term.operator === '=' && !term.negated && term.value === value);
  });
}

function Value({ path, value, n, most }: { path: FieldNode[]; value: string | null; n: number; most: number }) {
  const at = filterOn(path, value);
  const tone = markOf(path.at(-1)?.name ?? '', value)?.tone ?? 'none';
  const name = path.at(-1)?.name ?? '';
  const text = value === null ? 'NULL' : value === '' ? '""' : value;
  const names = path.map((node) => node.name);
  const filter = (negated: boolean) => {
    sidebarOpen.value = false;
    if (value === null) void addFilter(names, 'exists', '', !negated);
    else void addFilter(names, '=', value, negated);
  };
  return (
    <li class="facet-value" style={{ '--share': String(n / Math.max(1, most)) }}>
      <button type="button" class="facet-is" aria-pressed={at >= 0} title={at >= 0 ? `Remove the filter on ${text}` : `Only the rows with ${name} = ${text}`}
        onClick={() => (at >= 0 ? removeFilter(at) : filter(false))}>
        <bdi class={value === null ? 'null' : `tone-${tone}`}>{text}</bdi><span class="type">{n.toLocaleString('en')}</span>
      </button>
      <button type="button" class="quiet facet-not" aria-label={`Leave out ${name} = ${text}`} title="Leave these rows out" onClick={() => filter(true)}>≠</button>
    </li>
  );
}

function Facet({ path, call, first }: { path: FieldNode[]; call: Call; first: boolean }) {
  const [open, setOpen] = useState(first);
  const key = keyOf(path);
  const name = shortName(rowFields.value, path).join('.');
  const known = counted.value[key];
  const past = known !== undefined && known.of !== call;
  useEffect(() => {
    if (!open || first) return;
    const abort = new AbortController();
    void count(call, path, abort.signal);
    return () => abort.abort();
  }, [open, call]);
  const most = Math.max(1, ...(known?.values.map(({ n }) => n) ?? []));
  // A field that no row has is no facet that matters.
  if (first && known !== undefined && !past && known.problem === null && known.values.every(({ value }) => value === null)) return null;
  return (
    <section class={past ? 'facet past' : 'facet'} aria-busy={past} aria-label={`Values of ${name}`}>
      <h2><button type="button" aria-expanded={open} title={key} onClick={() => setOpen(!open)}><span class="twisty" aria-hidden="true" />{name}</button></h2>
      {open && known === undefined && <p class="hint">Counting…</p>}
      {open && known?.problem != null && <p class="hint problem">{known.problem}</p>}
      {open && known !== undefined && <ul>{known.values.map(({ value, n }) => <Value key={String(value)} path={path} value={value} n={n} most={most} />)}</ul>}
      {open && known !== undefined && known.problem === null && known.values.length === 0 && <p class="hint">No rows.</p>}
    </section>
  );
}

export function Facets({ matches }: { matches: (text: string) => boolean }) {
  const call = shown.value?.call ?? null;
  const { of, columns: fields } = rowColumns.value;
  const { first, others } = facetFields(fields);
  useEffect(() => {
    if (call === null || of !== call || first.length === 0) return;
    const abort = new AbortController();
    // One after the other: the rows on screen come first, and the first facets are those that people look at.
    void (async () => {
      for (const path of first) if (!abort.signal.aborted) await count(call, path, abort.signal);
    })();
    return () => abort.abort();
  }, [call, of]);
  if (!searchable.value) return <p class="hint">The rows of this endpoint cannot be searched.</p>;
  if (call === null || fields.length === 0 || allRows(call) === null) return <p class="hint">Run a query for rows of a log to see the values of their fields.</p>;
  const shownOf = (paths: FieldNode[][]) => paths.filter((path) => matches(keyOf(path)));
  return (
    <div class="facets">
      {shownOf(first).map((path) => <Facet key={keyOf(path)} path={path} call={call} first />)}
      {shownOf(others).length > 0 && <h2 class="more-fields">More fields</h2>}
      {shownOf(others).map((path) => <Facet key={keyOf(path)} path={path} call={call} first={false} />)}
    </div>
  );
}
