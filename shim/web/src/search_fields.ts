// Which field of a row a name in a search means, the fields that people ask for first, and the shortest name of a field.
import { levels, statuses } from './marks.ts';
import type { FieldNode } from './types.ts';

// What a row's status and level are called, in the order of what people look at first.
const known = {
  status: statuses,
  level: levels,
  method: ['method', 'http_method', 'request_method', 'verb'],
  path: ['path', 'pathname', 'request_path', 'url_path', 'route', 'url'],
};

// After those: where a request went and came from, and which part of a system a row is of.
const further = ['host', 'function_id', 'service', 'service_name', 'event_type', 'action', 'user_name', 'application_name', 'command_tag', 'sql_state_code', 'country'];

export type Kind = keyof typeof known;

// Names of rows and times, of which each row has another value.
const unique = new Set(['id', 'timestamp', 'event_message']);

// All fields that hold values, each with the records on the way, the outer ones first.
export function leavesOf(columns: FieldNode[]): FieldNode[][] {
  const leaves: FieldNode[][] = [];
  let level = columns.map((node) => [node]);
  while (level.length > 0) {
    leaves.push(...level.filter((path) => (path.at(-1)?.fields.length ?? 0) === 0));
    level = level.flatMap((path) => (path.at(-1)?.fields ?? []).map((node) => [...path, node]));
  }
  return leaves;
}

const namesOf = (path: FieldNode[]) => path.map(({ name }) => name);
const lower = (text: string) => text.toLowerCase();

function endsWith(path: FieldNode[], names: string[], fold: (text: string) => string): boolean {
  const whole = namesOf(path).slice(-names.length);
  return path.length >= names.length && whole.every((name, at) => fold(name) === fold(names[at] ?? ''));
}

const same = (text: string) => text;

// The fields that the names mean: the one with this whole path, else the outermost ones whose path ends so; upper and lower case count
// only where both are there.
export function findFields(columns: FieldNode[], names: string[]): FieldNode[][] {
  const leaves = names.length === 0 ? [] : leavesOf(columns);
  for (const fold of [same, lower]) {
    const whole = leaves.filter((path) => path.length === names.length && endsWith(path, names, fold));
    if (whole.length > 0) return whole.slice(0, 1);
    const found = leaves.filter((path) => endsWith(path, names, fold));
    const depth = Math.min(...found.map((path) => path.length));
    if (found.length > 0) return found.filter((path) => path.length === depth);
  }
  // A log whose status is called otherwise has one all the same.
  const kind = names.length === 1 ? (Object.keys(known) as Kind[]).find((one) => one === lower(names[0] ?? '')) : undefined;
  const alias = kind === undefined ? null : knownField(columns, kind);
  return alias === null ? [] : [alias];
}

// The row's field of this kind, by the names that such fields have.
export function knownField(columns: FieldNode[], kind: Kind): FieldNode[] | null {
  for (const name of known[kind]) {
    const found = leavesOf(columns).find((path) => lower(path.at(-1)?.name ?? '') === name);
    if (found !== undefined) return found;
  }
  return null;
}

// The field by which rows are coloured: the status, else the level.
export function markField(columns: FieldNode[]): { kind: 'status' | 'level'; path: FieldNode[] } | null {
  const status = knownField(columns, 'status');
  if (status !== null) return { kind: 'status', path: status };
  const level = knownField(columns, 'level');
  return level === null ? null : { kind: 'level', path: level };
}

// The fields whose top values are worth a look: the known ones first, in the order of what people ask for, then all others as they stand.
export function facetFields(columns: FieldNode[]): { first: FieldNode[][]; others: FieldNode[][] } {
  const leaves = leavesOf(columns).filter((path) => /^(STRING|INT64|BOOL|FLOAT64)$/.test(path.at(-1)?.type ?? '') && !unique.has(path.at(-1)?.name ?? ''));
  const first = (Object.keys(known) as Kind[]).map((kind) => knownField(columns, kind)).filter((path) => path !== null);
  for (const name of further) {
    const found = leaves.find((path) => path.at(-1)?.name === name);
    if (found !== undefined && first.length < 6) first.push(found);
  }
  const keys = new Set(first.map((path) => JSON.stringify(namesOf(path))));
  return { first, others: leaves.filter((path) => !keys.has(JSON.stringify(namesOf(path)))) };
}

// The shortest end of the path that means this field.
export function shortName(columns: FieldNode[], path: FieldNode[]): string[] {
  const names = namesOf(path);
  for (let length = 1; length < names.length; ++length) {
    const found = findFields(columns, names.slice(-length));
    if (found.length === 1 && JSON.stringify(namesOf(found[0] ?? [])) === JSON.stringify(names)) return names.slice(-length);
  }
  return names;
}

// The steps from one text to the other, each a character that is added, left out or changed; more than `most` is not counted.
function distance(left: string, right: string, most: number): number {
  if (Math.abs(left.length - right.length) > most) return most + 1;
  let before = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let row = 1; row <= left.length; ++row) {
    const now = [row];
    for (let at = 1; at <= right.length; ++at) {
      const changed = (before[at - 1] ?? 0) + (left[row - 1] === right[at - 1] ? 0 : 1);
      now.push(Math.min(changed, (before[at] ?? 0) + 1, (now[at - 1] ?? 0) + 1));
    }
    before = now;
  }
  return before[right.length] ?? most + 1;
}

// Fields with names like this one: those that hold it, or that differ in few letters.
export function nearNames(columns: FieldNode[], name: string): string[] {
  const wanted = lower(name).slice(0, 100);
  const names = [...new Set(leavesOf(columns).map((path) => path.at(-1)?.name ?? ''))];
  const most = Math.max(1, Math.floor(wanted.length / 3));
  const rated = names.map((other) => {
    const text = lower(other);
    const holds = wanted.length > 2 && (text.includes(wanted) || (text.length > 2 && wanted.includes(text)));
    return { other, far: holds ? 0.5 : distance(wanted, text, most) };
  });
  return rated.filter(({ far }) => far <= most).sort((left, right) => left.far - right.far).slice(0, 4).map(({ other }) => other);
}
