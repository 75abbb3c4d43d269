// A button that opens a panel below it; Escape, and a click elsewhere, close it. Arrows move between its choices.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface Props {
  label: ComponentChildren;
  title: string;
  class?: string;
  align?: 'left' | 'right';
  children: (close: () => void) => ComponentChildren;
}

const choices = '.choices button, .choices input, .range li button';

// Moves the focus to the choice before or after the one that has it; the panel's button comes before the first.
function move(root: HTMLElement, key: string): boolean {
  const all = [...root.querySelectorAll<HTMLElement>(choices)];
  const here = document.activeElement;
  const at = here instanceof HTMLElement ? all.indexOf(here) : -1;
  if (all.length === 0 || (at < 0 && !(here instanceof HTMLButtonElement && here.parentElement === root))) return false;
  const to = { ArrowDown: at + 1, ArrowUp: at < 0 ? all.length - 1 : at - 1, Home: 0, End: all.length - 1 }[key];
  if (to === undefined) return false;
  all[Math.min(all.length - 1, Math.max(0, to))]?.focus();
  return true;
}

const edge = 8;

// Moves a panel that reaches beyond the side of the page back onto it.
function keepInside(panel: HTMLElement): void {
  const { left, right } = panel.getBoundingClientRect();
  const by = left < 0 ? edge - left : right > innerWidth ? innerWidth - edge - right : 0;
  if (by !== 0) panel.style.translate = `${by}px`;
}

export function Menu({ label, title, class: name = '', align = 'left', children }: Props) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    const outside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, [open]);
  useLayoutEffect(() => {
    if (panel.current !== null) keepInside(panel.current);
  }, [open]);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div
      class="menu"
      ref={root}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && open) {
          event.stopPropagation();
          close();
        } else if (open && root.current !== null && move(root.current, event.key)) {
          event.preventDefault();
        }
      }}
    >
      <button ref={button} type="button" class={name} title={title} aria-expanded={open} onClick={() => setOpen(!open)}>
        {label}
      </button>
      {open && <div class={`panel ${align}`} ref={panel}>{children(close)}</div>}
    </div>
  );
}
