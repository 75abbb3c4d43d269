// The language of the search box: words, "phrases", field:value, field:>=500, field:~part, field:*, - in front of what is to be left
// out, `or` between what may hold instead, and parentheses around a group. Terms side by side all hold, and bind more closely than
// `or`. Text becomes terms and terms become text again; search_sql.ts makes conditions of them.

export type Operator = '=' | '>=' | '>' | '<=' | '<' | 'contains' | 'exists';

export interface Term {
  negated: boolean;
  // The names that lead to the field, or the last of them; null: the message of the row.
  field: string[] | null;
  operator: Operator;
  value: string;
  // The value stood in quotes: upper and lower case are told apart.
  exact: boolean;
  // A group, which has nothing of the above but `negated`: all terms of one of these hold.
  any?: Term[][];
}

const mostTerms = 40;
const deepest = 5;
const mostCharacters = 4000;

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', '0': '\0' };
const escaped: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\0': '\\0', '"': '\\"', '\\': '\\\\' };

const quotedText = (text: string) => `"${text.replaceAll(/["\\\n\r\t\0]/g, (character) => escaped[character] ?? character)}"`;

// One term: the minus sign, the names of the field with their colon, the operator, and the value with or without quotes. A quote
// that is not closed reaches to the end.
const name = /(?:[A-Za-z_$][\w$-]*|`(?:\\[^]|[^`\\])+`)/.source;
const pattern = new RegExp(`\\s*(-?)(?:(${name}(?:\\.${name})*):(?!//)(>=|<=|>|<|=|~)?)?("((?:\\\\[^]|[^"\\\\])*)(?:"|\\\\?$)|[^\\s"]\\S*|)`, 'y');

const namesOf = (text: string) => [...text.matchAll(new RegExp(name, 'g'))].map(([part]) => (part.startsWith('`') ? part.slice(1, -1).replaceAll(/\\([^])/g, '$1') : part));

function termOf(match: RegExpExecArray, bare: string): Term {
  const [, minus, field, sign, , quoted] = match;
  const negated = minus === '-';
  const exact = quoted !== undefined;
  const value = exact ? quoted.replaceAll(/\\([^])/g, (_, character: string) => escapes[character] ?? character) : bare;
  if (field === undefined) return { negated, field: null, operator: 'contains', value, exact: false };
  const names = namesOf(field);
  if (sign === undefined && bare === '*') return { negated, field: names, operator: 'exists', value: '', exact: false };
  if (sign === '~') return { negated, field: names, operator: 'contains', value, exact: false };
  return { negated, field: names, operator: sign === undefined || sign === '=' ? '=' : (sign as Operator), value, exact };
}

const group = (negated: boolean, any: Term[][]): Term => ({ negated, field: null, operator: 'contains', value: '', exact: false, any });

// How many more parentheses a text closes than it opens.
const closes = (text: string) => text.split(')').length - text.split('(').length;

// What is wrong with a term that has no value, or null.
function problemOf(term: Term, quoted: boolean): string | null {
  if (term.value !== '' || (quoted && term.field !== null) || term.operator === 'exists') return null;
  if (term.field === null) return quoted ? 'Write a word between the quotes.' : 'Write a word after the minus sign.';
  const shown = writeField(term.field);
  return `Write a value after ${shown}: such as ${shown}:500, ${shown}:>=500, ${shown}:~part, or ${shown}:* for rows that have it.`;
}

class SearchReader {
  problem: string | null = null;
  private at = 0;
  private count = 0;

  constructor(private readonly text: string) {}

  // Reads up to the end, or the parenthesis that closes the group: lists of terms with `or` between them.
  alternatives(depth: number): Term[][] {
    const lists: Term[][] = [[]];
    while (this.problem === null) {
      this.take(/\s*/y);
      const last = lists.at(-1) ?? [];
      const closed = depth > 0 && this.take(/\)/y) !== null;
      if (closed || this.at >= this.text.length) {
        if (depth > 0 && !closed) return this.fail('A parenthesis is not closed: write ) behind the group.');
        if (last.length > 0 || (depth === 0 && lists.length === 1)) return lists;
        return this.fail(lists.length > 1 ? 'Write a term after or; to look for the word, put it in quotes.' : 'Write a term between the parentheses.');
      }
      if (this.take(/or(?=[\s()]|$)/iy) !== null) {
        if (last.length === 0) return this.fail('Write a term before or; to look for the word, put it in quotes.');
        lists.push([]);
        continue;
      }
      const opened = this.take(/-?\(/y);
      last.push(...(opened === null ? this.term(depth) : this.inner(opened.startsWith('-'), depth)));
      if (++this.count > mostTerms) return this.fail(`A search has at most ${mostTerms} terms.`);
    }
    return [];
  }

  private inner(negated: boolean, depth: number): Term[] {
    if (depth >= deepest) {
      this.fail(`Parentheses stand in each other at most ${deepest} deep.`);
      return [];
    }
    const any = this.alternatives(depth + 1);
    const [only] = any;
    return any.length === 1 && only !== undefined && !negated ? only : [group(negated, any)];
  }

  private term(depth: number): Term[] {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match === null || match[0] === '') {
      this.fail(`The search cannot be read from here on: ${this.text.slice(Math.max(0, this.at - 20))}`);
      return [];
    }
    const quoted = match[5] !== undefined;
    let bare = match[4] ?? '';
    // The parenthesis behind a word of a group closes the group, unless the word opened it.
    while (depth > 0 && !quoted && bare.endsWith(')') && closes(bare) > 0) bare = bare.slice(0, -1);
    this.at = pattern.lastIndex - (quoted ? 0 : (match[4] ?? '').length - bare.length);
    const term = termOf(match, bare);
    this.problem = problemOf(term, quoted);
    return [term];
  }

  private take(what: RegExp): string | null {
    what.lastIndex = this.at;
    const found = what.exec(this.text)?.[0] ?? null;
    this.at += found?.length ?? 0;
    return found;
  }

  private fail(problem: string): Term[][] {
    this.problem ??= problem;
    return [];
  }
}

// The terms of a text, or what is wrong with it.
export function parseSearch(text: string): { terms: Term[]; problem: string | null } {
  if (text.length > mostCharacters) return { terms: [], problem: `A search has at most ${mostCharacters.toLocaleString('en')} characters.` };
  const reader = new SearchReader(text.trimEnd());
  const [first = [], ...others] = reader.alternatives(0);
  if (reader.problem !== null) return { terms: [], problem: reader.problem };
  return { terms: others.length === 0 ? first : [group(false, [first, ...others])], problem: null };
}

export const writeField = (names: string[]) => names.map((part) => (/^[A-Za-z_$][\w$-]*$/.test(part) ? part : `\`${part.replaceAll(/[\\`]/g, '\\$&')}\``)).join('.');

