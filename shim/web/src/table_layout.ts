// Which columns the table shows, how wide they are, and in which order its rows stand.
import { computed, signal } from '@preact/signals';
import type { Column, Row } from './api.ts';
import { selectedRow, shown, utc } from './state.ts';
import { cellText, isLogRows, sortRows } from './values.ts';

export interface Sort {
  column: string;
  descending: boolean;
}

export const sort = signal<Sort | null>(null);
export const widths = signal<Record<string, number>>({});
export const hidden = signal<Record<string, boolean>>({});

const answer = computed(() => shown.value?.answer ?? null);

// Of log rows the time and the message come first; the rest stands in a row's detail unless somebody shows it.
export const columns = computed<Column[]>(() => {
  const all = answer.value?.columns ?? [];
  if (!isLogRows(all)) return all;
  const first = ['timestamp', 'event_message'];
  const named = first.flatMap((name) => all.filter((column) => column.name === name));
  return [...named, ...all.filter((column) => !first.includes(column.name))];
});

export const isHidden = (name: string) =>
  hidden.value[name] ?? (isLogRows(columns.value) && (name === 'id' || name === 'metadata'));

export const visibleColumns = computed(() => columns.value.filter(({ name }) => !isHidden(name)));

export const rows = computed<Row[]>(() => {
  const all = answer.value?.rows ?? [];
  const by = columns.value.find(({ name }) => name === sort.value?.column);
  return by === undefined || sort.value === null ? all : sortRows(all, by, sort.value.descending);
});

// Ascending, descending, as the server sent them.
export function cycleSort(column: string): void {
  const now = sort.value;
  sort.value = now?.column !== column ? { column, descending: false } : now.descending ? null : { column, descending: true };
  selectedRow.value = null;
}

const characterWidth = 7.3;
const padding = 22;

// A narrow screen shows the beginning of a long text and the column beside it.
const widest = () => (window.innerWidth <= 760 ? 190 : 460);

// As wide as what its first rows hold, within bounds.
export function naturalWidth(column: Column, most = widest()): number {
  const texts = rows.value.slice(0, 60).map((row) => cellText(column, row[column.name], utc.value).length);
  const longest = Math.max(column.name.length + 2, ...texts);
  return Math.round(Math.min(most, Math.max(64, longest * characterWidth + padding)));
}

export const template = computed(() => {
  const shown = visibleColumns.value;
  // A message, else a text that comes last, takes what is left of the width; beside numbers it stays empty.
  const last = shown.at(-1);
  const grows = shown.find(({ name }) => name === 'event_message') ?? (last !== undefined && last.type === 'STRING' ? last : undefined);
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
