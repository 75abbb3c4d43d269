// The menu of a cell, by the right button of the mouse: filters on its value, and a copy.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type FilterAction, filterActions } from './filter_actions.ts';
import { copy } from './keeping.ts';
import { searchable } from './state.ts';
import type { ShownColumn } from './table_layout.ts';
import { copyText } from './values.ts';

const opened = signal<{ left: number; top: number; name: string; actions: FilterAction[]; text: string } | null>(null);

const [width, height] = [180, 260];

export function openCellMenu(event: MouseEvent, column: ShownColumn, value: unknown): void {
  // With text selected, or a modifier, the browser's own menu is wanted.
  if (!searchable.value || event.shiftKey || window.getSelection()?.isCollapsed === false) return;
  event.preventDefault();
  const path = column.path ?? [column.name];
  opened.value = {
    left: Math.max(0, Math.min(event.clientX, window.innerWidth - width)), top: Math.max(0, Math.min(event.clientY, window.innerHeight - height)),
    name: path.at(-1) ?? '', actions: filterActions(path, value, column), text: copyText(column, value),
  };
}

export function CellMenu() {
  const root = useRef<HTMLDivElement>(null);
  const now = opened.value;
  useEffect(() => {
    if (now === null) return;
    const before = document.activeElement;
    root.current?.querySelector('button')?.focus();
    const close = () => (opened.value = null);
    const outside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) close();
    };
    document.addEventListener('pointerdown', outside);
    window.addEventListener('resize', close);
    return () => {
      document.removeEventListener('pointerdown', outside);
      window.removeEventListener('resize', close);
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, [now]);
  if (now === null) return null;
  const act = (action: () => void) => () => {
    opened.value = null;
    action();
  };
  return (
    <div ref={root} class="cell-menu panel" style={{ left: `${now.left}px`, top: `${now.top}px` }}
      onKeyDown={(event) => {
        const all = [...event.currentTarget.querySelectorAll('button')];
        const at = all.indexOf(document.activeElement as HTMLButtonElement);
        event.stopPropagation();
        if (event.key === 'Escape' || event.key === 'Tab') opened.value = null;
        else if (event.key === 'ArrowDown') all[Math.min(all.length - 1, at + 1)]?.focus();
        else if (event.key === 'ArrowUp') all[Math.max(0, at - 1)]?.focus();
        else return;
        event.preventDefault();
      }}>
      <p class="hint">{now.name}</p>
      <div role="menu" aria-label={`Filters on ${now.name}`}>
      {now.actions.map(({ id, label, title, act: run }) => <button key={id} type="button" role="menuitem" title={title} onClick={act(run)}><b>{label}</b> <span class="type">{label.length > 1 ? '' : id}</span></button>)}
      <button type="button" role="menuitem" onClick={act(() => void copy(now.text, 'the cell'))}><b>copy</b></button>
      </div>
    </div>
  );
}
