// Queries to begin with: for a log's newest rows, its rows over time, one of its fields, and for what its fields allow to ask.
import { quoted } from './sql_text.ts';
import { type FieldNode, isNumberType, isTimeType } from './types.ts';

// The log that logs.all shows without SQL.
export const defaultLog = 'edge_logs';

// The column that says when a row was: `timestamp` as the built-in logs have it, else the first that holds a time.
export function timeColumn(fields: FieldNode[]): FieldNode | null {
  const times = fields.filter(({ type, repeated }) => !repeated && isTimeType(type));
  return times.find(({ name }) => name === 'timestamp') ?? times.find(({ type }) => type === 'TIMESTAMP') ?? times[0] ?? null;
}

function newestFirst(fields: FieldNode[]): string {
  const time = timeColumn(fields);
  return time === null ? '' : `\norder by ${quoted(time.name)} desc`;
}

// A query for the newest rows of a log with these fields.
export function templateForRows(table: string, fields: FieldNode[]): string {
  const has = (name: string) => fields.some((field) => field.name === name);
  const log = has('timestamp') && has('event_message');
  // The id leads to further pages, and the metadata is what a row's detail shows.
  const named = ['id', 'timestamp', 'event_message', 'metadata'].filter(has);
  return `select ${log ? named.map(quoted).join(', ') : '*'}\nfrom ${quoted(table)}${newestFirst(fields)}\nlimit 100`;
}

// The joins that reach fields of a log, whose rows are `t`: each record on the way is unnested once, as BigQuery does. Left joins
// keep the rows that lack the record.
export class Joins {
  private readonly aliases = new Map<string, string>();
  private text = '';
  constructor(private readonly kind: 'cross' | 'left' = 'cross') {}

  // The expression of the last of `path`.
  reach(path: FieldNode[]): string {
    let owner = 't';
    for (const record of path.slice(0, -1)) {
      const place = `${owner}.${quoted(record.name)}`;
      owner = record.repeated ? (this.aliases.get(place) ?? this.unnest(place)) : place;
    }
    return `${owner}.${quoted(path.at(-1)?.name ?? '')}`;
  }

  // Records may have one name at several depths, and any name: aliases are numbers.
  unnest(place: string): string {
    const alias = `r${this.aliases.size + 1}`;
    this.aliases.set(place, alias);
    this.text += `\n${this.kind} join unnest(${place}) as ${alias}`;
    return alias;
  }

  toString(): string {
    return this.text;
  }
}

// A query over a log with these fields that reaches the last of `path`, unnesting each record on the way, as BigQuery does.
export function templateForField(table: string, fields: FieldNode[], path: FieldNode[]): string {
  const leaf = path.at(-1);
  if (leaf === undefined) return templateForRows(table, fields);
  const name = quoted(leaf.name);
  if (path.length === 1) return `select ${name}\nfrom ${quoted(table)}${newestFirst(fields)}\nlimit 100`;
  const joins = new Joins();
  const place = joins.reach(path);
  const column = leaf.repeated ? joins.unnest(place) : place;
  const count = leaf.name.toLowerCase() === 'n' ? 'row_count' : 'n';
  const shown = leaf.repeated ? `${column} as ${name}` : column;
  return `select ${shown}, count(*) as ${count}\nfrom ${quoted(table)} as t${joins}\ngroup by ${column}\norder by ${count} desc\nlimit 100`;
}

export type Unit = 'minute' | 'hour' | 'day';

// The unit in which rows of a range of so many seconds are counted, so that there are neither two points nor thousands; null: all
// that is kept.
export function unitFor(seconds: number | null): Unit {
  if (seconds === null) return 'hour';
  return seconds <= 4 * 3600 ? 'minute' : seconds <= 8 * 86400 ? 'hour' : 'day';
}

// A query that counts the rows of a log by the unit, or by the day where it has only dates; null where no column holds a time.
export function templateOverTime(table: string, fields: FieldNode[], unit: Unit = 'hour'): string | null {
  const time = timeColumn(fields);
  if (time === null) return null;
  const name = quoted(time.name);
  const bucket = time.type === 'DATE' ? `${name} as day` : `${time.type.toLowerCase()}_trunc(${name}, ${unit}) as ${unit}`;
  return `select ${bucket}, count(*) as n\nfrom ${quoted(table)}\ngroup by 1\norder by 1 desc`;
}

