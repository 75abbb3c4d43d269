// What the history calls each past query: its log and its condition, and where that is what its neighbours are called, too, the part
// in which it differs from them.
import { logAndCondition } from './sql_text.ts';
import type { Past, Query } from './storage.ts';
import { rangeLabel } from './time.ts';

const oneLine = (sql: string) => sql.trim().replaceAll(/\s+/g, ' ');

const parametersOf = ({ parameters }: Query) => Object.entries(parameters).map(([name, value]) => `${name}=${value}`).join(' ');

function titleOf(query: Query): string {
  if (query.search !== undefined && query.sql.trim() === '') return `${query.log === undefined ? '' : `${query.log} · `}${query.search}`;
  if (query.sql.trim() === '') return query.log ?? (parametersOf(query) || query.endpoint);
  const { log, condition } = logAndCondition(query.sql);
  const rest = condition ?? oneLine(query.sql);
  return log === null ? rest : `${log} · ${rest}`;
}

// The text from where it parts from the other, with the word there or before; null where it is the beginning of the other.
function partedFrom(text: string, other: string): string | null {
  let at = 0;
  while (at < text.length && text[at] === other[at]) ++at;
  if (at === text.length) return null;
  const word = Math.max(0, text.slice(0, at).search(/[^\s,(]+\s*$/));
  return `${word === 0 ? '' : '…'}${text.slice(word)}`;
}

// What the query has that the other one has not: SQL from where they part, else other parameters, else another range.
function differenceOf(query: Query, other: Query, utc: boolean): string | null {
  if ((query.search ?? '') !== (other.search ?? '')) return query.search ?? null;
  const [sql, otherSql] = [oneLine(query.sql), oneLine(other.sql)];
  if (sql !== otherSql) return partedFrom(sql, otherSql);
  const changed = Object.entries(query.parameters).filter(([name, value]) => other.parameters[name] !== value);
  if (changed.length > 0) return changed.map(([name, value]) => `${name}=${value}`).join(' ');
  const [range, otherRange] = [rangeLabel(query.range, utc), rangeLabel(other.range, utc)];
  return range === otherRange ? null : range;
}

// A title for each entry of the history, the newest first.
export function titlesOf(history: Past[], utc: boolean): string[] {
  const plain = history.map(({ query }) => titleOf(query));
  return history.map(({ query }, index) => {
    const title = plain[index] ?? '';
    // The one that ran before it is what it was made of.
    const twin = [index + 1, index - 1].find((at) => plain[at] === title && history[at]?.query.endpoint === query.endpoint);
    const other = twin === undefined ? undefined : history[twin]?.query;
    const difference = other === undefined ? null : differenceOf(query, other, utc);
    if (difference === null) return title;
    const { log } = logAndCondition(query.sql);
    return log === null ? difference : `${log} · ${difference}`;
  });
}
