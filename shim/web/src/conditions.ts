// The SQL that keeps, or leaves out, the rows that have one value of a row: with the joins that reach a nested field, and with the
// value as a literal of the field's type.
import { quoted } from './sql_text.ts';
import { timeOf } from './time.ts';
import { type FieldNode, isNumberType } from './types.ts';

const escapes: Record<string, string> = { '\\': '\\\\', "'": "\\'", '\n': '\\n', '\r': '\\r', '\t': '\\t', '\0': '\\x00' };

export const textLiteral = (text: string) => `'${text.replaceAll(/[\\'\n\r\t\0]/g, (character) => escapes[character] ?? character)}'`;

// An instant to the microsecond, as it travels: microseconds since 1970, or ISO text.
function instantText(value: unknown): string | null {
  const milliseconds = timeOf(value);
  if (milliseconds === null) return null;
  const micros = /^\d+$/.test(String(value)) ? String(value).slice(-3) : '000';
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

// A condition that keeps the rows that have the value at the end of the path, or, not `keeps`, leaves them out. A row that lacks the
// field, or has NULL there, does not have the value. Null where SQL cannot write the value.
export function conditionFor(path: FieldNode[], value: unknown, keeps: boolean): string | null {
  const leaf = path.at(-1);
  if (leaf === undefined || leaf.fields.length > 0) return null;
  const isNull = value === null || value === undefined;
  const written = isNull ? null : literal(value, leaf.repeated ? leaf.type.replace(/^ARRAY<(.*)>$/, '$1') : leaf.type);
  if (!isNull && written === null) return null;
  let owner = '';
  const lists: string[] = [];
  // Each list on the way is unnested inside of EXISTS: a join would give a row for each of its elements.
  for (const node of path) {
    const place = owner + quoted(node.name);
    if (node.repeated) {
      lists.push(`unnest(${place}) as r${lists.length + 1}`);
      owner = node.fields.length > 0 ? `r${lists.length}.` : `r${lists.length}`;
    } else {
      owner = node === leaf ? place : `${place}.`;
    }
  }
  if (lists.length > 0) return `${keeps ? '' : 'not '}exists (select 1 from ${lists.join(' cross join ')} where ${owner} ${isNull ? 'is null' : `= ${written}`})`;
  if (isNull) return `${owner} is ${keeps ? '' : 'not '}null`;
  return keeps ? `${owner} = ${written}` : `${owner} is distinct from ${written}`;
}
