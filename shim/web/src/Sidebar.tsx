// The left pane: endpoints, the logs that SQL may read with their fields, saved queries and history, all searchable.
import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { type PaneSize, Split } from './Split.tsx';
import { Facets } from './Facets.tsx';
import { type Query, readLayout, writeLayout } from './storage.ts';
import { fieldsKey, loadFields } from './catalog.ts';
import { removeSaved } from './keeping.ts';
import { deleteOnServer, loadServerQueries, mayChange, openServerQuery, ownerOf } from './server_queries.ts';
import type { ServerQuery } from './api.ts';
import { titlesOf } from './past_titles.ts';
import { openQuery, run, showEndpoint } from './running.ts';
import { endpointName, endpoint, endpoints, fields, history, keeps, missing, notice, range, saved, scope, serverQueries, sidebarOpen, takesSql, utc, writeSql } from './state.ts';
import { templateForField, templateForRows, templateOverTime, unitFor } from './templates.ts';
import type { FieldNode } from './types.ts';
import { rangeLabel, spanOf, timeText } from './time.ts';

const search = signal('');
const tabs = [{ id: 'browse', label: 'Browse' }, { id: 'facets', label: 'Facets' }, { id: 'saved', label: 'Saved' }, { id: 'history', label: 'History' }] as const;

type Tab = (typeof tabs)[number]['id'];

const stored = readLayout<string>('tab', 'browse');
const tab = signal<Tab>(stored === 'facets' ? stored : 'browse');

function choose(next: Tab): void {
  tab.value = next;
  writeLayout('tab', next);
  // Others may have saved some since.
  if (next === 'saved') void loadServerQueries();
}

const matches = (text: string) => text.toLowerCase().includes(search.value.trim().toLowerCase());

function insert(text: string) {
  writeSql(text);
  sidebarOpen.value = false;
}

// Writes a query for a log once its fields are known, and runs it unless a parameter needs a value; where the fields could not be
// read, the reader has said why.
async function runFor(table: string, template: (table: string, fields: FieldNode[]) => string | null) {
  const of = endpointName.value;
  const known = await loadFields(table);
  if (known.length === 0 || of !== endpointName.value) return;
  const text = template(table, known);
  if (text === null) return void (notice.value = `${table} has no column that holds a time`);
  insert(text);
  if (missing.value.length === 0) void run();
}

// Whether a field, or one inside of it, is looked for.
const isFound = (node: FieldNode): boolean => matches(node.name) || node.fields.some(isFound);

function Field({ node, path, table }: { node: FieldNode; path: FieldNode[]; table: string }) {
  const searching = search.value.trim() !== '';
  const [open, setOpen] = useState(false);
  const whole = [...path, node];
  const shown = open || (searching && node.fields.some(isFound));
  const children = node.fields.filter((field) => !searching || isFound(field) || matches(node.name));
  return (
    <li>
      <div class="field">
        {node.fields.length > 0 ? (
          <button type="button" class="twisty" aria-expanded={shown} aria-label={`Fields of ${node.name}`} onClick={() => setOpen(!open)} />
        ) : <span class="twisty" />}
        <button
          type="button"
          class="name"
          tabIndex={node.fields.length > 0 ? -1 : 0}
          title={`${whole.map(({ name }) => name).join('.')} — ${node.fields.length > 0 ? 'opens its fields' : 'writes a query'}`}
          onClick={() => (node.fields.length > 0 ? setOpen(!open) : insert(templateForField(table, fields.value[fieldsKey(endpointName.value, table)] ?? [], whole)))}
        >
          {node.name}
        </button>
        <span class="type">{node.type.toLowerCase()}</span>
      </div>
      {shown && (
        <ul>{children.map((field) => <Field key={field.name} node={field} path={whole} table={table} />)}</ul>
      )}
    </li>
  );
}

