// The upper pane: the parameters' form, the SQL editor, what the sandbox says of the SQL, and Run.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Parameter } from './api.ts';
import { Examples } from './Examples.tsx';
import { Menu } from './Menu.tsx';
import { SaveForm } from './SaveForm.tsx';
import { SearchBar } from './SearchBar.tsx';
import { Snippets } from './Snippets.tsx';
import { RewritingButton, RewritingPane } from './Rewriting.tsx';
import type { SqlEditor } from './sql_editor.ts';
import { TimeRange, ZoneSwitch } from './TimeRange.tsx';
import { rangeLabel } from './time.ts';
import { check, loadFields } from './catalog.ts';
import { editorCode, startEditor, startEditorSoon } from './editor_code.ts';
import { toClipboard } from './keeping.ts';
import { loadProjects, namesProject, projects } from './projects.ts';
import { rewriting, rewritingOpen } from './rewriting.ts';
import { cancel } from './running.ts';
import { runWritten } from './searching.ts';
import { compiled, editWritten, editorOpen, editorOpened, endpoint, endpointName, failureInSql, fixedQuery, formParameters, listsProjects, missing, outcome, query, rangeParameters, redact, scope, searchable, setValue,
  signedIn, takesSql, terms, unusedOfLink, utc, values, verdict, written } from './state.ts';
import { toFragment } from './storage.ts';

function inputFor(parameter: Parameter, id: string) {
  const value = values.value[parameter.name] ?? '';
  const required = parameter.required && parameter.default === undefined;
  const shared = { id, value, 'aria-required': required, 'aria-describedby': parameter.description ? id + '-what' : undefined };
  if (parameter.allowed !== undefined || parameter.type === 'BOOL') {
    const options = parameter.allowed ?? ['true', 'false'];
    return (
      <select {...shared} onChange={(event) => setValue(parameter.name, event.currentTarget.value)}>
        <option value="">{parameter.default !== undefined ? `${parameter.default} (default)` : required ? 'Choose…' : 'Not set'}</option>
        {options.map((option) => <option key={option} value={option}>{option}</option>)}
      </select>
    );
  }
  const examples = namesProject(parameter) ? projects.value : (parameter.examples ?? []);
  const numeric = parameter.type === 'INT64' || parameter.type === 'FLOAT64';
  const hint = parameter.default ?? parameter.examples?.[0];
  // A long one would be cut in the middle of the word behind it.
  const otherwise = (parameter.default?.length ?? 0) > 16 ? parameter.default : `${parameter.default} (default)`;
  return (
    <>
      <input {...shared} type="text" inputMode={numeric ? 'decimal' : 'text'} spellcheck={false} autocomplete="off"
        list={examples.length > 0 ? id + '-examples' : undefined}
        placeholder={parameter.default !== undefined ? otherwise : hint !== undefined ? `such as ${hint}` : required ? 'required' : ''}
        onInput={(event) => setValue(parameter.name, event.currentTarget.value)} />
      {examples.length > 0 && <datalist id={id + '-examples'}>{examples.map((example) => <option key={example} value={example} />)}</datalist>}
    </>
  );
}

function ParameterField({ parameter }: { parameter: Parameter }) {
  const id = 'parameter-' + parameter.name;
  const shown = outcome.value;
  const refused = shown.state === 'failed' && shown.failure.parameter === parameter.name;
  const required = parameter.required && parameter.default === undefined;
  const foreign = scope.value !== null && parameter.name === 'project' && !parameter.pattern && !['', scope.value].includes(values.value['project'] ?? '');
  const open = namesProject(parameter);
  useEffect(() => {
    if (open && listsProjects.value) void loadProjects();
  }, [open, listsProjects.value]);
  return (
    <div class={refused ? 'parameter refused' : 'parameter'} title={parameter.description}>
      <label for={id}>
        {parameter.name}{required && <span class="required" title="required"> *</span>}
        <span class="type"> {parameter.pattern ? 'pattern' : parameter.type.toLowerCase()}</span>
      </label>
      {inputFor(parameter, id)}
      {foreign && <span class="problem">This token reads only {scope.value}</span>}
      {parameter.description && <span id={id + '-what'} class="unseen">{parameter.description}</span>}
    </div>
  );
}

function RunButton() {
  if (outcome.value.state === 'running') return <button type="button" class="danger" title="Cancel the query (Escape)" onClick={cancel}>Cancel</button>;
  const lacking = missing.value.map(({ name }) => name).join(', ');
  return (
    <button type="button" class="primary run" title={lacking ? `Needs ${lacking}` : 'Run the query (Ctrl-Enter)'} onClick={() => void runWritten()}>
      Run <kbd>Ctrl ⏎</kbd>
    </button>
  );
}

