// What of a link the page makes nothing of, as sentences for the one who opened it: an endpoint ignores what it has no parameter for.
import type { Endpoint } from './api.ts';
import type { Linked } from './storage.ts';

const listed = (names: string[]) => (names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`);

export function linkHints({ parameters, unread = [] }: Pick<Linked, 'parameters' | 'unread'>, { name, parameters: known }: Pick<Endpoint, 'name' | 'parameters'>): string[] {
  const given = Object.keys(parameters).filter((one) => parameters[one] !== '');
  const takes = known.filter((one) => one.name !== 'sql');
  const unknown = given.filter((one) => !takes.some((other) => other.name === one));
  const fixed = given.filter((one) => takes.some((other) => other.name === one && other.fixed));
  const hints: string[] = [];
  if (unknown.length > 0) {
    const names = takes.filter((one) => !one.fixed).map((one) => one.name);
    hints.push(`The link sets ${listed(unknown)}, which ${name} does not have: nothing changes by it. ${names.length === 0 ? 'It has no parameters.' : `Its parameters are ${listed(names)}.`}`);
  }
  if (fixed.length > 0) hints.push(`The link sets ${listed(fixed)}, for which this token has a value of its own: that one holds.`);
  if (unread.length > 0) hints.push(`The link has ${listed(unread)}, which the page does not read. A parameter is written with p. before its name: p.${takes[0]?.name ?? 'project'}=VALUE.`);
  return hints;
}
