// The rows as a grid of which only what is in sight is drawn. Arrows move the active cell, Enter opens the row, S sorts, Ctrl-C
// copies.
import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Row } from './api.ts';
import { CellMenu, openCellMenu } from './CellMenu.tsx';
import { filterActions } from './filter_actions.ts';
import { copy } from './keeping.ts';
import { markKind, markOf } from './marks.ts';
import { found, notice, searchable, selectedRow, shown, utc } from './state.ts';
import { type ShownColumn, cycleSort, naturalWidth, rowHeight, rowMark, rows, setWidth, shape, sort, stacked, template, valueOf, visibleColumns, wrapped } from './table_layout.ts';
import { isNumberType } from './types.ts';
import { cellText, copyText } from './values.ts';

const spare = 8;

const active = signal<{ row: number; column: number } | null>(null);

function Header({ column, index }: { column: ShownColumn; index: number }) {
  const from = useRef<{ x: number; width: number } | null>(null);
  const by = sort.value?.column === column.name ? sort.value : null;
  return (
    <div role="columnheader" class={`cell head${isNumberType(column.type) ? ' number' : ''}`} aria-colindex={index + 1} aria-sort={by === null ? 'none' : by.descending ? 'descending' : 'ascending'}>
      <button type="button" tabIndex={-1} title={`${column.name} ${column.type.toLowerCase()} — click sorts the rows that are loaded`} onClick={() => {
        active.value = null;
        cycleSort(column.name);
      }}>
        {column.path?.at(-1) ?? column.name}<span aria-hidden="true">{by === null ? '' : by.descending ? ' ↓' : ' ↑'}</span>
      </button>
      <span class="grip" aria-hidden="true" title="Drag to resize; double-click to fit"
        onDblClick={() => setWidth(column.name, naturalWidth(column, 1200))}
        onPointerDown={(event) => {
          event.preventDefault();
          event.currentTarget.setPointerCapture(event.pointerId);
          from.current = { x: event.clientX, width: event.currentTarget.parentElement?.offsetWidth ?? 100 };
        }}
        onPointerMove={(event) => {
          if (from.current !== null) setWidth(column.name, from.current.width + event.clientX - from.current.x);
        }}
        onPointerUp={() => (from.current = null)} />
    </div>
  );
}

// On a phone: as many characters of a message are shown until it is unfolded.
const folded = 60;
const longest = 600;
const unfolded = signal<ReadonlySet<Row>>(new Set());

function unfold(row: Row): void {
  const next = new Set(unfolded.value);
  if (!next.delete(row)) next.add(row);
  unfolded.value = next;
}

function Message({ row, text }: { row: Row; text: string }) {
  const mark = rowMark(row);
  const open = unfolded.value.has(row);
  const folds = stacked.value && text.length > folded;
  return (
    <>
      {mark !== null && <><span class={`mark tone-${mark.tone}`}>{mark.text}</span>{' '}</>}
      <span class="text">{folds && !open ? `${text.slice(0, folded)}…` : text}</span>
      {folds && (
        <button type="button" class="quiet unfold" tabIndex={-1} aria-expanded={open} onClick={(event) => {
          event.stopPropagation();
          unfold(row);
        }}>{open ? 'less' : 'more'}</button>
      )}
    </>
  );
}

function Cells({ row, index }: { row: Row; index: number }) {
  return visibleColumns.value.map((column, at) => {
    const value = valueOf(row, column);
    const empty = value === null || value === undefined;
    const kind = empty ? ' null' : isNumberType(column.type) ? ' number' : '';
    const here = active.value?.row === index && active.value.column === at;
    const name = column.path?.at(-1) ?? column.name;
    const tone = markKind(name) === null ? null : markOf(name, value);
    const text = cellText(column, value, utc.value).slice(0, wrapped.value || stacked.value ? 20 * longest : longest);
    return (
      <div key={column.name} id={`cell-${index}-${at}`} role="gridcell" aria-colindex={at + 1} class={`cell${kind}${here ? ' active' : ''}${tone === null ? '' : ` tone-${tone.tone}`}`}
        onContextMenu={(event) => openCellMenu(event, column, value)}
        onClick={() => {
          active.value = { row: index, column: at };
          selectedRow.value = index;
        }}>
        {column.name === shape.value?.message ? <Message row={row} text={text} /> : text}
      </div>
    );
  });
}

