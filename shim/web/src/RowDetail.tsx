// One row in full: its columns, and what is nested in them as a tree, each value to copy, or to be asked for or left out.
import { useState } from 'preact/hooks';
import { signal } from '@preact/signals';
import type { Column } from './api.ts';
import { copy } from './keeping.ts';
import { filterActions } from './filter_actions.ts';
import { searchable, selectedRow, utc } from './state.ts';
import { closeRow } from './Table.tsx';
import { aroundRow, canLookAround } from './around.ts';
import { columns, isPinned, rows, shape, togglePinned } from './table_layout.ts';
import { cellText, copyText, unwrap } from './values.ts';

const withNulls = signal(false);

const counted = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

function hasValue(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  if (!isNested(value)) return true;
  return Object.values(value).some(hasValue);
}

interface LeafProps {
  name: string;
  path: string[];
  value: unknown;
  column: Column;
}

// What can be asked about the value beside "is" and "is not", in a line of its own below it.
function MoreActions({ path, value, column }: LeafProps) {
  return (
    <div class="more-actions" role="group" aria-label={`More filters on ${path.join('.')}`}>
      {filterActions(path, value, column).filter(({ id }) => id !== 'is' && id !== 'is not')
        .map(({ id, label, title, act }) => <button key={id} type="button" title={title} onClick={act}>{label}</button>)}
      {shape.value !== null && path.length > 1 && (
        <button type="button" aria-pressed={isPinned(path)} title="Show the field as a column of the table" onClick={() => togglePinned(path)}>column</button>
      )}
    </div>
  );
}

function Actions({ leaf, open, onOpen }: { leaf: LeafProps; open: boolean; onOpen: () => void }) {
  const { name, path, value, column } = leaf;
  const filters = searchable.value && !isNested(value);
  const shown = `${path.join('.')} = ${cellText(column, value, utc.value).slice(0, 60)}`;
  const [is, isNot] = value === null || value === undefined ? ['is missing', 'exists'] : ['is', 'is not'];
  const actions = filterActions(path, value, column);
  const button = (id: string | undefined, label: string, text: string) => {
    const action = actions.find((one) => one.id === id);
    return filters && action !== undefined && <button type="button" class="quiet" aria-label={`${label} ${shown}`} title={action.title} onClick={action.act}>{text}</button>;
  };
  return (
    <span class="actions">
      {button(is, 'Filter by', '=')}
      {button(isNot, 'Exclude', '≠')}
      {filters && <button type="button" class="quiet" aria-label={`More filters on ${path.join('.')}`} aria-expanded={open} title="More filters" onClick={onOpen}>⋯</button>}
      <button type="button" class="quiet copy" aria-label={`Copy ${name}`} title="Copy" onClick={() => void copy(copyText(column, value), name)} />
    </span>
  );
}

// The number of characters of a name and its value that fit in one line beside the buttons; a longer value begins below its name. On a phone
// the page is as wide as the detail, and each level of the tree takes two characters.
const fitting = (depth: number) => Math.min(34, Math.floor((innerWidth - 140) / 7.3) - 2 * depth);

function Leaf(leaf: LeafProps) {
  const { name, value, column } = leaf;
  const [open, setOpen] = useState(false);
  const empty = value === null || value === undefined;
  const text = isNested(value) ? '[]' : cellText(column, value, utc.value);
  return (
    <li>
      <div class={name.length + text.length > fitting(leaf.path.length) ? 'leaf long' : 'leaf'}>
        <span class="key">{name}</span>
        <span class={empty ? 'value null' : typeof value === 'number' ? 'value number' : 'value'}>{text}</span>
        <Actions leaf={leaf} open={open} onOpen={() => setOpen(!open)} />
      </div>
      {open && <MoreActions {...leaf} />}
    </li>
  );
}

// `path`: the names that lead here; elements of a list share theirs, as SQL asks for a row by any of them.
function Node({ name, path, value, depth }: { name: string; path: string[]; value: unknown; depth: number }) {
  const inner = unwrap(value);
  const [open, setOpen] = useState(depth < 3);
  if (!isNested(inner) || Object.keys(inner).length === 0) {
    return <Leaf name={name} path={path} value={inner} column={{ name, type: '' }} />;
  }
  const children = Object.entries(inner).filter(([, child]) => withNulls.value || hasValue(child));
  return (
    <li class="branch">
      <div class="field">
        <button type="button" class="twisty" aria-expanded={open} aria-label={`Fields of ${name}`} onClick={() => setOpen(!open)} />
        <span class="key">{name}</span>
        <span class="type">{Array.isArray(inner) ? counted(inner.length, 'element') : counted(children.length, 'field')}</span>
      </div>
      {open && <ul>{children.map(([key, child]) => <Node key={key} name={key} path={Array.isArray(inner) ? path : [...path, key]} value={child} depth={depth + 1} />)}</ul>}
    </li>
  );
}

export function RowDetail() {
  const index = selectedRow.value;
  const row = index === null ? undefined : rows.value[index];
  if (index === null || row === undefined) return null;
  const go = (by: number) => (selectedRow.value = Math.min(rows.value.length - 1, Math.max(0, index + by)));
  return (
    <aside class="detail" aria-label={`Row ${index + 1}`}>
      <div class="bar">
        <h2>Row {index + 1}</h2>
        <button type="button" class="quiet" aria-label="Previous row" title="Previous row" disabled={index === 0} onClick={() => go(-1)}>↑</button>
        <button type="button" class="quiet" aria-label="Next row" title="Next row" disabled={index + 1 === rows.value.length} onClick={() => go(1)}>↓</button>
        <div class="bar-end">
          <label class="check"><input type="checkbox" checked={withNulls.value} onChange={(event) => (withNulls.value = event.currentTarget.checked)} /> NULLs</label>
          {canLookAround.value && <button type="button" class="quiet" title="The rows of the log before and after this one, whatever the filters" onClick={() => aroundRow(row)}>Around</button>}
          <button type="button" class="quiet" onClick={() => void copy(JSON.stringify(row, null, 2), 'the row')}>Copy row</button>
          <button type="button" class="quiet" aria-label="Close the row" title="Close (Escape)" onClick={closeRow}>×</button>
        </div>
      </div>
      <div class="scroll" tabIndex={0} role="region" aria-label="Fields of the row">
        <ul class="tree">
          {columns.value.filter(({ path }) => path === undefined).map((column) => {
            const value = row[column.name];
            return isNested(value) ? <Node key={column.name} name={column.name} path={[column.name]} value={value} depth={0} />
              : <Leaf key={column.name} name={column.name} path={[column.name]} value={value} column={column} />;
          })}
        </ul>
      </div>
    </aside>
  );
}
