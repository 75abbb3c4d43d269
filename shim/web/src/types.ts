// Types of the BigQuery dialect as the server writes them, read into a tree of fields for the sidebar, for completion and for
// templates.
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
