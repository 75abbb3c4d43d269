// The other form of the query beside the editor: its SQL, the places where the languages differ, or why there is none.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { RewriteNote } from './api.ts';
import { copy } from './keeping.ts';
import { type Language, forgetRewriting, otherLanguage, rewrite, rewriting, rewritingOpen, rowsHaveMetadata, showRewriting, takeOver } from './rewriting.ts';
import { editorCode } from './editor_code.ts';
import type { SqlEditor } from './sql_editor.ts';
import { redact, written } from './state.ts';

const placeOf = (line: number | null | undefined, column: number | null | undefined) => (line == null ? '' : `Line ${line}, column ${column ?? 1}`);

// The button that opens the other form.
export function RewritingButton() {
  const language = otherLanguage.value;
  if (language === null || written.value.trim() === '') return null;
  return (
    <button type="button" class="quiet as-other" aria-expanded={rewritingOpen.value} title={`Rewrite this query as ${language.name}, beside it`} onClick={() => showRewriting(!rewritingOpen.value)}>
      {`as ${language.name}`}
    </button>
  );
}

function RewrittenSql({ text, language }: { text: string; language: Language }) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<SqlEditor | null>(null);
  const code = editorCode.value;
  useLayoutEffect(() => {
    if (host.current === null || code === null) return;
    const made = new code.SqlEditor({ parent: host.current, text, language: language.id, readOnly: `The query as ${language.name}`, onChange: () => undefined, onRun: () => undefined });
    view.current = made;
    return () => made.destroy();
  }, [language.id, code]);
  useLayoutEffect(() => view.current?.replace(text), [text, code]);
  return <div class="rewritten-sql" ref={host} />;
}

function Notes({ notes }: { notes: RewriteNote[] }) {
  if (notes.length === 0) return <p class="rewritten-told hint">Both forms have the same meaning.</p>;
  return (
    <ul class="rewritten-told notes" aria-label="Where the meanings differ">
      {notes.map(({ line, column, text }) => <li key={`${line}:${column}:${text}`}>{line !== undefined && <b>{placeOf(line, column)}</b>} {text}</li>)}
    </ul>
  );
}

export function RewritingPane() {
  const language = otherLanguage.value;
  const text = written.value;
  const assumes = rowsHaveMetadata.value;
  const asked = useRef(text);
  useEffect(() => forgetRewriting, []);
  useEffect(() => {
    // While somebody writes, as the verdict below the editor; at once for what was clicked.
    const timer = window.setTimeout(() => void rewrite(), asked.current === text ? 0 : 350);
    asked.current = text;
    return () => window.clearTimeout(timer);
  }, [text, assumes, language?.id, redact.value]);
  if (language === null) return null;
  const now = rewriting.value;
  const made = now.state === 'made' && now.made.language === language.id && now.made.of === text ? now.made : null;
  return (
    <section class="rewriting" aria-label={`The query as ${language.name}`}>
      <div class="rewriting-bar">
        <h2>{language.name}</h2>
        <div class="bar-end">
          {language.id === 'clickhouse' && (
            <label class="check" title="BigQuery SQL drops rows without metadata where it unnests them; ClickHouse SQL cannot tell these rows. Say here that there are none.">
              <input type="checkbox" checked={assumes} onChange={(event) => (rowsHaveMetadata.value = event.currentTarget.checked)} /> All have metadata
            </label>
          )}
          <button type="button" disabled={made === null} onClick={() => made !== null && void copy(made.sql, 'the SQL')}>Copy</button>
          <button type="button" class="primary" disabled={made === null} title={`Put it into the editor, for ${language.endpoint}`} onClick={() => made !== null && takeOver(made)}>Take it over</button>
          <button type="button" class="quiet" aria-label={`Close ${language.name}`} onClick={() => showRewriting(false)}>×</button>
        </div>
      </div>
      <div class="rewriting-body" aria-live="polite" aria-busy={made === null && now.state !== 'failed'}>
        {now.state === 'asking' && <p class="rewritten-told hint">Rewriting…</p>}
        {now.state === 'failed' && (
          <div class="rewritten-told refused">
            <p>{now.failure.line !== null && <b>{placeOf(now.failure.line, now.failure.column)}</b>} {now.failure.message}</p>
            {now.failure.snippet !== null && <pre tabIndex={0} aria-label="Where in the SQL">{now.failure.snippet}</pre>}
          </div>
        )}
        {now.state === 'made' && <><RewrittenSql text={now.made.sql} language={language} /><Notes notes={now.made.notes} /></>}
      </div>
    </section>
  );
}
