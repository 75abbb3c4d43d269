// The projects that somebody may want to see: those that have rows, where the server lists them for this token, else those that this
// browser has asked for before.
import { computed, signal } from '@preact/signals';
import type { Parameter } from './api.ts';
import { failureOf, history, scope, server } from './state.ts';

export const listed = signal<{ projects: string[]; problem: string | null } | null>(null);

let asked: object | null = null;

export function forgetProjects(): void {
  listed.value = null;
  asked = null;
}

// Asks once for each token.
export async function loadProjects(): Promise<void> {
  const by = server.value;
  if (asked === by) return;
  asked = by;
  let found: { projects: string[]; problem: string | null };
  try {
    found = { projects: await by.projects(), problem: null };
  } catch (error) {
    found = { projects: [], problem: failureOf(error).message };
  }
  if (asked === by) listed.value = found;
}

const before = computed(() => [...new Set(history.value.flatMap(({ query }) => query.parameters['project'] ?? []))].filter((name) => name !== ''));

export const projects = computed(() => [...new Set([...(listed.value?.projects ?? []), ...before.value])]);

// Whether the parameter is the project whose rows are read, and the token leaves it open. A pattern of URLs is none.
export const namesProject = ({ name, pattern, fixed }: Parameter) => name === 'project' && pattern !== true && fixed !== true && scope.value === null;
