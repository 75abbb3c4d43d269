// What a histogram is split by: what somebody chose, else the status or the level that its rows have.
import type { ChartChoice } from './chart_choice.ts';
import type { Split } from './counting.ts';
import { markKind } from './marks.ts';
import { facetFields, findFields, markField } from './search_fields.ts';
import type { FieldNode } from './types.ts';

export function splitOf(columns: FieldNode[], choice: ChartChoice | 'none' | null): Split | null {
  if (choice === 'none') return null;
  if (choice !== null && choice.split === null) return null;
  // A choice for the rows of another log says nothing of these.
  const path = findFields(columns, choice?.split?.split('.') ?? [])[0] ?? markField(columns)?.path;
  if (path === undefined) return null;
  return { path, kind: markKind(path.at(-1)?.name ?? '') ?? 'value', values: [] };
}

// What the histogram can be split by, as its choice names it.
export function splitsOf(columns: FieldNode[]): string[] {
  const { first } = facetFields(columns);
  const mark = markField(columns);
  const paths = mark === null ? first : [mark.path, ...first];
  return [...new Set(paths.map((path) => path.map(({ name }) => name).join('.')))];
}
