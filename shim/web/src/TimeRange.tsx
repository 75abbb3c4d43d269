// The time range: presets, or a start and an end in the viewer's zone or UTC.
import { useState } from 'preact/hooks';
import { Menu } from './Menu.tsx';
import { run } from './running.ts';
import { outcome, range, setRange, setUtc, utc } from './state.ts';
import { type Range, fieldText, presets, rangeLabel, readField } from './time.ts';

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

const example = '2026-11-25 14:05';

// A field for a time, written as the page shows times. The browser's own field for it would show one in twelve hours, or not, as the
// system has it.
function TimeField({ id, label, text, wrong, onInput }: { id: string; label: string; text: string; wrong: boolean; onInput: (text: string) => void }) {
  return (
    <>
      <label for={id}>{label}</label>
      <input id={id} type="text" autocomplete="off" spellcheck={false} placeholder={example} value={text} aria-invalid={wrong}
        aria-describedby={wrong ? 'range-form range-problem' : 'range-form'} onInput={(event) => onInput(event.currentTarget.value)} />
    </>
  );
}

function Custom({ close }: { close: () => void }) {
  const current = range.value;
  const written = 'preset' in current ? { from: '', to: '' } : current;
  const [from, setFrom] = useState(fieldText(written.from, utc.value));
  const [to, setTo] = useState(fieldText(written.to, utc.value));
  const [tried, setTried] = useState(false);
  const start = readField(from, utc.value);
  const end = readField(to, utc.value);
  const unread = start === null || end === null;
  const empty = start === '' && end === '';
  const reversed = Boolean(start) && Boolean(end) && (start ?? '') >= (end ?? '');
  // Half a time is no mistake while it is being written.
  const problem = reversed ? 'The start must come before the end.' : !tried ? null
    : unread ? `Write a time as ${example}.` : empty ? 'Write a start, an end or both.' : null;
  const apply = (event: Event) => {
    event.preventDefault();
    setTried(true);
    if (unread || empty || reversed) {
      document.getElementById(start === null || empty || reversed ? 'range-from' : 'range-to')?.focus();
      return;
    }
    choose({ from: start, to: end });
    close();
  };
  return (
    <form class="custom" onSubmit={apply} noValidate>
      <p class="hint" id="range-form">Such as {example}, in {utc.value ? 'UTC' : zone.replaceAll('_', ' ')}</p>
      <TimeField id="range-from" label="From" text={from} wrong={problem !== null && (start === null || reversed || empty)} onInput={setFrom} />
      <TimeField id="range-to" label="To" text={to} wrong={problem !== null && (end === null || reversed)} onInput={setTo} />
      {problem !== null && <p class="problem" id="range-problem" role="alert">{problem}</p>}
      <button type="submit" class="primary">Apply</button>
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