// Copies the link, and says beside the button what came of it until the focus goes elsewhere. The link fixes the times of the rows:
// whoever opens it later sees what was seen here.
function Link() {
  const [said, setSaid] = useState<{ text: string; moving: boolean } | null>(null);
  const root = useRef<HTMLSpanElement>(null);
  const copyLink = async (times: 'fixed' | 'moving') => {
    const made = times === 'fixed' ? fixedQuery(new Date()) : query.value;
    const copied = await toClipboard(location.origin + location.pathname + toFragment(made));
    const fixed = rangeParameters.value === null ? 'Copied a link.' : times === 'fixed' ? `Copied a link to ${rangeLabel(made.range, utc.value)}.` : `Copied a link to “${rangeLabel(made.range, utc.value)}”, whenever it is opened.`;
    setSaid({
      text: copied ? `${fixed} It holds no token: whoever opens it needs a token of their own.` : 'The browser does not let the page copy the link.',
      moving: copied && times === 'fixed' && 'preset' in query.value.range && rangeParameters.value !== null,
    });
  };
  return (
    <span class="menu" ref={root} onFocusOut={(event) => {
      if (!root.current?.contains(event.relatedTarget as Node | null)) setSaid(null);
    }}>
      <button type="button" title="Copy a link to this query and these times; it holds no token" onClick={() => void copyLink('fixed')}>Link</button>
      <span role="status">
        {said !== null && (
          <span class="panel right told-link">
            <span>{said.text}</span>
            {said.moving && <button type="button" onMouseDown={(event) => event.preventDefault()} onClick={() => void copyLink('moving')}>Copy with “{rangeLabel(query.value.range, utc.value)}” instead</button>}
          </span>
        )}
      </span>
    </span>
  );
}

function Editor() {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<SqlEditor | null>(null);
  const name = endpointName.value;
  const code = editorCode.value;
  // True if the focus went to the editor before its code had started.
  const asked = useRef(false);
  useEffect(startEditorSoon, []);
  // With the page, not after it is drawn: what stands beside the editor tells of the text that is in it.
  useLayoutEffect(() => {
    if (host.current === null || code === null) return;
    const of = endpoint.peek();
    // Without its tabindex the element has lost the focus by now.
    const awaited = asked.current && [host.current, document.body].includes(document.activeElement as HTMLElement);
    const made = new code.SqlEditor({
      parent: host.current,
      text: written.peek(),
      language: of?.settings.language === 'clickhouse' ? 'clickhouse' : 'bigquery',
      source: {
        tables: of?.tables ?? [],
        fieldsOf: (table) => loadFields(table),
        parameters: of?.parameters.filter((parameter) => parameter.name !== 'sql').map((parameter) => parameter.name) ?? [],
      },
      onChange: editWritten,
      onRun: () => void runWritten(),
    });
    editor.current = made;
    if (awaited) made.focus();
    return () => {
      editor.current = null;
      made.destroy();
    };
  }, [name, code]);
  const text = written.value;
  const known = compiled.value !== null;
  useLayoutEffect(() => {
    // As it is by now: somebody may have gone on writing since the page was drawn.
    if (compiled.peek() !== null) editor.current?.replace(written.peek());
  }, [name, text, known, code]);
  const open = editorOpen.value;
  useLayoutEffect(() => {
    if (open) return;
    // The one line shows what a search adds. Lines break elsewhere when the page gets another width.
    const show = () => editor.current?.show(terms.peek().length > 0 ? /^where /m : /^/);
    show();
    window.addEventListener('resize', show);
    return () => window.removeEventListener('resize', show);
  }, [name, text, known, open, code]);
  useEffect(() => {
    const timer = window.setTimeout(() => void check(), 350);
    return () => window.clearTimeout(timer);
  }, [name, text]);
  const seen = verdict.value;
  const failed = rewritingOpen.value && rewriting.value.state === 'failed' ? rewriting.value : null;
  const other = failed !== null && failed.of === text ? failed.failure : null;
  useEffect(() => {
    const refused = seen !== null && !seen.allowed && seen.line !== undefined ? { line: seen.line, column: seen.column ?? 1, message: seen.message ?? '' } : null;
    const unwritten = other !== null && other.line !== null ? { line: other.line, column: other.column ?? 1, message: other.message } : null;
    editor.current?.mark(refused ?? unwritten);
  }, [seen, other, code]);
  // Until its code has started, the editor is its text alone.
  return (
    <div class="editor" ref={host} tabIndex={code === null ? 0 : undefined} role={code === null ? 'textbox' : undefined} aria-label={code === null ? 'SQL, which is about to be ready to edit' : undefined} onFocusIn={() => {
      editorOpened.value = true;
      asked.current = code === null;
      void startEditor();
      // The focus that goes to the editor as a whole stops at the element that scrolls, which takes no text.
      if (host.current?.shadowRoot?.activeElement?.classList.contains('cm-scroller') === true) editor.current?.focus();
    }}>{code === null && <pre class="editor-text">{text}</pre>}</div>
  );
}

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;

