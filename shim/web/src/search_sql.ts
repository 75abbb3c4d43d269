// The terms of a search as conditions of SQL, and the query with them. What somebody wrote is only ever a literal.
import { conditionExists, conditionFor, conditionOn, literal, textLiteral } from './conditions.ts';
import { namedMessage } from './log_shape.ts';
import { type Term, writeField } from './search.ts';
import { findFields, nearNames } from './search_fields.ts';
import { withCondition } from './sql_text.ts';
import { type FieldNode, isNumberType } from './types.ts';

export type Condition = { sql: string } | { problem: string };

const contains = (place: string, value: string) => `strpos(lower(${place}), lower(${textLiteral(value)})) > 0`;

// Words are looked for in the message; rows without one are searched in all of their texts.
function textPlaces(columns: FieldNode[]): FieldNode[] {
  const message = namedMessage(columns);
  return message !== null ? [message] : columns.filter(({ type, repeated }) => type === 'STRING' && !repeated);
}

// What a filter calls the place that words are looked for in; without columns nobody knows it yet.
export function searchedText(columns: FieldNode[] | undefined): string {
  const names = textPlaces(columns ?? []).map(({ name }) => name);
  const [first] = names;
  if (first === undefined) return 'text';
  return names.length <= 3 ? names.join(' or ') : `any of ${names.length} texts`;
}

function textCondition(columns: FieldNode[], { value, negated }: Term): Condition {
  const places = textPlaces(columns);
  if (places.length === 0) return { problem: `These rows have no text; write field:${value} for the field to look in.` };
  const tests = places.map((node) => conditionOn([node], (place) => contains(place, value), false));
  if (tests.length === 1) return { sql: negated ? `not ifnull(${tests[0]}, false)` : (tests[0] ?? '') };
  const any = tests.map((test) => `ifnull(${test}, false)`).join(' or ');
  return { sql: `${negated ? 'not ' : ''}(${any})` };
}

// "5xx" of a number: from 500 to 599.
const classOf = (value: string) => (/^[1-9]xx$/i.test(value) ? Number(value[0]) * 100 : null);

// What a value has to be: the same as `equals`, which is SQL, or what the test says of its place.
type Comparison = { equals: string } | { test: (place: string) => string } | { problem: string };

