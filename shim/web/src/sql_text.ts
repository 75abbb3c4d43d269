// What the console needs to know of SQL as text: how a name is quoted, the query without the LIMIT at its end, which groups its
// answer may lack, and the query with one more condition.

export const quoted = (name: string) => '`' + name.replaceAll(/[\\`]/g, '\\$&') + '`';

interface Token {
  text: string;
  at: number;
  depth: number;
}

const lexeme = new RegExp(
  [
    /(?<skipped>\s+|--[^\n]*|#[^\n]*|\/\*[^]*?(?:\*\/|$))/,
    /'''(?:\\[^]|[^\\])*?'''/, /"""(?:\\[^]|[^\\])*?"""/, /'(?:\\[^]|[^'\\])*'/, /"(?:\\[^]|[^"\\])*"/, /`(?:\\[^]|[^`\\])*`/,
    /\|>/, /@*\w+/, /[^]/,
  ].map(({ source }) => source).join('|'),
  'g',
);

// The tokens without spaces and comments, each with the number of parentheses around it.
function tokensOf(sql: string): Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  for (const match of sql.matchAll(lexeme)) {
    if (match.groups?.['skipped'] !== undefined) continue;
    const text = match[0];
    if (text === ')') --depth;
    tokens.push({ text: text.toLowerCase(), at: match.index, depth });
    if (text === '(') ++depth;
  }
  return tokens;
}

// The query without the LIMIT and OFFSET at its end, to count all of its rows; null where its LIMIT stands elsewhere, as in a
// query of pipes. A LIMIT of a subquery belongs to what the query asks.
export function withoutLimit(sql: string): string | null {
  const tokens = tokensOf(sql);
  let end = sql.length;
  for (let last = tokens.at(-1); last?.text === ';'; last = tokens.at(-1)) {
    end = last.at;
    tokens.pop();
  }
  const outer = tokens.filter(({ depth }) => depth === 0);
  const limit = outer.findLastIndex(({ text }, index) => text === 'limit' && outer[index - 1]?.text !== '.');
  if (limit < 0) return sql.slice(0, end);
  const isCount = (text: string | undefined) => text !== undefined && /^(\d+|@\w+)$/.test(text);
  const [count, word, offset, ...more] = outer.slice(limit + 1).map(({ text }) => text);
  const atEnd = isCount(count) && more.length === 0 && (word === undefined || (word === 'offset' && isCount(offset)));
  if (!atEnd || outer.some(({ text }) => text === '|>')) return null;
  return sql.slice(0, outer[limit]?.at);
}

const unitSeconds: Record<string, number> = { second: 1, minute: 60, hour: 3600, day: 86400, week: 604800 };