const signs: Record<Operator, string> = { '=': '', '>=': '>=', '>': '>', '<=': '<=', '<': '<', contains: '~', exists: '*' };

// The text that reads as this term.
export function writeTerm({ negated, field, operator, value, exact, any }: Term): string {
  const minus = negated ? '-' : '';
  if (any !== undefined) return `${minus}(${writeAny(any)})`;
  if (field === null) {
    const plain = /^[^\s"()-][^\s()]*$/.test(value) && !/^or$/i.test(value) && !new RegExp(`^${name}(?:\\.${name})*:(?!//)`).test(value);
    return minus + (plain ? value : quotedText(value));
  }
  if (closes(value) > 0) return `${minus}${writeField(field)}:${signs[operator]}${quotedText(value)}`;
  const plain = operator === 'exists' || (!exact && /^[^\s"><=~*]\S*$/.test(value)) || (!exact && operator !== '=' && /^[^\s"=]\S*$/.test(value));
  return `${minus}${writeField(field)}:${signs[operator]}${operator === 'exists' ? '' : plain ? value : quotedText(value)}`;
}

const writeAny = (any: Term[][]) => any.map((terms) => writeSearch(terms)).join(' or ');

export const writeSearch = (terms: Term[]) => terms.map(writeTerm).join(' ');

const told: Record<Operator, [string, string]> = {
  '=': ['=', '≠'], '>=': ['≥', 'not ≥'], '>': ['>', 'not >'], '<=': ['≤', 'not ≤'], '<': ['<', 'not <'], contains: ['contains', 'lacks'], exists: ['exists', 'is missing'],
};

// A term as a filter reads above the rows: "status_code ≥ 500". `text`: what words are looked for in.
export function labelOf({ negated, field, operator, value, any }: Term, text: string): { field: string; operator: string; value: string } {
  if (any !== undefined) return { field: '', operator: negated ? 'not' : 'any of', value: writeAny(any) };
  return { field: field === null ? text : writeField(field), operator: told[operator][negated ? 1 : 0], value };
}

export const sameTerm = (left: Term, right: Term) => writeTerm(left) === writeTerm(right);

// The terms with one more, unless it is among them; one that says the opposite gives way to it.
export function withTerm(terms: Term[], term: Term): Term[] {
  if (terms.some((other) => sameTerm(other, term))) return terms;
  return [...terms.filter((other) => !sameTerm({ ...other, negated: !other.negated }, term)), term];
}
