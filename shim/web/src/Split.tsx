// A bar between two panes that is dragged, or moved by the arrow keys, to resize the one before it.
import { useRef } from 'preact/hooks';
import { signal, type Signal } from '@preact/signals';
import { readLayout, writeLayout } from './storage.ts';

export interface PaneSize {
  key: string;
  value: Signal<number>;
  least: number;
  most: number;
}

export function paneSize(key: string, otherwise: number, least: number, most: number): PaneSize {
  const stored = readLayout<number>(key, otherwise);
  return { key, value: signal(typeof stored === 'number' ? stored : otherwise), least, most };
}

interface Props {
  size: PaneSize;
  label: string;
  // Whether panes lie side by side, and whether the pane comes after the bar.
  vertical: boolean;
  after?: boolean;
}

export function Split({ size, label, vertical, after = false }: Props) {
  const from = useRef<{ at: number; size: number } | null>(null);
  const set = (next: number) => {
    size.value.value = Math.round(Math.min(size.most, Math.max(size.least, next)));
    writeLayout(size.key, size.value.value);
  };
  const sign = after ? -1 : 1;
  const place = (event: PointerEvent) => (vertical ? event.clientX : event.clientY);
  const keys: Record<string, number> = vertical ? { ArrowLeft: -16, ArrowRight: 16 } : { ArrowUp: -16, ArrowDown: 16 };
  return (
    <div
      class={vertical ? 'split vertical' : 'split'}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={vertical ? 'vertical' : 'horizontal'}
      aria-valuenow={size.value.value}
      aria-valuemin={size.least}
      aria-valuemax={size.most}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { at: place(event), size: size.value.value };
      }}
      onPointerMove={(event) => {
        if (from.current !== null) set(from.current.size + sign * (place(event) - from.current.at));
      }}
      onPointerUp={() => (from.current = null)}
      onPointerCancel={() => (from.current = null)}
      onKeyDown={(event) => {
        const step = keys[event.key];
        if (step === undefined) return;
        event.preventDefault();
        set(size.value.value + sign * step);
      }}
    />
  );
}
