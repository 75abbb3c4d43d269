// Saves the query under a name: in this browser, or on a server that keeps queries, for a project or for all.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SavedPlace, ServerQuery } from './api.ts';
import { save } from './keeping.ts';
import { isSamePlace, ownerOf, savedLine, saveOnServer } from './server_queries.ts';
import { endpointName, keeps, maySave, openedFrom, scope, takesSql, values, written } from './state.ts';

// Where the query may be kept: `project` is null in this browser, and '' for all projects.
type Where = { project: string | null; label: string };

function places(from: ServerQuery | null): Where[] {
  const here: Where = { project: null, label: 'In this browser' };
  if (!keeps.value || !maySave.value || !takesSql.value || written.value.trim() === '') return [here];
  const of = (project: string): Where => ({ project, label: `On the server, for ${project === '' ? 'all projects' : project}` });
  if (scope.value !== null) return [here, of(scope.value)];
  const projects = new Set([values.value['project'] ?? '', from?.project ?? '', '']);
  return [here, ...[...projects].sort().reverse().map(of)];
}

function hint(): string {
  if (!keeps.value) return 'Saved queries stay in this browser.';
  if (!maySave.value) return 'This token may not save on the server: the query stays in this browser.';
  return takesSql.value && written.value.trim() === '' ? 'The server keeps queries that have SQL.' : 'On the server, all who may read the project see the query.';
}

export function SaveForm({ close }: { close: () => void }) {
  const from = openedFrom.value?.endpoint === endpointName.value ? openedFrom.value : null;
  const offered = places(from);
  const [project, setProject] = useState<string | null>(from !== null && offered.some((where) => where.project === (from.project ?? '')) ? (from.project ?? '') : null);
  const [conflict, setConflict] = useState<{ message: string; present: ServerQuery | null } | null>(null);
  const [busy, setBusy] = useState(false);
  const name = useRef<HTMLInputElement>(null);
  const description = useRef<HTMLInputElement>(null);
  useEffect(() => name.current?.focus(), []);
  const store = async (replacing: ServerQuery | null) => {
    const chosen = name.current?.value.trim() ?? '';
    if (chosen === '' || busy) return;
    if (project === null) {
      save(chosen);
      return close();
    }
    const place: SavedPlace = project === '' ? { name: chosen } : { name: chosen, project };
    const changed = replacing ?? (from !== null && isSamePlace(from, place) ? from : null);
    setBusy(true);
    const outcome = await saveOnServer(place, description.current?.value.trim() ?? '', changed?.revision ?? null);
    setBusy(false);
    if (outcome.saved) close();
    else setConflict(outcome);
  };
  return (
    <form class="save" onInput={() => setConflict(null)} onSubmit={(event) => {
      event.preventDefault();
      void store(null);
    }}>
      <label for="save-name">Name of the query</label>
      <div class="row"><input id="save-name" ref={name} maxLength={80} defaultValue={from?.name ?? ''} required /><button type="submit" class="primary" disabled={busy}>Save</button></div>
      {offered.length > 1 && (
        <fieldset class="choices">
          <legend class="unseen">Where it is kept</legend>
          {offered.map((where) => (
            <label key={where.project ?? '-'} class="check"><input type="radio" name="save-place" checked={project === where.project} onChange={() => setProject(where.project)} /> {where.label}</label>
          ))}
        </fieldset>
      )}
      {project !== null && (
        <>
          <label for="save-description">Description</label>
          <input id="save-description" ref={description} maxLength={300} defaultValue={from?.description ?? ''} />
        </>
      )}
      {conflict !== null && (
        <div class="conflict" role="alert">
          {conflict.present === null ? <p>{conflict.message}</p> : (
            <>
              <p>There is another query of this name for {ownerOf(conflict.present)}: {savedLine(conflict.present)}. Nothing was saved.</p>
              <button type="button" class="danger" disabled={busy} onClick={() => void store(conflict.present)}>Replace revision {conflict.present.revision}</button>
            </>
          )}
        </div>
      )}
      <p class="hint">{hint()}</p>
    </form>
  );
}
