// Queries that the server keeps for everybody who may read their project: listed, opened in the editor, saved and deleted. Two people
// may change one at a time: whoever comes second is told what is there, and nothing is overwritten unasked.
import { ServerError, type SavedPlace, type ServerQuery } from './api.ts';
import { openQuery } from './running.ts';
import { endpointName, failureOf, keeps, maySave, notice, openedFrom, query, range, scope, server, serverQueries, written } from './state.ts';

export const ownerOf = ({ project }: SavedPlace) => (project === undefined ? 'all projects' : project);
export const isSamePlace = (a: SavedPlace, b: SavedPlace) => a.name === b.name && a.project === b.project;

// Whether the token may change what is kept there: one for a project changes only the project's own.
export const mayChange = ({ project }: SavedPlace) => maySave.value && (scope.value === null || project === scope.value);

export const savedLine = ({ revision, saved_by, saved_at }: ServerQuery) =>
  `revision ${revision}, saved${saved_by === '' ? '' : ` by ${saved_by}`} at ${saved_at.slice(0, 16).replace('T', ' ')} UTC`;

export async function loadServerQueries(): Promise<void> {
  if (!keeps.value) return;
  const asked = server.value;
  try {
    const list = await asked.savedQueries();
    if (asked !== server.value) return;
    serverQueries.value = { queries: list.queries, problem: null };
    maySave.value = list.may_save;
  } catch (error) {
    if (asked === server.value) serverQueries.value = { queries: [], problem: failureOf(error).message };
  }
}

// Writes the query into the editor. It runs when somebody has looked at it: others wrote it.
export async function openServerQuery(listed: ServerQuery): Promise<void> {
  try {
    const found = await server.value.savedQuery(listed);
    const of = scope.value === null && found.project !== undefined ? { project: found.project } : {};
    openQuery({ endpoint: found.endpoint, parameters: { ...query.value.parameters, ...of }, sql: found.sql ?? '', range: range.value }, false, 'page');
    openedFrom.value = found;
    notice.value = `Opened ${found.name}, ${savedLine(found)}`;
  } catch (error) {
    notice.value = `${listed.name} could not be opened: ${failureOf(error).message}`;
    void loadServerQueries();
  }
}

export type Saving = { saved: true } | { saved: false; message: string; present: ServerQuery | null };

// `revision`: that which the query replaces; null: it is a new one.
export async function saveOnServer(place: SavedPlace, description: string, revision: number | null): Promise<Saving> {
  try {
    const draft = { endpoint: endpointName.value, sql: written.value, description };
    openedFrom.value = await server.value.saveQuery(place, draft, revision);
    notice.value = `Saved as ${place.name}, for ${ownerOf(place)}`;
    void loadServerQueries();
    return { saved: true };
  } catch (error) {
    const present = error instanceof ServerError ? error.present : null;
    return { saved: false, message: failureOf(error).message, present };
  }
}

export async function deleteOnServer(listed: ServerQuery): Promise<void> {
  try {
    await server.value.deleteQuery(listed, listed.revision);
    if (openedFrom.value !== null && isSamePlace(openedFrom.value, listed)) openedFrom.value = null;
    notice.value = `Deleted ${listed.name}`;
  } catch (error) {
    const present = error instanceof ServerError ? error.present : null;
    notice.value = present === null ? `${listed.name} was not deleted: ${failureOf(error).message}` : `${listed.name} was not deleted: it has changed meanwhile, ${savedLine(present)}`;
  }
  await loadServerQueries();
}
