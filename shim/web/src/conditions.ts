// Conditions of SQL on one field of a row: with the lists that lead to a nested field, and values as literals of the field's type.
import { quoted } from './sql_text.ts';
import { timeOf } from './time.ts';
import { type FieldNode, isNumberType } from './types.ts';

const escapes: Record<string, string> = { '\\': '\\\\', "'": "\\'", '\n': '\\n', '\r': '\\r', '\t': '\\t', '\0': '\\x00' };

export const textLiteral = (text: string) => `'${text.replaceAll(/[\\'\n\r\t\0]/g, (character) => escapes[character] ?? character)}'`;

// An instant to the microsecond, as it travels or as a copy has it: microseconds since 1970, or ISO text.
function instantText(value: unknown): string | null {
  const milliseconds = timeOf(value);
  if (milliseconds === null) return null;
  const micros = /^\d+$/.test(String(value)) ? String(value).slice(-3) : (/\.\d{3}(\d{3})/.exec(String(value))?.[1] ?? '000');
  return `${new Date(Math.floor(milliseconds)).toISOString().slice(0, 23)}${micros}+00`.replace('T', ' ');
}

// The value as SQL of this type; null where SQL has no way to write it, as for a record or a NaN.
export function literal(value: unknown, type: string): string | null {
  const text = String(value);
  const base = type.replace(/\(.*$/, '');
  if (base === 'STRING') return typeof value === 'string' ? textLiteral(value) : null;
  if (base === 'BOOL') return /^(true|false)$/.test(text) ? text : null;
  if (isNumberType(base)) {
    if (!/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return null;
    return base === 'NUMERIC' || base === 'BIGNUMERIC' ? `${base.toLowerCase()} '${text}'` : text;
  }
  if (base === 'TIMESTAMP') {
    const instant = instantText(value);
    return instant === null ? null : `timestamp ${textLiteral(instant)}`;
  }
  return base === 'DATE' || base === 'DATETIME' || base === 'TIME' ? `${base.toLowerCase()} ${textLiteral(text)}` : null;
}

// The field that the names lead to, with the records on the way; null where these columns have none.
export function pathTo(columns: FieldNode[], names: string[]): FieldNode[] | null {
  const path: FieldNode[] = [];
  let level = columns;
  for (const name of names) {
    const node = level.find((one) => one.name === name);
    if (node === undefined) return null;
    path.push(node);
    level = node.fields;
  }
  return path;
}

// Where the value at the end of the path is, with the lists on the way: `place` is SQL inside of EXISTS over them, since a join would
// give a row for each of their elements.
function reach(path: FieldNode[]): { place: string; lists: string[] } {
  let owner = '';
  const lists: string[] = [];
  path.forEach((node, at) => {
    const place = owner + quoted(node.name);
    if (node.repeated) {
      lists.push(`unnest(${place}) as r${lists.length + 1}`);
      owner = node.fields.length > 0 ? `r${lists.length}.` : `r${lists.length}`;
    } else {
      owner = at === path.length - 1 ? place : `${place}.`;
    }
  });
  return { place: owner, lists };
}

const exists = (lists: string[], condition: string) => `exists (select 1 from ${lists.join(' cross join ')} where ${condition})`;

// A condition on the value at the end of the path: `test` makes it of the value's place. Negated, it keeps all other rows, also those
// that lack the field or have NULL there.
export function conditionOn(path: FieldNode[], test: (place: string) => string, negated: boolean): string {
  const { place, lists } = reach(path);
  if (lists.length > 0) return `${negated ? 'not ' : ''}${exists(lists, test(place))}`;
  return negated ? `not ifnull(${test(place)}, false)` : test(place);
}

// A condition that keeps the rows that have the value, as SQL writes it, at the end of the path, or, not `keeps`, leaves them out.
export function conditionFor(path: FieldNode[], written: string, keeps: boolean): string {
  const { place, lists } = reach(path);
  return lists.length > 0 || keeps ? conditionOn(path, (at) => `${at} = ${written}`, !keeps) : `${place} is distinct from ${written}`;
}

// Whether the field has a value: in any element of its lists.
export function conditionExists(path: FieldNode[], negated: boolean): string {
  const { place, lists } = reach(path);
  return lists.length > 0 ? `${negated ? 'not ' : ''}${exists(lists, `${place} is not null`)}` : `${place} is ${negated ? '' : 'not '}null`;
}
