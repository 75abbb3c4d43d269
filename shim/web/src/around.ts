// The rows of a log around one of its rows: those just before and after it, whatever was searched for.
import { computed } from '@preact/signals';
import type { Row } from './api.ts';
import { textLiteral } from './conditions.ts';
import { openQuery } from './running.ts';
import { logAndCondition, quoted } from './sql_text.ts';
import { editorOpened, endpoint, found, query, rangeParameters, shown } from './state.ts';
import { defaultLog } from './templates.ts';
import { rangeAround, timeOf } from './time.ts';
import { copyText } from './values.ts';

// On each side.
const neighbours = 50;
// On each side of the row: the time in which neighbours are looked for; it also bounds what the server reads.
const span = 6 * 3600e3;

// The log that the rows on screen are of.
const logOfRows = computed(() => {
  const now = shown.value;
  if (now === null || now.answer.shape === null) return null;
  const text = now.call.parameters['sql'] ?? '';
  const name = text === '' ? (now.call.endpoint === 'logs.all' ? defaultLog : null) : logAndCondition(text).log;
  return name !== null && endpoint.value?.tables?.includes(name) ? name : null;
});

export const canLookAround = computed(() => logOfRows.value !== null);

function sqlAround(table: string, time: string, columns: string[], instant: string): string {
  const names = columns.map(quoted).join(', ');
  const at = `timestamp ${textLiteral(instant)}`;
  const side = (sign: string, order: string) => `select ${names}\n  from ${quoted(table)}\n  where ${quoted(time)} ${sign} ${at}\n  order by ${quoted(time)}${order}\n  limit ${neighbours}`;
  return `select *\nfrom (\n  (${side('>=', '')})\n  union all\n  (${side('<', ' desc')})\n)\norder by ${quoted(time)} desc`;
}

// Opens the neighbours of the row as a query of its own, from which Back leads to the search again.
export function aroundRow(row: Row): void {
  const now = shown.value;
  const table = logOfRows.value;
  const shape = now?.answer.shape ?? null;
  if (now === null || shape === null || table === null) return;
  const milliseconds = timeOf(row[shape.time]);
  if (milliseconds === null) return;
  const iso = copyText({ name: shape.time, type: 'TIMESTAMP' }, row[shape.time]);
  const columns = now.answer.columns.map(({ name }) => name);
  const { search: _, log: __, chart: ___, ...rest } = query.value;
  found.value = { time: iso, id: shape.id === null ? null : String(row[shape.id]) };
  const range = rangeParameters.value === null ? rest.range : rangeAround(milliseconds, span, Date.now());
  // The rows are what somebody wants to see, not the SQL.
  editorOpened.value = false;
  openQuery({ ...rest, sql: sqlAround(table, shape.time, columns, iso), range }, true, 'page');
}
