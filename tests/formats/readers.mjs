// Reads Arrow and Parquet by others' packages, and brings their values into the form that format=json has, so that rows can be compared.
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const digits = (number, scale) => {
  const negative = number < 0n;
  const text = String(negative ? -number : number).padStart(scale + 1, '0');
  const fraction = scale === 0 ? '' : text.slice(-scale).replace(/0+$/, '');
  return `${negative ? '-' : ''}${text.slice(0, text.length - scale)}${fraction === '' ? '' : `.${fraction}`}`;
};

// Words of 32 bits, the lowest first, as a signed integer.
const signed = (words) => BigInt.asIntN(32 * words.length, words.reduceRight((sum, word) => (sum << 32n) | BigInt(word >>> 0), 0n));

const float = (value) => (Number.isFinite(value) ? value : String(value));

// 2026-01-31T08:00:00.25 from microseconds since 1970, without a fraction of zero; of milliseconds or microseconds, as JSON has it.
const iso = (micros) => {
  const seconds = micros >= 0n ? micros / 1_000_000n : -((-micros + 999_999n) / 1_000_000n);
  const rest = micros - seconds * 1_000_000n;
  const fraction = rest === 0n ? '' : rest % 1000n === 0n ? `.${String(rest / 1000n).padStart(3, '0')}` : `.${String(rest).padStart(6, '0')}`;
  return new Date(Number(seconds) * 1000).toISOString().slice(0, 19) + fraction;
};
const day = (days) => new Date(days * 86_400_000).toISOString().slice(0, 10);
const time = (micros) => iso(micros).slice(11);

const base64 = (bytes) => Buffer.from(bytes).toString('base64');

export async function loadReaders(packages) {
  const load = (file) => import(pathToFileURL(path.join(packages, file)));
  const arrow = await load('apache-arrow/Arrow.node.mjs');
  const hyparquet = await load('hyparquet/src/node.js');
  const { compressors } = await load('hyparquet-compressors/src/index.js');

  // One value of a vector of this type.
  const arrowValue = (type, vector, i, metadata) => {
    if (type instanceof arrow.List) {
      const elements = vector.isValid(i) ? vector.get(i) : null;
      if (elements === null) return [];
      return Array.from({ length: elements.length }, (_, n) => arrowValue(type.children[0].type, elements, n, type.children[0].metadata));
    }
    if (!vector.isValid(i)) return null;
    if (type instanceof arrow.Struct) {
      return Object.fromEntries(type.children.map((field, n) =>
        [field.name === '' ? `_field_${n + 1}` : field.name, arrowValue(field.type, vector.getChildAt(n), i, field.metadata)]));
    }
    if (type instanceof arrow.Decimal) return digits(signed(Array.from(vector.get(i))), type.scale);
    // The column of a batch, so that there is one chunk. Its getter would round times to milliseconds.
    const raw = () => vector.data[0].values[i];
    if (type instanceof arrow.Utf8) {
      const text = vector.get(i);
      return metadata.get('ARROW:extension:name') === 'arrow.json' ? JSON.parse(text) : text;
    }
    if (type instanceof arrow.Binary) return base64(vector.get(i));
    if (type instanceof arrow.Bool) return vector.get(i);
    if (type instanceof arrow.Int) return Number(vector.get(i));
    if (type instanceof arrow.Float) return float(vector.get(i));
    if (type instanceof arrow.Timestamp) return type.timezone ? Number(raw()) : iso(raw());
    if (type instanceof arrow.Date_) return day(raw());
    if (type instanceof arrow.Time) return time(vector.get(i));
    if (type instanceof arrow.Interval) {
      const [months, days, low, high] = vector.get(i);
      const micros = signed([low, high]) / 1000n;
      return interval(months, days, micros);
    }
    throw new Error(`no value of ${type}`);
  };

  return {
    arrowTable: (bytes) => arrow.tableFromIPC(bytes),
    arrowRows: (bytes) => {
      const rows = [];
      for (const batch of arrow.tableFromIPC(bytes).batches) {
        const columns = batch.schema.fields.map((field, n) => [field, batch.getChildAt(n)]);
        for (let i = 0; i < batch.numRows; i += 1) {
          rows.push(Object.fromEntries(columns.map(([field, column]) => [field.name, arrowValue(field.type, column, i, field.metadata)])));
        }
      }
      return rows;
    },
    parquetMetadata: (bytes) => hyparquet.parquetMetadata(asBuffer(bytes)),
    // `types` has the SQL type of each column, as format=json-rows gives it.
    parquetRows: async (bytes, types) => {
      const rows = await hyparquet.parquetReadObjects({ file: asBuffer(bytes), compressors, parsers, utf8: false });
      return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, parquetValue(value, types[name])])));
    },
  };
}

// Prints an INTERVAL as BigQuery does.
const interval = (months, days, micros) => {
  const sign = (negative) => (negative ? '-' : '');
  const size = micros < 0n ? -micros : micros;
  const fraction = size % 1_000_000n === 0n ? '' : size % 1000n === 0n ? `.${String(size / 1000n % 1000n).padStart(3, '0')}`
    : `.${String(size % 1_000_000n).padStart(6, '0')}`;
  const clock = [size / 3_600_000_000n, size / 60_000_000n % 60n, size / 1_000_000n % 60n].join(':');
  return `${sign(months < 0)}${Math.trunc(Math.abs(months) / 12)}-${Math.abs(months) % 12} ${days} ${sign(micros < 0n)}${clock}${fraction}`;
};

const asBuffer = (bytes) => {
  const copy = new Uint8Array(bytes);
  return copy.buffer.slice(copy.byteOffset, copy.byteOffset + copy.byteLength);
};

// hyparquet's way to say how dates and times come.
const parsers = {
  timestampFromMicroseconds: (micros) => ({ micros: BigInt(micros) }),
  dateFromDays: (days) => day(days),
  stringFromBytes: (bytes) => (bytes === undefined ? undefined : new TextDecoder().decode(bytes)),
};

// A value of Parquet in JSON's form.
const parquetValue = (value, type) => {
  if (type?.startsWith('ARRAY<')) {
    const element = type.slice(6, -1);
    // A record is a group in Parquet, and a list of at most one object in JSON.
    const elements = value === null || value === undefined ? [] : Array.isArray(value) ? value : [value];
    return elements.map((each) => parquetValue(each, element));
  }
  if (value === null || value === undefined) return null;
  if (type?.startsWith('STRUCT<')) {
    const fields = fieldsOf(type);
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, parquetValue(each, fields[name])]));
  }
  switch (type) {
    case 'TIMESTAMP': return Number(value.micros);
    case 'DATETIME': return iso(value.micros);
    case 'TIME': return time(BigInt(value));
    case 'NUMERIC': return digits(BigInt(Math.round(value * 1e9)), 9);
    case 'FLOAT64': return float(value);
    case 'BYTES': return base64(value);
    case 'INT64': return Number(value);
    default: return value;
  }
};

// STRUCT<a INT64, b STRUCT<c DATE>> as { a: 'INT64', b: 'STRUCT<c DATE>' }, of names that need no quotes.
const fieldsOf = (type) => {
  const fields = {};
  let depth = 0, text = '';
  for (const c of `${type.slice(7, -1)},`) {
    depth += c === '<' ? 1 : c === '>' ? -1 : 0;
    if (c === ',' && depth === 0) {
      const [name, ...rest] = text.trim().split(' ');
      fields[name] = rest.join(' ');
      text = '';
    } else {
      text += c;
    }
  }
  return fields;
};