function Log({ table }: { table: string }) {
  const [open, setOpen] = useState(false);
  const known = fields.value[fieldsKey(endpointName.value, table)];
  const searching = search.value.trim() !== '';
  const found = known?.filter((node) => !searching || isFound(node)) ?? [];
  if (searching && !matches(table) && found.length === 0) return null;
  const toggle = () => {
    setOpen(!open);
    if (!open) void loadFields(table);
  };
  const shown = open || (searching && found.length > 0);
  const unit = unitFor(spanOf(range.value, new Date()));
  const list = searching && found.length > 0 ? found : (known ?? []);
  return (
    <li>
      <div class="field log">
        <button type="button" class="twisty" aria-expanded={shown} aria-label={`Fields of ${table}`} onClick={toggle} />
        <button type="button" class="name" tabIndex={-1} title={`Show the fields of ${table}`} onClick={toggle}>{table}</button>
        <span class="actions">
          <button type="button" class="quiet" title={`Show the newest rows of ${table}`} aria-label={`Newest rows of ${table}`}
            onClick={() => void runFor(table, templateForRows)}>rows</button>
          <button type="button" class="quiet" title={`Count the rows of ${table} by the ${unit}`} aria-label={`Rows of ${table} by ${unit}`}
            onClick={() => void runFor(table, (name, of) => templateOverTime(name, of, unit))}>by {unit}</button>
        </span>
      </div>
      {shown && (known === undefined ? <p class="hint">Reading its fields…</p> : (
        <ul>{list.map((node) => <Field key={node.name} node={node} path={[]} table={table} />)}</ul>
      ))}
    </li>
  );
}

function Browse() {
  const shown = endpoints.value.filter(({ name }) => matches(name));
  const tables = endpoint.value?.tables ?? [];
  return (
    <>
      {shown.length > 0 && <h2 id="endpoints-heading">Endpoints</h2>}
      <ul class="endpoints" aria-label="Endpoints">
        {shown.map(({ name, description }) => (
          <li key={name}>
            <button
              type="button"
              aria-current={name === endpointName.value ? 'true' : undefined}
              title={description}
              onClick={() => {
                showEndpoint(name);
                sidebarOpen.value = false;
              }}
            >
              {name}
            </button>
          </li>
        ))}
      </ul>
      {takesSql.value && tables.length > 0 && (
        <>
          <h2 id="logs-heading">Logs of {endpointName.value}</h2>
          <ul class="tree" aria-labelledby="logs-heading">{tables.map((table) => <Log key={endpointName.value + table} table={table} />)}</ul>
        </>
      )}
    </>
  );
}

function QueryButton({ query, title, note }: { query: Query; title: string; note: string }) {
  const known = endpoints.value.some(({ name }) => name === query.endpoint);
  return (
    <button type="button" class="query" disabled={!known} title={known ? query.sql : `This token has no endpoint ${query.endpoint}`}
      onClick={() => {
        openQuery(query, true, 'page');
        sidebarOpen.value = false;
      }}>
      <span class="title">{title}</span>
      <span class="note">{note}</span>
    </button>
  );
}

function BrowserQueries() {
  const shown = saved.value.filter(({ name, query }) => matches(name + query.sql));
  if (shown.length === 0) return <p class="hint">{saved.value.length === 0 ? 'Save keeps a query here, in this browser.' : 'No saved query has this text.'}</p>;
  return (
    <ul class="queries">
      {shown.map(({ name, query }) => (
        <li key={name}>
          <QueryButton query={query} title={name} note={`${query.endpoint} · ${rangeLabel(query.range, utc.value)}`} />
          <button type="button" class="quiet" aria-label={`Remove ${name}`} title="Remove" onClick={() => removeSaved(name)}>×</button>
        </li>
      ))}
    </ul>
  );
}

