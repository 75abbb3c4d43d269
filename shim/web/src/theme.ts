// Light and dark: as the system has it, or as somebody chose.
import { computed, signal } from '@preact/signals';
import { readLayout, writeLayout } from './storage.ts';

export type Choice = 'auto' | 'light' | 'dark';

const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)');
const dark = signal(systemIsDark.matches);
systemIsDark.addEventListener('change', (event) => (dark.value = event.matches));

const stored = readLayout<string>('theme', 'auto');
export const choice = signal<Choice>(stored === 'light' || stored === 'dark' ? stored : 'auto');
export const theme = computed<'light' | 'dark'>(() => (choice.value === 'auto' ? (dark.value ? 'dark' : 'light') : choice.value));

theme.subscribe((now) => {
  document.documentElement.dataset['theme'] = now;
});

export function choose(next: Choice): void {
  choice.value = next;
  writeLayout('theme', next);
}
