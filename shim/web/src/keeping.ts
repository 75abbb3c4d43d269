// What a person keeps of a query or its rows: a saved query in the browser, a file, the clipboard.
import { type Format, fileText, saveFile } from './download.ts';
import { notice, outcome, query, saved } from './state.ts';
import { writeSaved } from './storage.ts';
import { columns, rows, valueOf, visibleColumns } from './table_layout.ts';

export function save(name: string): void {
  saved.value = [{ name, query: query.value }, ...saved.value.filter((one) => one.name !== name)];
  writeSaved(saved.value);
  notice.value = `Saved as ${name}`;
}

export function removeSaved(name: string): void {
  saved.value = saved.value.filter((one) => one.name !== name);
  writeSaved(saved.value);
}

// The rows on screen in the order of the table, with the columns that it shows or with all.
export function download(format: Format, allColumns: boolean): void {
  if (outcome.value.state !== 'rows') return;
  const name = `${outcome.value.call.endpoint}.${format}`;
  // Fields that are pinned stand in the records of the other columns, too.
  const shown = allColumns ? columns.value.filter(({ path }) => path === undefined) : visibleColumns.value;
  const flat = rows.value.map((row) => Object.fromEntries(shown.map((column) => [column.name, valueOf(row, column)])));
  saveFile(name, format, fileText(format, shown, flat));
  notice.value = `Downloaded ${name}`;
}

// Whether the browser let the page copy the text.
export async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

export async function copy(text: string, what: string): Promise<void> {
  notice.value = (await toClipboard(text)) ? `Copied ${what}` : `The browser does not let the page copy ${what}`;
}