// Deleting asks again: others use the query, too.
function ServerQueryItem({ listed }: { listed: ServerQuery }) {
  const [asked, setAsked] = useState(false);
  const { name, endpoint: of, saved_by: by, saved_at: at, description, problem, project } = listed;
  return (
    <li onFocusOut={() => setAsked(false)}>
      <button type="button" class="query" disabled={problem !== undefined} title={problem ?? (description || `Open ${name}`)}
        onClick={() => {
          void openServerQuery(listed);
          sidebarOpen.value = false;
        }}>
        <span class="title">{name}</span>
        <span class="note">{[...(by === '' ? [] : [`by ${by}`]), of, ...(scope.value !== null && project === scope.value ? [] : [`for ${ownerOf(listed)}`]), timeText(Date.parse(at), utc.value).slice(5, 16)].join(' · ')}</span>
        {problem !== undefined && <span class="note problem">{problem}</span>}
      </button>
      {mayChange(listed) && (
        <button type="button" class={asked ? 'danger' : 'quiet'} aria-label={asked ? `Delete ${name} for ${ownerOf(listed)}` : `Delete ${name}`} title="Delete on the server"
          onClick={() => (asked ? void deleteOnServer(listed) : setAsked(true))}>{asked ? 'Delete' : '×'}</button>
      )}
    </li>
  );
}

function ServerQueries() {
  const { queries, problem } = serverQueries.value;
  const shown = queries.filter(({ name, description, endpoint: of, saved_by: by, project }) => matches([name, description, of, by, project ?? ''].join(' ')));
  if (problem !== null) return <p class="hint" role="alert">{problem}</p>;
  if (shown.length === 0) return <p class="hint">{queries.length === 0 ? 'No query is kept on the server for this token.' : 'No query of the server has this text.'}</p>;
  return <ul class="queries" aria-label="On the server">{shown.map((listed) => <ServerQueryItem key={`${listed.project ?? ''}/${listed.name}`} listed={listed} />)}</ul>;
}

function SavedQueries() {
  if (!keeps.value) return <BrowserQueries />;
  return (
    <>
      <h2>In this browser</h2>
      <BrowserQueries />
      <h2>On the server</h2>
      <ServerQueries />
    </>
  );
}

function History() {
  const titles = titlesOf(history.value, utc.value);
  const shown = history.value.map((past, index) => ({ ...past, title: titles[index] ?? '' }))
    .filter(({ query, title }) => matches([query.endpoint, title, query.sql, ...Object.values(query.parameters)].join(' ')));
  if (shown.length === 0) return <p class="hint">{history.value.length === 0 ? 'Queries that ran stand here.' : 'No past query has this text.'}</p>;
  return (
    <ul class="queries">
      {shown.map(({ at, query, title }) => (
        <li key={at}>
          <QueryButton query={query} title={title} note={`${timeText(at, utc.value).slice(5, 19)} · ${query.endpoint} · ${rangeLabel(query.range, utc.value)}`} />
        </li>
      ))}
    </ul>
  );
}

export function Sidebar({ size }: { size: PaneSize }) {
  return (
    <nav class={sidebarOpen.value ? 'sidebar open' : 'sidebar'} aria-label="Endpoints, logs and queries" id="sidebar">
      <div class="tabs" role="tablist">
        {tabs.map(({ id, label }) => (
          <button key={id} id={`tab-${id}`} type="button" role="tab" aria-selected={tab.value === id} aria-controls="sidebar-panel" onClick={() => choose(id)}>{label}</button>
        ))}
      </div>
      <input type="search" aria-label="Search endpoints, logs and fields" placeholder="Search" value={search.value}
        onInput={(event) => {
          search.value = event.currentTarget.value;
          // A search is for fields, too: those that nobody has opened yet are read now.
          if (search.value.trim().length >= 2) for (const table of endpoint.value?.tables ?? []) void loadFields(table);
        }} />
      <div class="scroll" role="tabpanel" id="sidebar-panel" aria-labelledby={`tab-${tab.value}`} tabIndex={-1}>
        {tab.value === 'browse' ? <Browse /> : tab.value === 'facets' ? <Facets matches={matches} /> : tab.value === 'saved' ? <SavedQueries /> : <History />}
      </div>
      <Split size={size} label="Width of the sidebar" vertical />
    </nav>
  );
}
