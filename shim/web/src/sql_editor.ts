// The SQL editor: CodeMirror with the dialect's words, completion and the places of errors. It lives in a shadow root, where
// its styles are constructed sheets, as the page's policy forbids inline ones.
import { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, closeCompletion, completionKeymap, currentCompletions, selectedCompletion } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { SQLDialect, sql } from '@codemirror/lang-sql';
import { HighlightStyle, bracketMatching, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Extension, Prec } from '@codemirror/state';
import { EditorView, drawSelection, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { type CompletionSource, appliedText, complete } from './completion.ts';

const googleSql = SQLDialect.define({
  keywords:
    'all and any array as asc between by case cast collate cross current default desc distinct else end escape except exclude ' +
    'exists extract following for from full group grouping groups having if ignore in inner intersect interval into is join ' +
    'lateral left like limit natural not null nulls of offset on or order outer over partition pivot preceding qualify range ' +
    'recursive respect right rollup rows safe_cast select set some struct tablesample then to unbounded union unnest unpivot ' +
    'using when where window with within true false',
  types: 'int64 float64 numeric bignumeric bool string bytes date time datetime timestamp json interval',
  hashComments: true,
  doubleQuotedStrings: true,
  identifierQuotes: '`',
  operatorChars: '*+-%<>!=&|^~/',
});

const clickHouseSql = SQLDialect.define({
  keywords:
    'all and any array as asc between by case cast cross current default desc distinct else end except exists fill first following ' +
    'from full global group having if ilike in inner intersect interval into is join last left like limit not null nulls offset on or ' +
    'order outer over partition preceding prewhere qualify range recursive regexp right rollup cube rows select step ties then to ' +
    'unbounded union using when where window with true false',
  types:
    'int8 int16 int32 int64 int128 uint8 uint16 uint32 uint64 float64 decimal bool string date date32 datetime datetime64 map tuple ' +
    'nullable',
  backslashEscapes: true,
  identifierQuotes: '`"',
  operatorChars: '*+-%<>!=&|^~/?:',
});

const dialects = {
  bigquery: { of: googleSql, name: 'SQL in the BigQuery dialect' },
  clickhouse: { of: clickHouseSql, name: 'SQL in the ClickHouse dialect' },
};

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--sql-keyword)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--sql-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--sql-number)' },
  { tag: [tags.lineComment, tags.blockComment], color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.typeName, tags.standard(tags.name)], color: 'var(--sql-type)' },
]);

const theme = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--field)', height: '100%', fontSize: '12.5px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55', overflow: 'var(--editor-overflow, auto)' },
  '.cm-content': { caretColor: 'var(--text)', padding: 'var(--editor-padding, 6px) 0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--field)', color: 'var(--muted)', border: 'none', paddingLeft: '4px' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'var(--hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selection)',
  },
  '.cm-placeholder': { color: 'var(--muted)', whiteSpace: 'pre-wrap' },
  '.cm-tooltip': { backgroundColor: 'var(--panel)', color: 'var(--text)', border: '1px solid var(--border)', borderRadius: '4px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: '12px', maxHeight: '15em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected] .cm-completionDetail': { color: 'var(--on-accent)' },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal' },
  '.cm-completionInfo': { whiteSpace: 'pre-wrap', fontFamily: 'var(--mono)', fontSize: '11.5px', maxWidth: '30em' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--error) 1px', textUnderlineOffset: '3px' },
  '.cm-lintPoint-error:after': { borderBottomColor: 'var(--error)' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--error)' },
});

const wordBefore = ({ doc, selection }: EditorState) => /\w*$/.exec(doc.sliceString(Math.max(0, selection.main.head - 128), selection.main.head))?.[0] ?? '';

// A suggestion of the word that is written would change nothing: Enter begins a new line in place of taking it.
function closeIfWritten(view: EditorView): boolean {
  const chosen = selectedCompletion(view.state);
  if (chosen !== null && appliedText(chosen) === wordBefore(view.state)) closeCompletion(view);
  return false;
}