function useSight(grid: { current: HTMLDivElement | null }) {
  const [sight, setSight] = useState({ top: 0, height: 400 });
  useLayoutEffect(() => {
    const element = grid.current;
    if (element === null) return;
    const look = () => setSight({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  return sight;
}

const moves: Record<string, [number, number]> = {
  ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-20, 0], PageDown: [20, 0],
  Home: [-1e9, 0], End: [1e9, 0],
};

function onKey(event: KeyboardEvent): void {
  const shown = visibleColumns.value;
  const at = active.value ?? { row: 0, column: 0 };
  const column = shown[at.column];
  const row = rows.value[at.row];
  if (column === undefined || row === undefined) return;
  if ((event.ctrlKey || event.metaKey) && event.key === 'c' && window.getSelection()?.isCollapsed !== false) {
    void copy(copyText(column, valueOf(row, column)), 'the cell');
  } else if ((event.key === '=' || event.key === '-') && searchable.value && !event.ctrlKey && !event.metaKey && !event.altKey) {
    const wanted = event.key === '=' ? ['is', 'is missing'] : ['is not', 'exists'];
    filterActions(column.path ?? [column.name], valueOf(row, column), column).find(({ id }) => wanted.includes(id))?.act();
  } else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
    selectedRow.value = at.row;
  } else if (event.key.toLowerCase() === 's' && !event.ctrlKey && !event.metaKey && !event.altKey) {
    cycleSort(column.name);
    active.value = { row: 0, column: at.column };
    const by = sort.value;
    notice.value = by === null ? 'In the order of the answer' : `Sorted by ${by.column}, ${by.descending ? 'descending' : 'ascending'}`;
  } else if (event.shiftKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
    const width = document.getElementById(`cell-${at.row}-${at.column}`)?.offsetWidth ?? 120;
    setWidth(column.name, width + (event.key === 'ArrowLeft' ? -16 : 16));
  } else {
    const move = moves[event.key];
    if (move === undefined || event.ctrlKey || event.metaKey) return;
    const clamp = (value: number, most: number) => Math.min(most, Math.max(0, value));
    active.value = active.value === null ? at : { row: clamp(at.row + move[0], rows.value.length - 1), column: clamp(at.column + move[1], shown.length - 1) };
    if (selectedRow.value !== null) selectedRow.value = active.value.row;
  }
  event.preventDefault();
}

// Closes the row that is open; a focus inside of its detail goes back to the row.
export function closeRow(): void {
  const index = selectedRow.value;
  if (index !== null && document.activeElement?.closest('.detail')) {
    active.value = { row: index, column: active.value?.column ?? 0 };
    document.querySelector<HTMLElement>('.grid')?.focus({ preventScroll: true });
  }
  selectedRow.value = null;
}

// Opens the row that the run was made for; true until it is scrolled to the middle.
function useFound(all: Row[]): { current: boolean } {
  const centring = useRef(false);
  useEffect(() => {
    const wanted = found.value;
    const log = shape.value;
    if (wanted === null || log === null || shown.value?.past !== false) return;
    found.value = null;
    const index = all.findIndex((row) => copyText({ name: log.time, type: 'TIMESTAMP' }, row[log.time]) === wanted.time && (wanted.id === null || log.id === null || String(row[log.id]) === wanted.id));
    if (index < 0) return;
    centring.current = true;
    active.value = { row: index, column: 0 };
    selectedRow.value = index;
  }, [all]);
  return centring;
}

export function Table() {
  const grid = useRef<HTMLDivElement>(null);
  const { top, height } = useSight(grid);
  const all = rows.value;
  const at = active.value;
  // Rows that are as high as their text are all drawn; the browser skips those that are out of sight.
  const flows = wrapped.value || stacked.value;
  useEffect(() => {
    active.value = null;
    unfolded.value = new Set();
  }, [visibleColumns.value]);
  const centring = useFound(all);
  useEffect(() => {
    grid.current?.scrollTo({ top: 0 });
  }, [visibleColumns.value, sort.value]);
  useEffect(() => {
    const element = grid.current;
    if (element === null || at === null) return;
    const place = at.row * rowHeight.value;
    const block = centring.current ? 'center' : 'nearest';
    centring.current = false;
    if (flows) document.getElementById(`cell-${at.row}-${at.column}`)?.scrollIntoView({ block, inline: 'nearest' });
    if (flows) return;
    // The first line of the grid is that of the names.
    if (block === 'center') element.scrollTop = place - (element.clientHeight - 2 * rowHeight.value) / 2;
    if (place < element.scrollTop) element.scrollTop = place;
    if (place + 2 * rowHeight.value > element.scrollTop + element.clientHeight) element.scrollTop = place + 2 * rowHeight.value - element.clientHeight;
    document.getElementById(`cell-${at.row}-${at.column}`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [at]);
  const first = flows ? 0 : Math.max(0, Math.floor(top / rowHeight.value) - spare);
  const last = flows ? all.length : Math.min(all.length, Math.ceil((top + height) / rowHeight.value) + spare);
  const layout = stacked.value ? ' flows stacked' : flows ? ' flows' : '';
  return (
    <>
    <div ref={grid} class={`grid${layout}`} role="grid" tabIndex={0} aria-label="Rows" aria-rowcount={all.length + 1} aria-colcount={visibleColumns.value.length}
      aria-activedescendant={at !== null && at.row >= first && at.row < last ? `cell-${at.row}-${at.column}` : undefined}
      style={{ '--columns': template.value }} onKeyDown={onKey}>
      <div role="rowgroup" class="heads">
        <div role="row" class="line" aria-rowindex={1}>
          {visibleColumns.value.map((column, index) => <Header key={column.name} column={column} index={index} />)}
        </div>
      </div>
      <div role="rowgroup" class={shown.value?.past ? 'past-lines' : 'lines'} style={flows ? {} : { height: `${all.length * rowHeight.value}px` }}>
        {all.slice(first, last).map((row, offset) => {
          const index = first + offset;
          const tone = rowMark(row)?.tone ?? 'none';
          return (
            <div key={index} role="row" class={`line line-${tone}${selectedRow.value === index ? ' selected' : ''}`} aria-rowindex={index + 2}
              aria-selected={selectedRow.value === index} style={flows ? {} : { top: `${index * rowHeight.value}px` }}>
              <Cells row={row} index={index} />
            </div>
          );
        })}
      </div>
    </div>
    <CellMenu />
    </>
  );
}
