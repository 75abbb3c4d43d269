// The rows of the live tail: from when on the next look asks, and how new rows join those that are shown.
import type { Answer, Row } from './api.ts';
import type { LogShape } from './log_shape.ts';
import { timeOf } from './time.ts';

// A row may become visible a moment after a newer one: the last second is asked for again, and rows are told apart by their ids.
const overlap = 1000;
export const mostRows = 2000;

// Where the next look begins, in milliseconds since 1970; null with no rows yet, when the start of the query's range holds. A row
// from the future does not move it beyond `asked`, when the last look began: rows of the present would never come after it.
export function lookFrom(rows: Row[], asked: number, column = 'timestamp'): number | null {
  const newest = rows.reduce<number | null>((most, row) => {
    const time = timeOf(row[column]);
    return time === null || (most !== null && time <= most) ? most : time;
  }, null);
  return newest === null ? null : Math.min(newest, asked) - overlap;
}

// Rows without an id are told apart by all that is in them.
export function unknownRows(rows: Row[], known: Row[], shape: LogShape | null): Row[] {
  const id = shape?.id ?? null;
  const keyOf = (row: Row) => (id === null ? JSON.stringify(row) : row[id]);
  const keys = new Set(known.map(keyOf));
  return rows.filter((row) => !keys.has(keyOf(row)));
}

// Puts `fresh` on top. Beyond `mostRows` the oldest go, and with them the cursor, which would leave a gap after the last row that
// is kept. Where `fresh` does not reach back to the rows that are shown, it takes their place.
export function joinRows(shown: Answer, fresh: Row[], reachesBack: boolean, asked: number): Answer {
  const all = reachesBack ? [...fresh, ...shown.rows] : fresh;
  const cut = shown.cut || !reachesBack || all.length > mostRows;
  return { ...shown, asked, rows: all.slice(0, mostRows), cursor: cut ? null : shown.cursor, cut };
}