// Nor is there a list for the word that is written alone.
function closeIfUseless(view: EditorView): void {
  const [first, ...more] = currentCompletions(view.state);
  if (first !== undefined && more.length === 0 && appliedText(first) === wordBefore(view.state)) closeCompletion(view);
}

// Without a keyboard, shortcuts are of no use.
const touch = window.matchMedia('(pointer: coarse), (max-width: 760px)');

export interface EditorOptions {
  parent: HTMLElement;
  text: string;
  language: 'bigquery' | 'clickhouse';
  // The source of completions; absent: there are none.
  source?: CompletionSource;
  // The label of a text that is only shown.
  readOnly?: string;
  onChange(text: string): void;
  onRun(): void;
}

export class SqlEditor {
  private readonly view: EditorView;
  private replacing = false;

  constructor(options: EditorOptions) {
    const root = options.parent.shadowRoot ?? options.parent.attachShadow({ mode: 'open', delegatesFocus: true });
    const { source, readOnly } = options;
    const dialect = dialects[options.language];
    const writes = (): Extension => [
      history(), closeBrackets(), highlightActiveLine(),
      Prec.highest(keymap.of([{ key: 'Enter', run: closeIfWritten }])),
      source === undefined ? [] : autocompletion({ override: [(context) => complete(context, source)], icons: false, maxRenderedOptions: 60 }),
      placeholder(`The endpoint's own query runs. Write one of your own here, or take one of the Examples.${touch.matches ? '' : ' Ctrl-Space completes, Ctrl-Enter runs.'}`),
      // Escape and then Tab leaves the editor, as CodeMirror has it for those without a mouse.
      keymap.of([run, { key: 'Tab', run: acceptCompletion }, ...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap, indentWithTab]),
      EditorView.contentAttributes.of({ 'aria-label': dialect.name, tabindex: '0', 'aria-description': 'Tab indents. Escape, then Tab leaves the editor.', spellcheck: 'false' }),
    ];
    const shows = (what: string): Extension => [
      EditorState.readOnly.of(true), EditorView.editable.of(false),
      EditorView.contentAttributes.of({ 'aria-label': what, tabindex: '0' }),
    ];
    const run = { key: 'Mod-Enter', run: () => (options.onRun(), true) };
    const state = EditorState.create({
      doc: options.text,
      extensions: [
        lineNumbers(), highlightSpecialChars(), drawSelection(), bracketMatching(),
        EditorView.lineWrapping,
        sql({ dialect: dialect.of, upperCaseKeywords: false }),
        syntaxHighlighting(colours),
        readOnly === undefined ? writes() : shows(readOnly),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !this.replacing) options.onChange(update.state.doc.toString());
          closeIfUseless(update.view);
        }),
        theme,
      ],
    });
    this.view = new EditorView({ state, parent: root, root });
  }

  // Shows this text; it is not told as a change.
  replace(text: string): void {
    if (text === this.view.state.doc.toString()) return;
    this.replacing = true;
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
    this.replacing = false;
  }

  // Moves the line that begins so to the top; else the first one.
  show(beginning: RegExp): void {
    const at = Math.max(0, this.view.state.doc.toString().search(beginning));
    this.view.requestMeasure({ read: (view) => view.lineBlockAt(Math.min(at, view.state.doc.length)).top, write: (top, view) => (view.scrollDOM.scrollTop = top) });
  }

  focus(): void {
    this.view.focus();
  }

  // Underlines the word at `line` and `column`, which count from 1 in characters; null takes the mark away.
  mark(problem: { line: number; column: number; message: string } | null): void {
    const { doc } = this.view.state;
    const diagnostics: Diagnostic[] = [];
    if (problem !== null && problem.line <= doc.lines) {
      const line = doc.line(problem.line);
      const before = [...line.text].slice(0, problem.column - 1).join('').length;
      const from = Math.min(line.from + before, line.to);
      const word = /^[\w.`@]+/.exec(line.text.slice(from - line.from))?.[0] ?? ' ';
      diagnostics.push({ from, to: Math.min(from + word.length, line.to), severity: 'error', message: problem.message });
    }
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  destroy(): void {
    this.view.destroy();
  }
}