export interface Template {
  title: string;
  sql: string;
}

// The way to the first field of one of these names that `fits`, the outer ones first.
function findField(fields: FieldNode[], names: string[], fits: (node: FieldNode) => boolean): FieldNode[] | null {
  let level = fields.map((node) => [node]);
  while (level.length > 0) {
    for (const name of names) {
      const found = level.find((path) => path.at(-1)?.name === name && fits(path.at(-1) as FieldNode));
      if (found !== undefined) return found;
    }
    level = level.flatMap((path) => (path.at(-1)?.fields ?? []).map((node) => [...path, node]));
  }
  return null;
}

const isText = ({ type, repeated }: FieldNode) => type === 'STRING' && !repeated;
const isNumber = ({ type, repeated }: FieldNode) => isNumberType(type) && !repeated;

// When errors rose: those of a class of status, or of a level, over time. Where the rows are cut, the newest stay.
function errorsOverTime(table: string, time: FieldNode, fields: FieldNode[], by: Unit): Template | null {
  const status = findField(fields, ['status_code', 'status'], isNumber);
  const level = findField(fields, ['error_severity', 'severity', 'level'], isText);
  const path = status ?? level;
  if (path === null) return null;
  const joins = new Joins();
  const kind = joins.reach(path);
  const name = quoted(path.at(-1)?.name ?? '');
  const shown = status !== null ? `if(${kind} >= 500, '5xx', '4xx') as status` : `${kind} as ${name}`;
  const failed = status !== null ? `${kind} >= 400` : `lower(${kind}) in ('error', 'fatal', 'panic', 'warning', 'warn')`;
  const unit = time.type === 'DATE' ? 'day' : by;
  const bucket = `${time.type.toLowerCase()}_trunc(t.${quoted(time.name)}, ${unit}) as ${unit}`;
  return {
    title: `Errors by ${unit}`,
    sql: `select ${bucket}, ${shown}, count(*) as n\nfrom ${quoted(table)} as t${joins}\nwhere ${failed}\ngroup by 1, 2\norder by ${unit} desc`,
  };
}

// Which paths, or functions, take longest. A number in a path becomes #, so that /users/1 and /users/2 are one.
function slowest(table: string, fields: FieldNode[]): Template | null {
  const time = findField(fields, ['origin_time', 'execution_time_ms', 'duration_ms', 'duration'], isNumber);
  const what = findField(fields, ['path', 'function_id', 'url'], isText);
  if (time === null || what === null) return null;
  const joins = new Joins();
  const kind = joins.reach(what);
  const took = joins.reach(time);
  const name = what.at(-1)?.name ?? '';
  const shown = name === 'path' ? `regexp_replace(${kind}, r'/[0-9]+', '/#')` : kind;
  return {
    title: name === 'function_id' ? 'Slowest functions' : 'Slowest paths',
    sql: `select ${shown} as ${quoted(name)},\n  max(${took}) as slowest_ms, cast(avg(${took}) as int64) as average_ms, count(*) as requests\n` +
      `from ${quoted(table)} as t${joins}\ngroup by 1\norder by slowest_ms desc\nlimit 10`,
  };
}

// What a log with these fields can be asked, to begin with.
export function templatesFor(table: string, fields: FieldNode[], unit: Unit = 'hour'): Template[] {
  const time = timeColumn(fields);
  const overTime = templateOverTime(table, fields, unit);
  const errors = time === null ? null : errorsOverTime(table, time, fields, unit);
  const slow = slowest(table, fields);
  return [
    { title: 'Newest rows', sql: templateForRows(table, fields) },
    ...(overTime === null ? [] : [{ title: `Rows by ${time?.type === 'DATE' ? 'day' : unit}`, sql: overTime }]),
    ...(errors === null ? [] : [errors]),
    ...(slow === null ? [] : [slow]),
  ];
}
