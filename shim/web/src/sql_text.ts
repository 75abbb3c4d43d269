// What the console needs to know of SQL as text: how a name is quoted, and the query without the LIMIT at its end.

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
