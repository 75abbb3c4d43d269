// The language of the search box: words, "phrases", field:value, field:>=500, field:~part, field:*, and - in front of what is to be
// left out. Text becomes terms and terms become text again; search_sql.ts makes conditions of them.

export type Operator = '=' | '>=' | '>' | '<=' | '<' | 'contains' | 'exists';

export interface Term {
  negated: boolean;
  // The names that lead to the field, or the last of them; null: the message of the row.
  field: string[] | null;
  operator: Operator;
  value: string;
  // The value stood in quotes: upper and lower case are told apart.
  exact: boolean;
}

const mostTerms = 40;
const mostCharacters = 4000;

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', '0': '\0' };
const escaped: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\0': '\\0', '"': '\\"', '\\': '\\\\' };

const quotedText = (text: string) => `"${text.replaceAll(/["\\\n\r\t\0]/g, (character) => escaped[character] ?? character)}"`;

// One term: the minus sign, the names of the field with their colon, the operator, and the value with or without quotes. A quote
// that is not closed reaches to the end.
const name = /(?:[A-Za-z_$][\w$-]*|`(?:\\[^]|[^`\\])+`)/.source;
const pattern = new RegExp(`\\s*(-?)(?:(${name}(?:\\.${name})*):(?!//)(>=|<=|>|<|=|~)?)?("((?:\\\\[^]|[^"\\\\])*)(?:"|\\\\?$)|[^\\s"]\\S*|)`, 'y');

const namesOf = (text: string) => [...text.matchAll(new RegExp(name, 'g'))].map(([part]) => (part.startsWith('`') ? part.slice(1, -1).replaceAll(/\\([^])/g, '$1') : part));

function termOf(match: RegExpExecArray): Term {
  const [, minus, field, sign, bare = '', quoted] = match;
  const negated = minus === '-';
  const exact = quoted !== undefined;
  const value = exact ? quoted.replaceAll(/\\([^])/g, (_, character: string) => escapes[character] ?? character) : bare;
  if (field === undefined) return { negated, field: null, operator: 'contains', value, exact: false };
  const names = namesOf(field);
  if (sign === undefined && bare === '*') return { negated, field: names, operator: 'exists', value: '', exact: false };
  if (sign === '~') return { negated, field: names, operator: 'contains', value, exact: false };
  return { negated, field: names, operator: sign === undefined || sign === '=' ? '=' : (sign as Operator), value, exact };
}

// The terms of a text, or what is wrong with it.
export function parseSearch(text: string): { terms: Term[]; problem: string | null } {
  if (text.length > mostCharacters) return { terms: [], problem: `A search has at most ${mostCharacters.toLocaleString('en')} characters.` };
  const terms: Term[] = [];
  const rest = text.trimEnd();
  pattern.lastIndex = 0;
  while (pattern.lastIndex < rest.length) {
    const match = pattern.exec(rest);
    if (match === null || match[0] === '') return { terms: [], problem: `The search cannot be read from here on: ${rest.slice(terms.length === 0 ? 0 : -20)}` };
    const term = termOf(match);
    const quoted = match[5] !== undefined;
    if (term.value === '' && (!quoted || term.field === null) && term.operator !== 'exists') {
      if (term.field === null) return { terms: [], problem: quoted ? 'Write a word between the quotes.' : 'Write a word after the minus sign.' };
      const shown = writeField(term.field);
      return { terms: [], problem: `Write a value after ${shown}: such as ${shown}:500, ${shown}:>=500, ${shown}:~part, or ${shown}:* for rows that have it.` };
    }
    terms.push(term);
  }
  return terms.length > mostTerms ? { terms: [], problem: `A search has at most ${mostTerms} terms.` } : { terms, problem: null };
}

export const writeField = (names: string[]) => names.map((part) => (/^[A-Za-z_$][\w$-]*$/.test(part) ? part : `\`${part.replaceAll(/[\\`]/g, '\\$&')}\``)).join('.');

const signs: Record<Operator, string> = { '=': '', '>=': '>=', '>': '>', '<=': '<=', '<': '<', contains: '~', exists: '*' };

// The text that reads as this term.
export function writeTerm({ negated, field, operator, value, exact }: Term): string {
  const minus = negated ? '-' : '';
  if (field === null) {
    const plain = /^[^\s"-]\S*$/.test(value) && !new RegExp(`^${name}(?:\\.${name})*:(?!//)`).test(value);
    return minus + (plain ? value : quotedText(value));
  }
  const plain = operator === 'exists' || (!exact && /^[^\s"><=~*]\S*$/.test(value)) || (!exact && operator !== '=' && /^[^\s"=]\S*$/.test(value));
  return `${minus}${writeField(field)}:${signs[operator]}${operator === 'exists' ? '' : plain ? value : quotedText(value)}`;
}

export const writeSearch = (terms: Term[]) => terms.map(writeTerm).join(' ');

const told: Record<Operator, [string, string]> = {
  '=': ['=', '≠'], '>=': ['≥', 'not ≥'], '>': ['>', 'not >'], '<=': ['≤', 'not ≤'], '<': ['<', 'not <'], contains: ['contains', 'lacks'], exists: ['exists', 'is missing'],
};

// A term as a filter reads above the rows: "status_code ≥ 500".
export function labelOf({ negated, field, operator, value }: Term): { field: string; operator: string; value: string } {
  return { field: field === null ? 'text' : writeField(field), operator: told[operator][negated ? 1 : 0], value };
}

export const sameTerm = (left: Term, right: Term) => writeTerm(left) === writeTerm(right);

// The terms with one more, unless it is among them; one that says the opposite gives way to it.
export function withTerm(terms: Term[], term: Term): Term[] {
  if (terms.some((other) => sameTerm(other, term))) return terms;
  return [...terms.filter((other) => !sameTerm({ ...other, negated: !other.negated }, term)), term];
}
