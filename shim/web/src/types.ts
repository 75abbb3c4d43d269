// Types of the BigQuery dialect as the server writes them, read into a tree of fields for the sidebar and for completion.
import { quoted } from './sql_text.ts';

export interface FieldNode {
  name: string;
  // What a row holds, without the list of one that records travel in: STRING, RECORD, ARRAY<STRING>.
  type: string;
  // A record comes as a list, so that a query unnests it.
  repeated: boolean;
  fields: FieldNode[];
}

class TypeReader {
  private at = 0;
  constructor(private readonly text: string) {}

  type(name: string): FieldNode {
    if (this.takes('ARRAY<')) {
      const element = this.type(name);
      this.takes('>');
      const record = element.fields.length > 0;
      return { ...element, type: record ? 'RECORD' : `ARRAY<${element.type}>`, repeated: true };
    }
    if (this.takes('STRUCT<')) {
      const fields: FieldNode[] = [];
      while (this.at < this.text.length && !this.takes('>')) {
        const field = this.word(' ');
        this.takes(' ');
        fields.push(this.type(field));
        this.takes(', ');
      }
      return { name, type: 'RECORD', repeated: false, fields };
    }
    const scalar = /^[A-Z0-9]*(\([0-9, ]*\))?/.exec(this.text.slice(this.at))?.[0] ?? '';
    this.at += scalar.length;
    // What this reader does not know is shown whole, and nothing after it is read.
    if (scalar === '') this.at = this.text.length;
    return { name, type: scalar === '' ? this.text : scalar, repeated: false, fields: [] };
  }

  private takes(prefix: string): boolean {
    if (!this.text.startsWith(prefix, this.at)) return false;
    this.at += prefix.length;
    return true;
  }

  private word(end: string): string {
    if (this.takes('`')) {
      let name = '';
      for (; this.at < this.text.length && this.text[this.at] !== '`'; ++this.at) {
        if (this.text[this.at] === '\\') ++this.at;
        name += this.text[this.at] ?? '';
      }
      ++this.at;
      return name;
    }
    const stop = this.text.indexOf(end, this.at);
    const word = this.text.slice(this.at, stop < 0 ? undefined : stop);
    this.at = stop < 0 ? this.text.length : stop;
    return word;
  }
}

export function readType(name: string, type: string): FieldNode {
  return new TypeReader(type).type(name);
}

export function isTimeType(type: string): boolean {
  return type === 'TIMESTAMP' || type === 'DATETIME' || type === 'DATE';
}

export function isNumberType(type: string): boolean {
  return type === 'INT64' || type === 'FLOAT64' || type === 'NUMERIC' || type === 'BIGNUMERIC';
}

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

// A query over a log with these fields that reaches the last of `path`, unnesting each record on the way, as BigQuery does.
export function templateForField(table: string, fields: FieldNode[], path: FieldNode[]): string {
  const leaf = path.at(-1);
  if (leaf === undefined) return templateForRows(table, fields);
  const name = quoted(leaf.name);
  if (path.length === 1) return `select ${name}\nfrom ${quoted(table)}${newestFirst(fields)}\nlimit 100`;
  const joins: string[] = [];
  // Records may have one name at several depths, and any name: aliases are numbers.
  const unnest = (list: string) => {
    const alias = `r${joins.length + 1}`;
    joins.push(`\ncross join unnest(${list}) as ${alias}`);
    return alias;
  };
  let owner = 't';
  for (const record of path.slice(0, -1)) {
    const place = `${owner}.${quoted(record.name)}`;
    owner = record.repeated ? unnest(place) : place;
  }
  const place = `${owner}.${name}`;
  const column = leaf.repeated ? unnest(place) : place;
  const count = leaf.name.toLowerCase() === 'n' ? 'row_count' : 'n';
  const shown = leaf.repeated ? `${column} as ${name}` : column;
  return `select ${shown}, count(*) as ${count}\nfrom ${quoted(table)} as t${joins.join('')}\ngroup by ${column}\norder by ${count} desc\nlimit 100`;
}

// A query that counts the rows of a log by the hour, or by the day where it has only dates; null where no column holds a time.
export function templateOverTime(table: string, fields: FieldNode[]): string | null {
  const time = timeColumn(fields);
  if (time === null) return null;
  const name = quoted(time.name);
  const bucket = time.type === 'DATE' ? `${name} as day` : `${time.type.toLowerCase()}_trunc(${name}, hour) as hour`;
  return `select ${bucket}, count(*) as n\nfrom ${quoted(table)}\ngroup by 1\norder by 1`;
}
