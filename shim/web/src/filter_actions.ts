// What can be asked about one value of a row, as filters: for the row's detail and the menu of a cell.
import type { Column } from './api.ts';
import type { Operator } from './search.ts';
import { addFilter, writeFilter } from './searching.ts';
import { copyText, isInstant } from './values.ts';

export interface FilterAction {
  id: 'is' | 'is not' | 'at least' | 'at most' | 'contains' | 'exists' | 'is missing';
  label: string;
  title: string;
  act: () => void;
}

const longestEqual = 300;

// `path`: the names that lead to the value. NULL is asked for as what is missing.
export function filterActions(path: string[], value: unknown, column: Column): FilterAction[] {
  const field = path.join('.');
  const text = copyText(column, value);
  const nested = typeof value === 'object' && value !== null;
  const empty = value === null || value === undefined;
  const ordered = typeof value === 'number' || isInstant(column, value) || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));
  const ask = (operator: Operator, negated = false) => () => void addFilter(path, operator, operator === 'exists' ? '' : text, negated);
  const exists: FilterAction[] = [
    { id: 'exists', label: 'exists', title: `Only the rows that have ${field}`, act: ask('exists') },
    { id: 'is missing', label: 'is missing', title: `Only the rows without ${field}`, act: ask('exists', true) },
  ];
  // A record is no value; a list of values is there or not.
  if (nested) return Array.isArray(value) && value.every((one) => typeof one !== 'object') ? exists : [];
  if (empty) return exists;
  const equal: FilterAction[] = text.length > longestEqual ? [] : [
    { id: 'is', label: '=', title: `Only the rows with this ${field}`, act: ask('=') },
    { id: 'is not', label: '≠', title: `Leave out the rows with this ${field}`, act: ask('=', true) },
  ];
  const more: FilterAction[] = !ordered ? [] : [
    { id: 'at least', label: '≥', title: `Only the rows with this ${field} or more`, act: ask('>=') },
    { id: 'at most', label: '≤', title: `Only the rows with this ${field} or less`, act: ask('<=') },
  ];
  const contains: FilterAction[] = typeof value !== 'string' || isInstant(column, value) ? [] : [
    { id: 'contains', label: 'contains…', title: 'Write the part to look for into the search', act: () => void writeFilter(path, text) },
  ];
  return [...equal, ...more, ...contains, ...exists];
}