// The width in seconds of the buckets that SQL truncates times to; null where it does not say so, or names several.
export function bucketOf(sql: string): number | null {
  const units = new Set([...sql.matchAll(/_trunc\s*\([^()]*(?:\([^()]*\)[^()]*)*,\s*(second|minute|hour|day|week)\b/gi)].map((match) => (match[1] ?? '').toLowerCase()));
  return units.size === 1 ? (unitSeconds[[...units][0] ?? ''] ?? null) : null;
}

// Which groups an answer of so many rows may lack: a condition on groups leaves out any, a LIMIT that is reached those after it.
export function leavesOut(sql: string, rows: number): 'none' | 'any' | 'the rest' {
  const outer = tokensOf(sql).filter(({ depth }) => depth === 0).map(({ text }) => text);
  if (outer.some((text) => ['having', 'qualify', 'offset', '|>'].includes(text))) return 'any';
  const limit = outer.lastIndexOf('limit');
  return limit < 0 || rows < Number(outer[limit + 1]) ? 'none' : 'the rest';
}

const clauses = new Set(['select', 'from', 'where', 'group', 'having', 'qualify', 'window', 'order', 'limit', 'union', 'intersect', 'except', '|>']);

// Where a condition can join the WHERE of a query: one that selects columns of one table, or of one subquery, by their own names.
function whereOf(tokens: Token[], end: number): { from: number; to: number; has: boolean } | null {
  const outer = tokens.filter(({ depth }, index) => depth === 0 && tokens[index - 1]?.text !== '.');
  const found = outer.filter(({ text }) => clauses.has(text));
  const names = found.map(({ text }) => text).join(' ');
  if (!/^select from( where)?( order)?( limit)?$/.test(names) || outer[0]?.text !== 'select') return null;
  const at = (name: string) => found.find(({ text }) => text === name)?.at;
  const [from, where] = [at('from') ?? end, at('where')];
  const rest = at('order') ?? at('limit') ?? end;
  const within = (begin: number, stop: number) => tokens.filter((token) => token.at > begin && token.at < stop);
  const selected = within(outer[0].at, from).map(({ text }) => text).join(' ');
  const source = within(from, where ?? rest).filter(({ depth, text }) => depth === 0 && text !== ')').map(({ text }) => text).join(' ');
  const item = /(?:\w+ \. )?(?:\w+|`[^`]*`|\*)/.source;
  if (!new RegExp(`^${item}(?: , ${item})*$`).test(selected)) return null;
  if (!/^(?:\(|(?:\w+|`[^`]*`)(?: \. (?:\w+|`[^`]*`))*)(?: (?:as )?\w+)?$/.test(source)) return null;
  return where === undefined ? { from: rest, to: rest, has: false } : { from: where + 'where'.length, to: rest, has: true };
}

// The table whose rows a query shows, as they are, and whether with all columns; null for any other query.
export function plainTable(sql: string): { name: string; all: boolean } | null {
  const all = withoutLimit(sql)?.trimEnd();
  if (all === undefined) return null;
  const tokens = tokensOf(all);
  if (whereOf(tokens, all.length) === null) return null;
  const from = tokens.findIndex(({ text, depth }) => text === 'from' && depth === 0);
  const name = tokens[from + 1]?.text ?? '';
  return /^(?:\w+|`[^`]*`)$/.test(name) ? { name: name.replaceAll('`', ''), all: tokens.slice(1, from).some(({ text }) => text === '*') } : null;
}

// The ORDER BY of a query for the query around it, which sees only these columns; empty where it has none that is of them.
function outerOrder(tokens: Token[], columns: string[]): string {
  const outer = tokens.filter(({ depth }) => depth === 0).map(({ text }) => text);
  const order = outer.lastIndexOf('order');
  if (order < 0) return '';
  const items = outer.slice(order + 2).join(' ').split(' , ').map((item) => /^(?:(?:\w+|`[^`]*`) \. )?(\w+|`[^`]*`)( asc| desc)?$/.exec(item));
  const known = new Set(columns.map((name) => name.toLowerCase()));
  const named = items.every((item) => item !== null && (/^\d+$/.test(item[1] ?? '') || known.has((item[1] ?? '').replaceAll('`', ''))));
  return named ? `\norder by ${items.map((item) => `${item?.[1] ?? ''}${item?.[2] ?? ''}`).join(', ')}` : '';
}

// The query with one more condition on the columns of its rows, which are these: in its WHERE, else around it. Null for SQL whose
// LIMIT stays, as its rows would be counted before the condition.
export function withCondition(sql: string, condition: string, columns: string[]): string | null {
  const all = withoutLimit(sql)?.trimEnd();
  if (all === undefined) return null;
  const tail = sql.slice(all.length).replace(/[\s;]+$/, '');
  const tokens = tokensOf(all);
  const place = whereOf(tokens, all.length);
  if (place === null) return `select *\nfrom (\n${all}\n)\nwhere ${condition}${outerOrder(tokens, columns)}${tail}`;
  const before = all.slice(0, place.from).trimEnd();
  const there = all.slice(place.from, place.to).trim();
  const after = all.slice(place.to).trim();
  // A comment at the end of a line would hide the parenthesis.
  const old = /\bor\b/i.test(there) ? `(${there}${/--|#/.test(there) ? '\n' : ''})` : there;
  return `${before}${place.has ? ` ${old}\n  and ` : '\nwhere '}${condition}${after === '' ? '' : `\n${after}`}${tail}`;
}

// The log, or table, that a query is of, as it is written; and the condition of its outermost WHERE on one line.
export function logAndCondition(sql: string): { log: string | null; condition: string | null } {
  const tokens = tokensOf(sql);
  const from = tokens.findIndex(({ text }, index) => text === 'from' && /^(?:\w+|`[^`]*`)$/.test(tokens[index + 1]?.text ?? ''));
  const log = from < 0 ? null : (tokens[from + 1]?.text.replaceAll('`', '') ?? null);
  const where = tokens.filter(({ text }) => text === 'where').reduce<Token | null>((least, token) => (least === null || token.depth < least.depth ? token : least), null);
  if (where === null) return { log, condition: null };
  const end = tokens.find(({ at, depth, text }) => at > where.at && (depth < where.depth || (depth === where.depth && (clauses.has(text) || text === ')'))));
  const begin = where.at + 'where'.length;
  return { log, condition: sql.slice(begin, end?.at).trim().replaceAll(/\s+/g, ' ') };
}