function compared(leaf: FieldNode, term: Term, shown: string): Comparison {
  const type = leaf.repeated ? leaf.type.replace(/^ARRAY<(.*)>$/, '$1') : leaf.type;
  const { operator, value } = term;
  if (operator === 'contains') return { test: (place) => contains(type === 'STRING' ? place : `cast(${place} as string)`, value) };
  const hundred = isNumberType(type) && operator === '=' ? classOf(value) : null;
  if (hundred !== null) return { test: (place) => `(${place} >= ${hundred} and ${place} < ${hundred + 100})` };
  if (type === 'STRING') return comparedText(term);
  const written = literal(value, type);
  if (written !== null) return operator === '=' ? { equals: written } : { test: (place) => `${place} ${operator} ${written}` };
  const right: Record<string, string> = { BOOL: 'true or false', TIMESTAMP: 'a time such as 2026-11-25T14:05:00Z', DATE: 'a date such as 2026-11-25' };
  const base = type.replace(/\(.*$/, '');
  const wanted = isNumberType(base) ? 'a number' : right[base];
  return { problem: wanted === undefined ? `${shown} has the type ${type.toLowerCase()}: ${shown}:* asks for rows that have it.` : `${shown} is ${wanted}, and "${value.slice(0, 60)}" is not.` };
}

// Texts of numbers are compared as numbers.
function comparedText({ operator, value, exact }: Term): Comparison {
  const written = textLiteral(value);
  if (operator === '=') return exact || value.toLowerCase() === value.toUpperCase() ? { equals: written } : { test: (place) => `lower(${place}) = lower(${written})` };
  const number = !exact && /^-?\d+(\.\d+)?$/.test(value);
  return { test: (place) => (number ? `safe_cast(${place} as float64) ${operator} ${value}` : `${place} ${operator} ${written}`) };
}

function unknownField(columns: FieldNode[], names: string[]): string {
  const shown = writeField(names);
  const record = columns.some(function holds(node): boolean {
    return (node.name === names.at(-1) && node.fields.length > 0) || node.fields.some(holds);
  });
  if (record) return `${shown} is a record; write one of its fields, such as ${shown}.${firstField(columns, names.at(-1) ?? '')}.`;
  const near = nearNames(columns, names.at(-1) ?? '');
  const hint = near.length > 0 ? `Near names are ${near.join(', ')}.` : 'The log on the left lists them.';
  return `These rows have no field ${shown}. ${hint} To look for it as text, put it in quotes.`;
}

function firstField(columns: FieldNode[], name: string): string {
  for (const node of columns) {
    if (node.name === name) return node.fields[0]?.name ?? '';
    const inner = firstField(node.fields, name);
    if (inner !== '') return inner;
  }
  return '';
}

// One of the lists holds, each with all of its terms. A field that a row lacks makes a condition NULL, which does not hold.
function groupCondition(columns: FieldNode[], any: Term[][], negated: boolean): Condition {
  const lists = any.map((terms) => terms.map((term) => conditionOf(columns, term)));
  const problem = lists.flat().find((one) => 'problem' in one);
  if (problem !== undefined) return problem;
  const tests = lists.map((list) => {
    const all = list.flatMap((one) => ('sql' in one ? [one.sql] : []));
    return all.length === 1 ? (all[0] ?? '') : `(${all.join(' and ')})`;
  });
  const whole = `(${tests.join(' or ')})`;
  return { sql: negated ? `not ifnull(${whole}, false)` : whole };
}

// The condition of a term on rows with these columns.
export function conditionOf(columns: FieldNode[], term: Term): Condition {
  if (term.any !== undefined) return groupCondition(columns, term.any, term.negated);
  if (term.field === null) return textCondition(columns, term);
  const shown = writeField(term.field);
  const [path, ...more] = findFields(columns, term.field);
  const leaf = path?.at(-1);
  if (path === undefined || leaf === undefined) return { problem: unknownField(columns, term.field) };
  if (more.length > 0) {
    const all = [path, ...more].slice(0, 4).map((one) => writeField(one.map(({ name }) => name)));
    return { problem: `${shown} is in several places: write ${all.slice(0, -1).join(', ')} or ${all.at(-1)}.` };
  }
  if (term.operator === 'exists') return { sql: conditionExists(path, term.negated) };
  const test = compared(leaf, term, shown);
  if ('problem' in test) return test;
  return { sql: 'equals' in test ? conditionFor(path, test.equals, !term.negated) : conditionOn(path, test.test, term.negated) };
}

export interface Compiled {
  sql: string;
  // Of each term what is wrong with it, or null; and of the query, if it can take no condition.
  problems: (string | null)[];
  problem: string | null;
}

// The query with the conditions of these terms on its rows, which have these columns.
export function compile(base: string, columns: FieldNode[], terms: Term[]): Compiled {
  const conditions = terms.map((term) => conditionOf(columns, term));
  const problems = conditions.map((condition) => ('problem' in condition ? condition.problem : null));
  const written = conditions.flatMap((condition) => ('sql' in condition ? [condition.sql] : []));
  if (written.length === 0) return { sql: base, problems, problem: null };
  const sql = withCondition(base, written.join('\n  and '), columns.map(({ name }) => name));
  return sql === null ? { sql: base, problems, problem: 'The LIMIT is in the middle of the SQL, so no search can be added to it: write the condition before it.' } : { sql, problems, problem: null };
}

function conditionText(columns: FieldNode[], terms: Term[]): string {
  return terms.map((term) => conditionOf(columns, term)).flatMap((condition) => ('sql' in condition ? [condition.sql] : [])).join('\n  and ');
}

// Whether the conditions of these terms stand in the SQL as they were written.
export const holdsConditions = (sql: string, columns: FieldNode[], terms: Term[]) => conditionText(columns, terms) !== '' && sql.includes(conditionText(columns, terms));

// The query that somebody edited without the conditions of these terms: what the search is added to, if it still gives that query.
// Null where the conditions were edited, too.
export function detached(edited: string, columns: FieldNode[], terms: Term[]): string | null {
  const text = conditionText(columns, terms);
  const at = edited.indexOf(text);
  if (text === '' || at < 0) return null;
  const [before, after] = [edited.slice(0, at), edited.slice(at + text.length)];
  const whole = /\n\s*where $/i.test(before) ? before.replace(/\n\s*where $/i, '') : /\n\s*and $/i.test(before) ? before.replace(/\n\s*and $/i, '') : null;
  if (whole === null) return null;
  const base = whole + after;
  return compile(base, columns, terms).sql === edited ? base : null;
}
