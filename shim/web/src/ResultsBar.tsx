// The bar above the rows: what the answer is (figures, cache, window, scope), and what can be done with its rows.
import { useState } from 'preact/hooks';
import type { Answer, Call } from './api.ts';
import { ChartMenu } from './ChartMenu.tsx';
import type { Format } from './download.ts';
import { download } from './keeping.ts';
import { Menu } from './Menu.tsx';
import { endpoint, rangeParameters, utc, windowOf } from './state.ts';
import { columns, isHidden, setWrapped, shape, toggleColumn, togglePinned, visibleColumns, wrapped } from './table_layout.ts';
import { canTail, startTail, stopTail, tailing } from './tail.ts';
import { startCut, timeText } from './time.ts';
import { bytesText, counted, millisecondsText } from './values.ts';

const meanings: Record<string, string> = {
  parse: 'reading parameters and SQL', plan: 'resolving and planning', queue: 'waiting for a thread', execute: 'in the engine',
  redact: 'replacing addresses', encode: 'writing the rows',
};

function Figures({ answer }: { answer: Answer }) {
  return (
    <dl class="figures">
      <dt>Round trip</dt><dd>{millisecondsText(answer.milliseconds)}</dd>
      {answer.timings.map(({ name, milliseconds }) => (
        <><dt>{name} <span class="type">{meanings[name]}</span></dt><dd>{millisecondsText(milliseconds)}</dd></>
      ))}
      <dt>Size</dt><dd>{bytesText(answer.bytes)}</dd>
      <dt>Cache</dt><dd>{answer.cache === null ? 'not cached' : `${answer.cache}, ${answer.age ?? 0} s old`}</dd>
      {answer.ignored !== null && <><dt>Ignored parameters</dt><dd>{answer.ignored}</dd></>}
      <dt>Request</dt><dd class="id">{answer.requestId}</dd>
      {answer.receipt !== null && <><dt>Receipt</dt><dd class="id">{answer.receipt}</dd></>}
    </dl>
  );
}

// The window that applied; a start that retention moved by more than the moment between two clocks is told.
function Window({ answer, call }: { answer: Answer; call: Call }) {
  if (rangeParameters.value === null) return null;
  const { from, to } = windowOf(answer, call);
  const moved = startCut(answer.window) !== null;
  const text = (end: string | null, open: string) => (end === null ? open : timeText(Date.parse(end), utc.value).slice(0, 16));
  return (
    <span class={moved ? 'badge window warn' : 'badge window'} title={moved ? 'What is kept begins later than the start that was asked for.' : 'The window of time that applied.'}>
      {moved && 'Retention: '}{text(from, 'the oldest row')} – {text(to, 'now')}
    </span>
  );
}

function ColumnsMenu() {
  return (
    <Menu label="Columns" title="Columns of the table" class="quiet" align="right">
      {() => (
        <ul class="choices">
          {columns.value.map(({ name, type, path }) => (
            <li key={name}><label class="check"><input type="checkbox" checked={!isHidden(name)} onChange={() => (path === undefined ? toggleColumn(name) : togglePinned(path))} /> {name} <span class="type">{path === undefined ? type.toLowerCase() : 'pinned'}</span></label></li>
          ))}
          <li class="apart"><label class="check"><input type="checkbox" checked={wrapped.value} onChange={(event) => setWrapped(event.currentTarget.checked)} /> Wrap long texts</label></li>
          {shape.value !== null && <li class="hint">To pin a field as a column, open a row and choose ⋯, column.</li>}
        </ul>
      )}
    </Menu>
  );
}

function DownloadForm({ answer, close }: { answer: Answer; close: () => void }) {
  const [all, setAll] = useState(false);
  const shown = visibleColumns.value.length;
  const hides = shown < columns.value.length;
  const save = (format: Format) => {
    download(format, all);
    close();
  };
  return (
    <div class="download">
      <p>{counted(answer.rows.length, 'row')}, in the order of the table{hides ? '' : `, with ${counted(shown, 'column')}`}.</p>
      {hides && (
        <div role="radiogroup" aria-label="Columns of the file">
          <label class="check"><input type="radio" name="download-columns" checked={!all} onChange={() => setAll(false)} /> The {counted(shown, 'column')} of the table</label>
          <label class="check"><input type="radio" name="download-columns" checked={all} onChange={() => setAll(true)} /> All {counted(columns.value.length, 'column')}</label>
        </div>
      )}
      {answer.cursor !== null && <p class="hint">Older rows are in the file once they are loaded.</p>}
      <div class="row">
        <button type="button" title="Comma-separated values, times in UTC" onClick={() => save('csv')}>CSV</button>
        <button type="button" title="A JSON object a line, as the server sends it" onClick={() => save('ndjson')}>NDJSON</button>
      </div>
    </div>
  );
}

export function ResultsBar({ answer, call }: { answer: Answer; call: Call }) {
  const count = answer.rows.length.toLocaleString('en');
  return (
    <div class="bar results-bar">
      <Menu label={<><b>{count}</b> {answer.rows.length === 1 ? 'row' : 'rows'} <span class="type">{millisecondsText(answer.milliseconds)}</span></>}
        title="Timings, cache and ids of this answer" class="quiet">{() => <Figures answer={answer} />}</Menu>
      {answer.cache !== null && <span class={`badge ${answer.cache}`} title={`Age ${answer.age ?? 0} s`}>cache {answer.cache}</span>}
      {answer.truncated && <span class="badge warn" title={`The endpoint returns at most ${counted(endpoint.value?.max_rows ?? 0, 'row')}`}>cut at max rows</span>}
      {answer.scope !== null && <span class="badge warn" title={`The call asks for project ${call.parameters['project'] ?? ''}`}>this token reads only project {answer.scope}</span>}
      <Window answer={answer} call={call} />
      <div class="bar-end">
        {(canTail.value || tailing.value) && (
          <button type="button" class={tailing.value ? 'live on' : 'live'} aria-pressed={tailing.value} title="Shows new rows as they come"
            onClick={() => (tailing.value ? stopTail() : void startTail())}>Live</button>
        )}
        <ChartMenu answer={answer} />
        <ColumnsMenu />
        {answer.rows.length > 0 && <Menu label="Download" title="The rows as a file" class="quiet" align="right">{(close) => <DownloadForm answer={answer} close={close} />}</Menu>}
      </div>
    </div>
  );
}
