// A button that opens a panel below it; Escape, and a click elsewhere, close it.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface Props {
  label: ComponentChildren;
  title: string;
  class?: string;
  align?: 'left' | 'right';
  children: (close: () => void) => ComponentChildren;
}

export function Menu({ label, title, class: name = '', align = 'left', children }: Props) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const outside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
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
        }
      }}
    >
      <button ref={button} type="button" class={name} title={title} aria-expanded={open} onClick={() => setOpen(!open)}>
        {label}
      </button>
      {open && <div class={`panel ${align}`}>{children(close)}</div>}
    </div>
  );
}
