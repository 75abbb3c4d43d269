// Queries to begin with, for each log that SQL may read: one click writes the query into the editor and runs it.
import { useEffect } from 'preact/hooks';
import { fieldsKey, loadFields } from './catalog.ts';
import { run } from './running.ts';
import { endpoint, endpointName, fields, missing, range, writeSql } from './state.ts';
import { templatesFor, unitFor } from './templates.ts';
import { spanOf } from './time.ts';

function use(sql: string): void {
  writeSql(sql);
  if (missing.value.length === 0) void run();
}

export function Examples({ close }: { close: () => void }) {
  const tables = endpoint.value?.tables ?? [];
  useEffect(() => {
    for (const table of tables) void loadFields(table);
  }, [endpointName.value]);
  return (
    <div class="examples">
      {tables.map((table) => {
        const known = fields.value[fieldsKey(endpointName.value, table)];
        return (
          <section key={table} aria-label={`Examples for ${table}`}>
            <h2>{table}</h2>
            <ul class="choices">
              {known === undefined ? <li class="hint">Reading its fields…</li> : templatesFor(table, known, unitFor(spanOf(range.value, new Date()))).map(({ title, sql }) => (
                <li key={title}><button type="button" title={sql} onClick={() => {
                  use(sql);
                  close();
                }}>{title}</button></li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}
