// SQL that counts the rows of a query: over time, in parts by a field, and by the values of a field.
import type { Call, Row } from './api.ts';
import { literal } from './conditions.ts';
import { type Tone, toneOfLevel, toneOfStatus, valueAt } from './marks.ts';
import type { Term } from './search.ts';
import { withoutLimit, quoted } from './sql_text.ts';
import { Joins, defaultLog } from './templates.ts';
import { type FieldNode, isNumberType } from './types.ts';

// All rows of the call's query, as what stands behind FROM: the answer itself has only the newest. Null where SQL cannot say which
// rows these are: those of another endpoint's own query, and of SQL whose LIMIT stays.
export function allRows(call: Call): string | null {
  const given = (call.parameters['sql'] ?? '').trim();
  if (given === '' && call.endpoint !== 'logs.all') return null;
  const all = withoutLimit(given);
  if (all === null) return null;
  return given === '' ? defaultLog : `(\n${all}\n)`;
}

// What the bars of a histogram are split by: the class of a status, a level, or the most frequent values of any field.
export interface Split {
  path: FieldNode[];
  kind: 'status' | 'level' | 'value';
  // Of a value: those with a part of their own.
  values: string[];
}

const mostParts = 5;
// A status or a level has fewer values.
const mostCounted = 1000;

// The part of a row, as SQL over its field.
function partOf(place: string, { path, kind, values }: Split): string {
  const type = path.at(-1)?.type ?? '';
  if (kind === 'status' && isNumberType(type)) return `concat(cast(div(${place}, 100) as string), 'xx')`;
  if (kind === 'level') return `upper(${place})`;
  const known = values.flatMap((value) => literal(value, type) ?? []);
  const text = `cast(${place} as string)`;
  return known.length === 0 ? text : `if(${place} in (${known.join(', ')}), ${text}, if(${place} is null, null, '${otherParts}'))`;
}

// The value of the field in a row; null where the row lacks it.
export function textOf(row: Row, { path }: Split): string | null {
  const value = valueAt(row, path.map(({ name }) => name));
  return value === undefined || value === null || typeof value === 'object' ? null : String(value);
}

// The part of a row that is there, as `partOf` would have it.
export function partOfRow(row: Row, split: Split): string {
  const text = textOf(row, split);
  if (text === null) return noPart;
  if (split.kind === 'status' && isNumberType(split.path.at(-1)?.type ?? '')) return `${Math.trunc(Number(text) / 100)}xx`;
  if (split.kind === 'level') return text.toUpperCase();
  return split.kind === 'status' || split.values.includes(text) ? text : otherParts;
}

// The most frequent of these values, as `topValuesSql` would have them.
export function topValues(texts: (string | null)[], most = mostParts): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) if (text !== null) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([left, n], [right, m]) => m - n || (left < right ? -1 : 1)).slice(0, most).map(([text]) => text);
}

// Counts these rows over time, in buckets of `step` seconds, and in parts.
export function histogramSql(call: Call, time: string, step: number, split: Split | null): string | null {
  const rows = allRows(call);
  if (rows === null) return null;
  const joins = new Joins('left');
  const part = split === null ? null : partOf(joins.reach(split.path), split);
  const bucket = `timestamp_micros(div(unix_micros(t.${quoted(time)}), ${step * 1_000_000}) * ${step * 1_000_000})`;
  return part === null ? `select ${bucket} as bucket, count(*) as n from ${rows} as t group by 1 order by 1`
    : `select ${bucket} as bucket, ${part} as part, count(*) as n from ${rows} as t${joins}\ngroup by 1, 2 order by 1`;
}

// When the first and the last of these rows were.
export function extentSql(call: Call, time: string): string | null {
  const rows = allRows(call);
  return rows === null ? null : `select min(${quoted(time)}) as first, max(${quoted(time)}) as last from ${rows}`;
}

// Values that tell of something bad, the worst first, as patterns of their text in lower case.
const badFirst = ['^5[0-9][0-9]$', '^4[0-9][0-9]$', '^(fatal|panic|emerg|alert|crit)', '^(err|severe)', '^warn'];

// The values of a field with a status or a level among all rows of the query: the bad ones first, however few rows have them.
export function worstValuesSql(call: Call, path: FieldNode[], most: number): string | null {
  const counted = topValuesSql(call, path, mostCounted);
  if (counted === null) return null;
  const rank = badFirst.map((pattern, at) => `when regexp_contains(lower(value), r'${pattern}') then ${at}`).join(' ');
  return `select value, n from (\n${counted}\n)\norder by case ${rank} else ${badFirst.length} end, n desc, value limit ${most}`;
}

// The most frequent values of a field among all rows of the query, and how many rows have each.
export function topValuesSql(call: Call, path: FieldNode[], most = mostParts): string | null {
  const rows = allRows(call);
  if (rows === null) return null;
  const joins = new Joins('left');
  const place = joins.reach(path);
  // A date and a time are counted as their text.
  return `select cast(${place} as string) as value, count(*) as n from ${rows} as t${joins}\ngroup by 1 order by n desc, value limit ${most}`;
}

// The part of the rows without a value, which no value of a field is.
export const noPart = '\0';
export const otherParts = 'other values';

// The filter that keeps the rows of a part; null for what no single filter finds.
export function termOfPart({ path, kind }: Split, part: string): Term | null {
  const field = path.map(({ name }) => name);
  if (part === noPart) return { negated: true, field, operator: 'exists', value: '', exact: false };
  if (kind === 'value' && part === otherParts) return null;
  const number = isNumberType(path.at(-1)?.type ?? '');
  if (kind === 'status' && number) return /^[1-9]xx$/.test(part) ? { negated: false, field, operator: '=', value: part, exact: false } : null;
  // The levels of rows are counted in upper case.
  return { negated: false, field, operator: '=', value: part, exact: kind !== 'level' && !number && part.toLowerCase() !== part.toUpperCase() };
}

export type Shade = Tone | 'other';

// The order in which parts lie upon each other, the first on top, and the shade of each; null: a colour of its own. Rows without a value
// come first, then those with other values than the named ones, so that they are the last in a legend.
export function orderParts(kind: Split['kind'], parts: Map<string, number>): { part: string; tone: Shade | null }[] {
  const toneOf = (part: string): Shade | null => {
    if (part === noPart) return 'none';
    if (kind === 'value') return part === otherParts ? 'other' : null;
    const tone = kind === 'level' ? toneOfLevel(part) : toneOfStatus(part.replace('xx', '00'));
    return tone === 'none' ? null : tone;
  };
  const ranks: (Shade | null)[] = ['none', 'other', null, 'info', 'ok', 'warn', 'error'];
  return [...parts.keys()].map((part) => ({ part, tone: toneOf(part) }))
    .sort((left, right) => ranks.indexOf(left.tone) - ranks.indexOf(right.tone) || (parts.get(left.part) ?? 0) - (parts.get(right.part) ?? 0));
}
