// The time range: presets, or a start and an end in the viewer's zone or UTC.
import { useState } from 'preact/hooks';
import { Menu } from './Menu.tsx';
import { run } from './running.ts';
import { outcome, range, setRange, setUtc, utc } from './state.ts';
import { type Range, fromLocalInput, presets, rangeLabel, toLocalInput } from './time.ts';

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function ZoneSwitch() {
  return (
    <button type="button" class="quiet" title={`Times are shown in ${utc.value ? 'UTC' : zone}; times in SQL are UTC. Click to switch.`} onClick={() => setUtc(!utc.value)}>
      {utc.value ? 'UTC' : zone.replaceAll('_', ' ')}
    </button>
  );
}

// Rows of another range than the one that is shown would be taken for its rows.
function choose(next: Range): void {
  setRange(next);
  if (outcome.value.state === 'rows' || outcome.value.state === 'failed') void run();
}

function Custom({ close }: { close: () => void }) {
  const current = range.value;
  const [from, setFrom] = useState('preset' in current ? '' : current.from);
  const [to, setTo] = useState('preset' in current ? '' : current.to);
  const wrong = from !== '' && to !== '' && from >= to;
  const apply = (event: Event) => {
    event.preventDefault();
    choose({ from, to });
    close();
  };
  return (
    <form class="custom" onSubmit={apply}>
      <p class="hint">From and to, in {utc.value ? 'UTC' : zone}</p>
      <label for="range-from">From</label>
      <input id="range-from" type="datetime-local" step="1" value={toLocalInput(from, utc.value)} onInput={(event) => setFrom(fromLocalInput(event.currentTarget.value, utc.value))} />
      <label for="range-to">To</label>
      <input id="range-to" type="datetime-local" step="1" value={toLocalInput(to, utc.value)} onInput={(event) => setTo(fromLocalInput(event.currentTarget.value, utc.value))} />
      {wrong && <p class="problem" role="alert">The start must come before the end.</p>}
      <button type="submit" class="primary" disabled={wrong || (from === '' && to === '')}>Apply</button>
    </form>
  );
}

export function TimeRange() {
  const current = range.value;
  return (
    <Menu label={<>{rangeLabel(current, utc.value)}</>} title="Time range" class="select">
      {(close) => (
        <div class="range">
          <ul>
            {presets.map(({ id, label }) => (
              <li key={id}>
                <button type="button" aria-pressed={'preset' in current && current.preset === id} onClick={() => {
                  choose({ preset: id });
                  close();
                }}>{label}</button>
              </li>
            ))}
          </ul>
          <Custom close={close} />
        </div>
      )}
    </Menu>
  );
}
