// Which columns the table shows, how wide they are, and in which order its rows stand.
import { computed, signal } from '@preact/signals';
import type { Column, Row } from './api.ts';
import { type Mark, markOf, markPath, valueAt } from './marks.ts';
import { selectedRow, shown, utc } from './state.ts';
import { readLayout, writeLayout } from './storage.ts';
import { cellText, sortRows } from './values.ts';

export interface Sort {
  column: string;
  descending: boolean;
}

export const sort = signal<Sort | null>(null);
export const widths = signal<Record<string, number>>({});
export const hidden = signal<Record<string, boolean>>({});

const mostPinned = 30;

// The browser's storage may hold anything.
function readPinned(): string[][] {
  const stored = readLayout<unknown>('pinned', []);
  const isPath = (path: unknown): path is string[] => Array.isArray(path) && path.length > 0 && path.every((name) => typeof name === 'string');
  return Array.isArray(stored) ? stored.filter(isPath).slice(0, mostPinned) : [];
}

// The fields that somebody made columns, by the names that lead to them. Rows without them do not show them.
export const pinned = signal<string[][]>(readPinned());
// Whether long texts are wrapped, so that a row is as high as it needs.
export const wrapped = signal<boolean>(readLayout<unknown>('wrapped', false) === true);

const narrow = window.matchMedia('(max-width: 760px)');
const isNarrow = signal(narrow.matches);
narrow.addEventListener('change', (event) => (isNarrow.value = event.matches));

// Of a row that is one line: for a finger it is higher.
export const rowHeight = computed(() => (isNarrow.value ? 40 : 25));

const answer = computed(() => shown.value?.answer ?? null);

export const shape = computed(() => answer.value?.shape ?? null);

// Rows of a log on a phone: each a block with its time above its message.
export const stacked = computed(() => isNarrow.value && shape.value !== null && shape.value.message !== null);

// A column of the answer, or a field within one that somebody made a column.
export interface ShownColumn extends Column {
  path?: string[];
}

export const valueOf = (row: Row, column: ShownColumn): unknown => (column.path === undefined ? row[column.name] : valueAt(row, column.path));

// Of log rows the time and the message come first, with the pinned fields between them; the rest stands in a row's detail unless
// somebody shows it.
export const columns = computed<ShownColumn[]>(() => {
  const all = answer.value?.columns ?? [];
  const log = shape.value;
  if (log === null) return all;
  const named = (name: string | null) => all.filter((column) => column.name === name);
  const fields = pinned.value.filter(([first]) => named(first ?? '').length > 0).map((path): ShownColumn => ({ name: path.join('.'), type: '', path }));
  const first = [log.time, log.message];
  return [...named(log.time), ...fields, ...named(log.message), ...all.filter((column) => !first.includes(column.name))];
});

export const isHidden = (name: string) => {
  const column = columns.value.find((one) => one.name === name);
  return hidden.value[name] ?? (shape.value !== null && column?.path === undefined && (name === 'id' || column?.type === 'NESTED'));
};

export const visibleColumns = computed(() => columns.value.filter(({ name }) => !isHidden(name)));

// Where the status or the level of these rows is, for their marks.
const markNames = computed(() => (shape.value === null ? null : markPath(answer.value?.rows ?? [])));

export function rowMark(row: Row): Mark | null {
  const names = markNames.value;
  return names === null ? null : markOf(names.at(-1) ?? '', valueAt(row, names));
}

export const isPinned = (path: string[]) => pinned.value.some((other) => other.join('.') === path.join('.'));

export function togglePinned(path: string[]): void {
  pinned.value = isPinned(path) ? pinned.value.filter((other) => other.join('.') !== path.join('.')) : [...pinned.value, path].slice(-mostPinned);
  writeLayout('pinned', pinned.value);
}

export function setWrapped(on: boolean): void {
  wrapped.value = on;
  writeLayout('wrapped', on);
}

export const rows = computed<Row[]>(() => {
  const all = answer.value?.rows ?? [];
  const by = columns.value.find(({ name }) => name === sort.value?.column);
  return by === undefined || sort.value === null ? all : sortRows(all, by, sort.value.descending, valueOf);
});

// Ascending, descending, as the server sent them.
export function cycleSort(column: string): void {
  const now = sort.value;
  sort.value = now?.column !== column ? { column, descending: false } : now.descending ? null : { column, descending: true };
  selectedRow.value = null;
}

const characterWidth = 7.3;
const padding = 22;
const markWidth = 40;

// A narrow screen shows the beginning of a long text and the column beside it.
const widest = () => (window.innerWidth <= 760 ? 190 : 460);

// As wide as what its first rows hold, within bounds.
export function naturalWidth(column: ShownColumn, most = widest()): number {
  const texts = rows.value.slice(0, 60).map((row) => cellText(column, valueOf(row, column), utc.value).length);
  const longest = Math.max(column.name.length + 2, ...texts);
  return Math.round(Math.min(most, Math.max(64, longest * characterWidth + padding + (column.name === shape.value?.message ? markWidth : 0))));
}

export const template = computed(() => {
  const shown = visibleColumns.value;
  // A message, else a text that comes last, takes what is left of the width; beside numbers it stays empty.
  const last = shown.at(-1);
  const grows = shown.find(({ name }) => name === shape.value?.message) ?? (last !== undefined && last.type === 'STRING' ? last : undefined);
  const parts = shown.map((column) => {
    const width = widths.value[column.name];
    if (width !== undefined) return `${width}px`;
    return column === grows ? `minmax(${naturalWidth(column, Math.min(320, widest()))}px, 1fr)` : `${naturalWidth(column)}px`;
  });
  if (grows === undefined || widths.value[grows.name] !== undefined) parts.push('1fr');
  return parts.join(' ');
});

export function setWidth(column: string, width: number): void {
  widths.value = { ...widths.value, [column]: Math.round(Math.min(1600, Math.max(48, width))) };
}

export function toggleColumn(name: string): void {
  hidden.value = { ...hidden.value, [name]: !isHidden(name) };
}
