// The search over rows: the log, the filters that hold, and the box that makes new ones. Below it stands what is wrong, if anything.
import { useEffect, useRef } from 'preact/hooks';
import { Menu } from './Menu.tsx';
import { type Term, labelOf, writeTerm } from './search.ts';
import { box, chooseLog, clearBox, editFilter, editing, negateFilter, removeAll, removeFilter, searchProblem, submit, write } from './searching.ts';
import { searchedText } from './search_sql.ts';
import { compiled, endpoint, endpointName, log, runsOwnQuery, source, sourceColumns, sql, terms } from './state.ts';

const longest = 48;

const shortened = (text: string) => (text.length > longest ? `${text.slice(0, longest)}…` : text);

function Pill({ term, at }: { term: Term; at: number }) {
  const { field, operator, value } = labelOf(term, searchedText(sourceColumns.value[source.value.key]));
  const problem = compiled.value?.problems[at] ?? null;
  const text = writeTerm(term);
  return (
    <li class={`pill${term.negated ? ' negated' : ''}${problem !== null ? ' wrong' : ''}${editing.value === at ? ' edited' : ''}`}>
      <button type="button" class="pill-text" title={problem ?? `${field} ${operator} ${value}: click to edit`} aria-label={`Edit the filter ${text}`} onClick={() => {
        editFilter(at);
        document.getElementById('search')?.focus();
      }}>
        {field} <b>{operator}</b>{value === '' && operator.length > 2 ? '' : <> <bdi>{value === '' ? '""' : shortened(value)}</bdi></>}
      </button>
      <button type="button" aria-pressed={term.negated} aria-label={`not (filter ${text})`} title={term.negated ? 'Keep only these rows' : 'Leave these rows out'} onClick={() => negateFilter(at)}>not</button>
      <button type="button" aria-label={`Remove the filter ${text}`} title="Remove" onClick={() => removeFilter(at)}>×</button>
    </li>
  );
}

const syntax = [
  ['timeout', 'the message contains it, in upper or lower case'], ['"connection reset"', 'it contains the phrase'], ['status_code:500', 'the field is 500'], ['status_code:5xx', 'it is from 500 to 599'],
  ['status_code:>=500', 'also >, < and <='], ['path:~auth', 'the field contains auth'], ['method:"GET"', 'exactly as written'], ['referer:*', 'the row has the field'],
  ['-path:/health', 'a minus sign leaves out'], ['timeout or status:5xx', 'one of the two holds'], ['auth -(status:2xx or method:HEAD)', 'parentheses make a group'],
];

function Logs() {
  const tables = endpoint.value?.tables ?? [];
  const written = sql.value.trim() !== '';
  const own = endpointName.value !== 'logs.all';
  return (
    <select aria-label="Log" title="The log whose rows are searched" value={written ? 'sql' : runsOwnQuery.value ? '' : log.value} onChange={(event) => chooseLog(event.currentTarget.value)}>
      {written && <option value="sql" disabled>rows of the SQL</option>}
      {own && <option value="">own query</option>}
      {tables.map((table) => <option key={table} value={table}>{table}</option>)}
    </select>
  );
}

export function SearchBar() {
  const input = useRef<HTMLInputElement>(null);
  const problem = searchProblem.value;
  useEffect(() => {
    if (editing.value !== null) input.current?.select();
  }, [editing.value]);
  // What was written is for the rows of this endpoint.
  useEffect(() => clearBox, [endpointName.value]);
  const onKey = (event: KeyboardEvent) => {
    const last = terms.value.length - 1;
    if (event.key === 'Escape' && (box.value !== '' || editing.value !== null)) {
      event.preventDefault();
      clearBox();
    } else if (event.key === 'Backspace' && box.value === '' && editing.value === null && last >= 0) {
      event.preventDefault();
      editFilter(last);
    }
  };
  return (
    <div class="search">
      <form class="search-row" role="search" aria-label="Rows" onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}>
        <Logs />
        <div class={problem === null ? 'search-field' : 'search-field refused'}>
          {terms.value.length > 0 && <ul class="pills" aria-label="Filters">{terms.value.map((term, at) => <Pill key={writeTerm(term)} term={term} at={at} />)}</ul>}
          <input id="search" ref={input} type="text" inputMode="search" enterkeyhint="search" autocomplete="off" spellcheck={false} aria-label="Search the rows" value={box.value}
            placeholder={terms.value.length > 0 ? 'and …' : 'Search rows: timeout, status:>=500, -path:/health'}
            aria-invalid={problem !== null} aria-describedby={problem === null ? undefined : 'search-problem'}
            onInput={(event) => write(event.currentTarget.value)} onKeyDown={onKey} />
          {terms.value.length > 1 && <button type="button" class="quiet" title="Remove all filters" onClick={removeAll}>Clear</button>}
        </div>
        <Menu label="?" title="How to search" class="quiet" align="right">
          {() => <dl class="figures keys">{syntax.map(([text, what]) => <><dt><code>{text}</code></dt><dd>{what}</dd></>)}</dl>}
        </Menu>
      </form>
      {problem !== null && <p class="problem" id="search-problem" role="alert">{problem}</p>}
    </div>
  );
}
