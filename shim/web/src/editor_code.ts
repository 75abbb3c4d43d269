// The code of the SQL editor, which takes longer to start than all the rest of the page: it starts once the first rows are drawn, or
// when somebody goes to the editor.
import { effect, signal } from '@preact/signals';
import { entry, outcome } from './state.ts';

type Code = typeof import('./sql_editor.ts');

export const editorCode = signal<Code | null>(null);

let starting: Promise<void> | null = null;

export function startEditor(): Promise<void> {
  starting ??= import('./sql_editor.ts').then((code) => {
    editorCode.value = code;
  });
  return starting;
}

// The milliseconds that a query may run before the editor is there all the same.
const patience = 600;

// The time in which the browser draws an answer, and its histogram is asked for, in milliseconds.
const drawing = 60;

// Starts it when the page has nothing better to do: after the first answer, whatever that is, and after the browser has drawn it.
export function startEditorSoon(): void {
  const idle = () => ('requestIdleCallback' in window ? window.requestIdleCallback(() => void startEditor(), { timeout: patience }) : void startEditor());
  const later = () => window.setTimeout(idle, drawing);
  const timer = window.setTimeout(later, patience);
  const stop = effect(() => {
    if (entry.value !== 'open' || outcome.value.state === 'running') return;
    window.clearTimeout(timer);
    // The effect may not have returned what stops it yet.
    queueMicrotask(() => {
      stop();
      later();
    });
  });
}
