// What the SQL editor offers: logs, their columns and nested fields, functions with their signatures, parameters, keywords.
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { quoted } from './sql_text.ts';
import type { FieldNode } from './types.ts';

declare const LOGQUERY_FUNCTIONS: { name: string; signatures: string[] }[];

export interface CompletionSource {
  tables: string[];
  fieldsOf(table: string): Promise<FieldNode[]>;
  parameters: string[];
}

const functionOptions: Completion[] = LOGQUERY_FUNCTIONS.map(({ name, signatures }) => ({
  label: name.toLowerCase(),
  type: 'function',
  detail: signatures[0]?.slice(name.length) ?? '',
  info: signatures.join('\n'),
  apply: `${name.toLowerCase()}(`,
}));

const keywords = ('select from where group by order limit offset having qualify with recursive as on using distinct union all ' +
  'intersect except join left right full cross inner unnest and or not in between like is null true false case when then else ' +
  'end cast safe_cast over partition rows range desc asc interval timestamp date array struct extract exists')
  .split(' ')
  .map((label): Completion => ({ label, type: 'keyword', boost: -1 }));

// "m" → metadata of edge_logs, from `cross join unnest(t.metadata) as m`; a log's own name and alias → the log.
async function aliases(text: string, source: CompletionSource): Promise<Map<string, FieldNode[]>> {
  const known = new Map<string, FieldNode[]>();
  for (const table of source.tables) {
    const named = new RegExp('\\b' + table.replaceAll(/[^\w]/g, '\\$&') + '`?(?:\\s+(?:as\\s+)?([a-z_]\\w*))?', 'gi');
    for (const match of text.matchAll(named)) {
      const fields = await source.fieldsOf(table);
      known.set(table, fields);
      const alias = match[1]?.toLowerCase();
      if (alias !== undefined && !keywords.some(({ label }) => label === alias)) known.set(alias, fields);
    }
  }
  for (const match of text.matchAll(/unnest\(\s*(?:([a-z_]\w*)\.)?(?:([a-z_]\w*)|`([^`]+)`)\s*\)\s*(?:as\s+)?([a-z_]\w*)/gi)) {
    const [, owner, plain, inTicks, alias] = match;
    const field = plain ?? inTicks;
    const owners = owner === undefined ? [...known.values()] : [known.get(owner.toLowerCase()) ?? []];
    const record = owners.flat().find((node) => node.name === field);
    if (record !== undefined && alias !== undefined) known.set(alias.toLowerCase(), record.fields);
  }
  return known;
}

const fieldOption = (node: FieldNode): Completion => ({
  label: node.name,
  type: node.fields.length > 0 ? 'class' : 'property',
  detail: node.type,
  apply: /^[A-Za-z_]\w*$/.test(node.name) ? node.name : quoted(node.name),
  boost: 2,
});

// Whether the word at the end of `before` is a new name: what follows AS, outside of a CAST, where AS is followed by a type.
export function namesAlias(before: string): boolean {
  const head = /^([^]*)\bas\s+[a-z_]?\w*$/i.exec(before)?.[1];
  if (head === undefined) return false;
  let depth = 0;
  for (let at = head.length - 1; at >= 0; --at) {
    if (head[at] === ')') ++depth;
    else if (head[at] === '(' && --depth < 0) return !/\b(?:safe_)?cast\s*$/i.test(head.slice(0, at));
  }
  return true;
}

// The names that the query gives to its own columns.
const namedColumns = (text: string) => [...text.matchAll(/\bas\s+([a-z_]\w*)\s*(?=,|\s+from\b)/gi)].map((match) => match[1] ?? '');

// What stands in the text once the completion is taken.
export const appliedText = ({ apply, label }: Completion) => (typeof apply === 'string' ? apply : label);

export async function complete(context: CompletionContext, source: CompletionSource): Promise<CompletionResult | null> {
  const text = context.state.doc.toString();
  const path = context.matchBefore(/[A-Za-z_]\w*(?:\.\w*)+/);
  if (path !== null) {
    const parts = path.text.split('.');
    let nodes = (await aliases(text, source)).get(parts[0]?.toLowerCase() ?? '') ?? [];
    for (const part of parts.slice(1, -1)) nodes = nodes.find((node) => node.name === part)?.fields ?? [];
    if (nodes.length === 0) return null;
    return { from: path.to - (parts.at(-1)?.length ?? 0), options: nodes.map(fieldOption), validFor: /^\w*$/ };
  }
  const parameter = context.matchBefore(/@\w*/);
  if (parameter !== null) {
    const options = source.parameters.map((label): Completion => ({ label: '@' + label, type: 'variable' }));
    return { from: parameter.from, options, validFor: /^@\w*$/ };
  }
  const word = context.matchBefore(/[A-Za-z_]\w*/);
  if (!context.explicit && (word === null || namesAlias(text.slice(0, context.pos)))) return null;
  const tables = source.tables.map((label): Completion => ({ label, type: 'type', detail: 'log', boost: 3 }));
  const columns = new Map<string, Completion>();
  const aliased: Completion[] = [];
  for (const [alias, nodes] of await aliases(text, source)) {
    for (const node of nodes) columns.set(node.name, fieldOption(node));
    if (!source.tables.includes(alias)) aliased.push({ label: alias, type: 'variable', boost: 2 });
  }
  for (const label of namedColumns(text)) columns.set(label, columns.get(label) ?? { label, type: 'property', boost: 2 });
  const options = [...tables, ...aliased, ...columns.values(), ...functionOptions, ...keywords];
  return { from: word?.from ?? context.pos, options, validFor: /^\w*$/ };
}
