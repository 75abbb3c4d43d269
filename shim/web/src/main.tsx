// The console of logquery: starts, and puts the panes together.
import { useSignalEffect } from '@preact/signals';
import { render } from 'preact';
import 'uplot/dist/uPlot.min.css';
import './console.css';
import { Entry } from './Entry.tsx';
import { Menu } from './Menu.tsx';
import { QueryPane } from './QueryPane.tsx';
import { Results } from './Results.tsx';
import { Sidebar } from './Sidebar.tsx';
import { Split, paneSize } from './Split.tsx';
import { cover, uncover } from './address.ts';
import { acceptSignIn, declineSignIn, signOut, start } from './opening.ts';
import { cancel } from './running.ts';
import { runWritten } from './searching.ts';
import { askedSignIn, editorOpen, endpointName, endpoints, entry, notice, outcome, scope, selectedRow, sidebarOpen, takesSql, token } from './state.ts';
import { closeRow } from './Table.tsx';
import { stopTail, tailing } from './tail.ts';
import { type Choice, choice, choose } from './theme.ts';

const sidebarSize = paneSize('sidebar', 248, 160, 560);
const querySize = paneSize('query', 290, 120, 700);

const keys = [
  ['Ctrl ⏎', 'run the query'], ['Escape', 'cancel the query, close a menu or the row'], ['Ctrl Space', 'complete SQL'], ['Tab', 'indent, or take the suggestion, in the editor'], ['Escape, Tab', 'leave the editor'],
  ['Arrows', 'move between cells, or resize a pane'], ['⏎', 'open the row'], ['S', "sort by the cell's column"], ['Ctrl C', 'copy the cell'], ['= -', 'filter by the cell, or leave its value out'],
  ['Shift ← →', "resize the cell's column"], ['/', 'search the rows, or the sidebar where rows cannot be searched'],
];

// A count and a failure are announced, and stand where the rows are: on a phone they take no bar of their own.
const isShownBelow = (text: string) => /^([\d,]+ (new )?rows?|Failed)$/.test(text);

function TopBar() {
  const themes: { id: Choice; label: string }[] = [{ id: 'auto', label: 'System' }, { id: 'light', label: 'Light' }, { id: 'dark', label: 'Dark' }];
  return (
    <header class="top">
      <button type="button" class="only-narrow quiet" aria-expanded={sidebarOpen.value} aria-controls="sidebar" onClick={() => (sidebarOpen.value = !sidebarOpen.value)}>☰<span class="unseen"> Endpoints and logs</span></button>
      <span class="brand"><img src="console.svg" alt="" width="16" height="16" /> logquery</span>
      <div class={notice.value === '' || isShownBelow(notice.value) ? 'notice-bar' : 'notice-bar told'}>
        <span class="notice" role="status" title={notice.value}>{notice.value}</span>
        <button type="button" class="only-narrow quiet" aria-label="Close the message" onClick={() => (notice.value = '')}>×</button>
      </div>
      <span class="gap" />
      <Menu label="Keys" title="What the keyboard does" class="quiet" align="right">
        {() => <dl class="figures keys">{keys.map(([key, what]) => <><dt><kbd>{key}</kbd></dt><dd>{what}</dd></>)}</dl>}
      </Menu>
      <Menu label="Theme" title="Light or dark" class="quiet" align="right">
        {(close) => (
          <ul class="choices">
            {themes.map(({ id, label }) => (
              <li key={id}><button type="button" aria-pressed={choice.value === id} onClick={() => {
                choose(id);
                close();
              }}>{label}</button></li>
            ))}
          </ul>
        )}
      </Menu>
      {scope.value !== null && <span class="badge" title="This token reads only the rows of this project">project {scope.value}</span>}
      {token.value !== '' && <button type="button" class="quiet" title="Forget the token of this tab" onClick={signOut}>Sign out</button>}
    </header>
  );
}

function SignInQuestion() {
  if (askedSignIn.value === null) return null;
  return (
    <div class="question" role="alertdialog" aria-labelledby="sign-in-question">
      <span id="sign-in-question">The link that was opened signs this tab in with another token. Sign in with it only if you trust whoever sent it.</span>
      <button type="button" onClick={() => void acceptSignIn()}>Sign in with the link</button>
      <button type="button" class="primary" autofocus onClick={declineSignIn}>Stay as I am</button>
    </div>
  );
}

function onKey(event: KeyboardEvent): void {
  const typing = event.target instanceof HTMLElement && (event.target.matches('input, textarea, select') || event.target.shadowRoot !== null);
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.defaultPrevented && entry.value === 'open') {
    event.preventDefault();
    void runWritten();
  } else if (event.key === 'Escape' && !event.defaultPrevented) {
    if (outcome.value.state === 'running') cancel();
    else if (tailing.value) stopTail();
    else closeRow();
  } else if (event.key === '/' && !typing) {
    event.preventDefault();
    const search = document.getElementById('search');
    if (search !== null) return search.focus();
    sidebarOpen.value = true;
    document.querySelector<HTMLInputElement>('.sidebar input')?.focus();
  }
}

function Console() {
  useSignalEffect(() => {
    const here = entry.value === 'open' && endpointName.value !== '' ? `${endpointName.value} · logquery` : 'logquery';
    document.title = entry.value === 'open' && outcome.value.state === 'running' ? `… ${here}` : here;
  });
  // On a narrow screen they cover the page, and Back closes them.
  useSignalEffect(() => (selectedRow.value === null ? uncover('row') : cover('row')));
  useSignalEffect(() => (sidebarOpen.value ? cover('sidebar') : uncover('sidebar')));
  if (entry.value === 'starting') return <main class="entry"><p>Opening…</p></main>;
  if (entry.value === 'asking') return <Entry />;
  if (endpoints.value.length === 0) {
    return <><TopBar /><SignInQuestion /><main class="entry"><h1>No endpoints</h1><p>This token may call no endpoint. <code>logquery token create --endpoint NAME</code> makes one that may.</p></main></>;
  }
  return (
    <>
      <a class="skip" href="#results" onClick={(event) => {
        // The fragment of the address holds the query.
        event.preventDefault();
        (document.querySelector<HTMLElement>('.grid') ?? document.getElementById('results'))?.focus();
      }}>Skip to results</a>
      <TopBar />
      <SignInQuestion />
      <div class="panes" style={{ '--sidebar': `${sidebarSize.value.value}px`, '--query': `${querySize.value.value}px` }}>
        <Sidebar size={sidebarSize} />
        <main>
          <QueryPane />
          {takesSql.value && editorOpen.value && <Split size={querySize} label="Height of the query" vertical={false} />}
          <Results />
        </main>
      </div>
    </>
  );
}

document.addEventListener('keydown', onKey);
const root = document.getElementById('console');
if (root !== null) render(<Console />, root);
void start();