// What the sandbox says: what the SQL reads and calls, and what is done here and what in the engine; or why it is refused.
function VerdictLine() {
  const seen = verdict.value;
  if (written.value.trim() === '') return <p class="verdict">{endpoint.value?.description}</p>;
  const failure = failureInSql.value;
  if (failure !== null) {
    return (
      <div class="verdict refused" role="alert">
        <p><b>Failed</b> {failure.message}</p>
        {failure.snippet !== null && <pre tabIndex={0} aria-label="Where in the SQL">{failure.snippet}</pre>}
      </div>
    );
  }
  if (seen === null) return <p class="verdict">Checking…</p>;
  if (!seen.allowed) return <p class="verdict refused"><b>Refused</b> {seen.message}</p>;
  const parts = seen.parts ?? [];
  const here = parts.flatMap((part) => (part.then_here === undefined ? [] : [part.then_here]));
  const where = here.length === 0 ? '' : ` · ${count(parts.length, 'part')} ${parts.length === 1 ? 'runs' : 'run'} in the engine, then here: ${here.join('; ')}`;
  const calls = seen.functions?.length ? ` · calls ${seen.functions.join(', ')}` : '';
  const told = `reads ${seen.tables?.join(', ') || 'no log'} (${count(seen.columns?.length ?? 0, 'column')})${calls}${where}`;
  return <p class="verdict allowed" title={[told, ...(seen.columns ?? [])].join('\n')}><b>Allowed</b> {told}</p>;
}

// The editor of one line has a line below it only for what is wrong.
function BelowEditor() {
  if (!editorOpen.value && failureInSql.value === null && verdict.value?.allowed !== false) return null;
  return (
    <div class="below-editor">
      <VerdictLine />
      <span class="hint editor-hint"><kbd>Tab</kbd> indents, <kbd>Esc</kbd> <kbd>Tab</kbd> leaves</span>
      {editorOpen.value && <RewritingButton />}
      {editorOpen.value && <button type="button" class="quiet fold" title="Make the editor one line" onClick={() => (editorOpened.value = false)}>Fold</button>}
    </div>
  );
}

function LinkHints() {
  if (unusedOfLink.value.length === 0) return null;
  return (
    <div class="bar link-hints" role="status">
      <div>{unusedOfLink.value.map((text) => <p key={text}>{text}</p>)}</div>
      <button type="button" class="quiet" aria-label="Close what is told of the link" onClick={() => (unusedOfLink.value = [])}>×</button>
    </div>
  );
}

// The first parameter that needs a value, else the search, else the editor, else Run.
function focusFirst(): void {
  const lacking = missing.value[0];
  const otherwise = searchable.value ? '#search' : takesSql.value ? '.editor' : 'button.run';
  document.querySelector<HTMLElement>(lacking === undefined ? otherwise : `#parameter-${CSS.escape(lacking.name)}`)?.focus();
}

export function QueryPane() {
  useEffect(() => {
    if (signedIn.value) focusFirst();
    signedIn.value = false;
  }, []);
  const beside = editorOpen.value && rewritingOpen.value;
  return (
    <section class={`query-pane${takesSql.value && editorOpen.value ? ' with-editor' : ''}${beside ? ' with-rewriting' : ''}`} aria-label="Query">
      <div class="bar">
        <h1 title={endpoint.value?.description}>{endpointName.value}</h1>
        {rangeParameters.value !== null && <TimeRange />}
        <ZoneSwitch />
        <label class="check" title="IP addresses in the rows become REDACTED">
          <input type="checkbox" checked={redact.value} onChange={(event) => (redact.value = event.currentTarget.checked)} /> Redact IPs
        </label>
        <div class="bar-end">
          {takesSql.value && <Menu label="Examples" title="Queries to begin with" align="right">{(close) => <Examples close={close} />}</Menu>}
          <Menu label="Code" title="The call as curl, C++ and JavaScript" align="right">{() => <Snippets />}</Menu>
          <Link />
          <Menu label="Save" title="Save this query" align="right">{(close) => <SaveForm close={close} />}</Menu>
          <RunButton />
        </div>
      </div>
      {formParameters.value.length > 0 && (
        <form class="parameters" aria-label="Parameters" onSubmit={(event) => {
          event.preventDefault();
          void runWritten();
        }}>
          {formParameters.value.map((parameter) => <ParameterField key={endpointName.value + parameter.name} parameter={parameter} />)}
          <button type="submit" class="unseen" tabIndex={-1}>Run</button>
        </form>
      )}
      <LinkHints />
      {searchable.value && <SearchBar />}
      {takesSql.value ? <><div class="editors"><Editor />{beside && <RewritingPane />}</div><BelowEditor /></> : <p class="verdict">{endpoint.value?.description}</p>}
    </section>
  );
}
