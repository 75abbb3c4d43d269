// The query of the editor in the other of the two languages, as the server rewrites it (POST /api/translate).
import { computed, signal } from '@preact/signals';
import type { Rewritten } from './api.ts';
import { openQuery } from './running.ts';
import { type Failure, endpointName, endpoints, failureOf, notice, query, redact, server, takesSql, written } from './state.ts';

export interface Language {
  id: 'bigquery' | 'clickhouse';
  name: string;
  endpoint: string;
}

const languages: Language[] = [
  { id: 'bigquery', name: 'BigQuery SQL', endpoint: 'logs.all' },
  { id: 'clickhouse', name: 'ClickHouse SQL', endpoint: 'logs.all.otel' },
];

// The language that the query can be rewritten in; null: this endpoint has no other form, or the token may not call it.
export const otherLanguage = computed<Language | null>(() => {
  if (!takesSql.value || !languages.some((one) => one.endpoint === endpointName.value)) return null;
  const other = languages.find((one) => one.endpoint !== endpointName.value);
  return other !== undefined && endpoints.value.some((one) => one.name === other.endpoint) ? other : null;
});

export type Outcome = { state: 'asking' } | { state: 'made'; made: Rewritten } | { state: 'failed'; failure: Failure; of: string };

// Tells that the other form stands beside the editor; it is that of `endpoint`, and closes with it.
const openOf = signal<string | null>(null);
export const rewritingOpen = computed(() => openOf.value !== null && openOf.value === endpointName.value && otherLanguage.value !== null && written.value.trim() !== '');
export const rewriting = signal<Outcome>({ state: 'asking' });
export const rowsHaveMetadata = signal(false);

export function showRewriting(open: boolean): void {
  openOf.value = open ? endpointName.value : null;
}

let asking: AbortController | null = null;

// Asks for the other form of what is written now. The former one stays on screen until then, but cannot be taken over.
export async function rewrite(): Promise<void> {
  asking?.abort();
  const language = otherLanguage.value;
  const sql = written.value;
  if (language === null || sql.trim() === '') return;
  asking = new AbortController();
  const { signal: stopped } = asking;
  try {
    const made = await server.value.rewrite({ sql, to: language.id, rows_have_metadata: language.id === 'clickhouse' && rowsHaveMetadata.value }, redact.value, stopped);
    if (!stopped.aborted) rewriting.value = { state: 'made', made };
  } catch (error) {
    if (!stopped.aborted) rewriting.value = { state: 'failed', failure: failureOf(error), of: sql };
  }
}

export function forgetRewriting(): void {
  asking?.abort();
  rewriting.value = { state: 'asking' };
}

// Puts the other form into the editor, with the same parameters and times, for the endpoint that takes it.
export function takeOver(made: Rewritten): void {
  const language = languages.find((one) => one.id === made.language);
  const { parameters, range } = query.value;
  showRewriting(false);
  openQuery({ endpoint: made.endpoint, parameters, range, sql: made.sql }, false, 'page');
  notice.value = `The query is now ${language?.name ?? made.language}, for ${made.endpoint}`;
}
