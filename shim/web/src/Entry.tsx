// What stands there until a token is known: where to get one, and a place to paste it.
import { useRef, useState } from 'preact/hooks';
import { signIn } from './opening.ts';
import { codeFailed, entryProblem } from './state.ts';
import { fromFragment } from './storage.ts';

export function Entry() {
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const linked = fromFragment(location.hash).query;
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    await signIn(input.current?.value.trim() ?? '');
    setBusy(false);
  };
  return (
    <main class="entry">
      <h1><img src="console.svg" alt="" width="22" height="22" /> logquery</h1>
      <p>{linked === null ? 'Explore the logs and endpoints that your access token may read.' : `The link opens a query of ${linked.endpoint}, once you have signed in.`}</p>
      <form onSubmit={submit}>
        <label for="token">Access token</label>
        <div class="row">
          <input id="token" ref={input} type="password" autocomplete="off" spellcheck={false} placeholder="lq_…" required autofocus />
          <button type="submit" class="primary" disabled={busy}>Open</button>
        </div>
      </form>
      {entryProblem.value !== null && <p class="problem" role="alert">{entryProblem.value}</p>}
      <p class="hint">
        {linked === null && !codeFailed.value ? 'Ask whoever runs this server for a token.' : 'Ask whoever sent this link for a token.'} Operators make one with{' '}
        <code>logquery token create --tokens tokens.json --all-projects</code>. The token stays in this browser tab and goes to this server alone.
      </p>
    </main>
  );
}
