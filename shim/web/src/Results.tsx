// The lower pane: what became of the last run. Rows with their chart and figures, an error with its place, or what to do next.
import { useEffect, useState } from 'preact/hooks';
import type { Answer, Call } from './api.ts';
import { Chart } from './Chart.tsx';
import { type ChartData, chartOf, histogramOf } from './charts.ts';
import { Menu } from './Menu.tsx';
import { RowDetail } from './RowDetail.tsx';
import { Split, paneSize } from './Split.tsx';
import { Table } from './Table.tsx';
import { type Failure, download, endpoint, loadMore, loadingMore, missing, outcome, rangeParameters, selectedRow, server, takesSql, utc } from './state.ts';
import { columns, isHidden, toggleColumn } from './table_layout.ts';
import { canTail, startTail, stopTail, tailing } from './tail.ts';
import { mostRows } from './tail_rows.ts';
import { boundsOf, readWindow, timeText } from './time.ts';
import { bytesText, isLogRows, millisecondsText } from './values.ts';

const chartSize = paneSize('chart', 118, 70, 420);
const detailSize = paneSize('detail', 380, 240, 900);

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
  const names = rangeParameters.value;
  if (names === null) return null;
  const cut = answer.window === null ? null : readWindow(answer.window);
  const from = cut?.from ?? call.parameters[names.start] ?? null;
  const to = cut?.to ?? call.parameters[names.end] ?? null;
  if (from === null && to === null) return null;
  const moved = cut?.from != null && (cut.asked === null || Date.parse(cut.from) - Date.parse(cut.asked) > 60_000);
  const text = (end: string | null, open: string) => (end === null ? open : timeText(Date.parse(end), utc.value).slice(0, 16));
  return (
    <span class={moved ? 'badge window warn' : 'badge window'} title={moved ? 'What is kept begins later than the start that was asked for.' : 'The window of time that applied.'}>
      {moved && 'Retention: '}{text(from, 'the start')} – {text(to, 'now')}
    </span>
  );
}

function Toolbar({ answer, call }: { answer: Answer; call: Call }) {
  const count = answer.rows.length.toLocaleString('en');
  return (
    <div class="bar results-bar">
      <Menu label={<><b>{count}</b> {answer.rows.length === 1 ? 'row' : 'rows'} <span class="type">{millisecondsText(answer.milliseconds)}</span></>}
        title="Timings, cache and ids of this answer" class="quiet">{() => <Figures answer={answer} />}</Menu>
      {answer.cache !== null && <span class={`badge ${answer.cache}`} title={`Age ${answer.age ?? 0} s`}>cache {answer.cache}</span>}
      {answer.truncated && <span class="badge warn" title={`The endpoint returns at most ${endpoint.value?.max_rows} rows`}>cut at max rows</span>}
      {answer.tokenProject !== null && (
        <span class="badge warn" title="The token is for one project, and the call asked for another one.">
          token reads only {decodeURIComponent(answer.tokenProject)}
        </span>
      )}
      <Window answer={answer} call={call} />
      <span class="gap" />
      {(canTail.value || tailing.value) && (
        <button type="button" class={tailing.value ? 'live on' : 'live'} aria-pressed={tailing.value} title="Shows new rows as they come"
          onClick={() => (tailing.value ? stopTail() : void startTail())}>Live</button>
      )}
      <Menu label="Columns" title="Columns of the table" class="quiet" align="right">
        {() => (
          <ul class="choices">
            {columns.value.map(({ name, type }) => (
              <li key={name}><label class="check"><input type="checkbox" checked={!isHidden(name)} onChange={() => toggleColumn(name)} /> {name} <span class="type">{type.toLowerCase()}</span></label></li>
            ))}
          </ul>
        )}
      </Menu>
      <button type="button" class="quiet" title="Download the rows as CSV" onClick={() => void download('csv')}>CSV</button>
      <button type="button" class="quiet" title="Download the rows as NDJSON, an object a line" onClick={() => void download('ndjson')}>NDJSON</button>
    </div>
  );
}

function useChart(): ChartData | null {
  const shown = outcome.value;
  const [data, setData] = useState<{ of: unknown; chart: ChartData | null }>({ of: null, chart: null });
  const answer = shown.state === 'rows' ? shown.answer : null;
  // More pages change neither the query nor its histogram; while new rows come, it counts them.
  const key = shown.state === 'rows' ? shown.query : null;
  const tail = tailing.value ? answer : null;
  useEffect(() => {
    if (shown.state !== 'rows' || answer === null) return;
    if (!isLogRows(answer.columns)) return setData({ of: key, chart: chartOf(answer) });
    const abort = new AbortController();
    const asked = rangeParameters.value === null ? { from: null, to: null } : boundsOf(shown.query.range, new Date());
    histogramOf(answer, shown.call, takesSql.value && !tailing.value, asked, server.value, abort.signal).then(
      (chart) => setData({ of: key, chart }),
      (error) => {
        if (!abort.signal.aborted) console.error(error);
      },
    );
    return () => abort.abort();
  }, [key, tail]);
  return data.of === key ? data.chart : null;
}

function Rows({ answer, call }: { answer: Answer; call: Call }) {
  const chart = useChart();
  const waits = isLogRows(answer.columns) && answer.rows.length > 0;
  const histogram = chart?.bucket !== null;
  return (
    <>
      <Toolbar answer={answer} call={call} />
      {(chart !== null || waits) && (
        <>
          <div class="chart-pane" style={{ height: `${Math.max(chartSize.value.value, histogram ? 0 : 150)}px` }}>
            {chart !== null && <><p class="chart-title">{chart.title}{chart.bucket !== null && <span class="type drag-hint"> · drag to narrow the time range</span>}</p><Chart data={chart} /></>}
          </div>
          <Split size={chartSize} label="Height of the chart" vertical={false} />
        </>
      )}
      {answer.rows.length === 0 ? (
        <div class="message"><h2>No rows</h2><p>The query ran and found nothing. A longer time range or other parameters may.</p></div>
      ) : (
        <div class="table-and-detail">
          <div class="table-pane">
            <Table />
            {answer.cut && <p class="more hint">Live keeps the newest {mostRows.toLocaleString('en')} rows. Run the query for older ones.</p>}
            {answer.cursor !== null && (
              <div class="more"><button type="button" disabled={loadingMore.value} onClick={() => void loadMore()}>{loadingMore.value ? 'Loading…' : 'Load older rows'}</button></div>
            )}
          </div>
          {selectedRow.value !== null && (
            <>
              <Split size={detailSize} label="Width of the row's detail" vertical after />
              <div class="detail-pane" style={{ '--detail': `${detailSize.value.value}px` }}><RowDetail /></div>
            </>
          )}
        </div>
      )}
    </>
  );
}

function FailureMessage({ failure }: { failure: Failure }) {
  return (
    <div class="message failed" role="alert">
      <h2>{failure.status === 0 ? 'No answer' : `The server refused the query: ${failure.status}`}</h2>
      <p>{failure.message}</p>
      {failure.snippet !== null && <pre tabIndex={0} aria-label="Where in the SQL">{failure.snippet}</pre>}
      {failure.requestId !== null && <p class="hint">Request {failure.requestId}</p>}
    </div>
  );
}

function Running({ since }: { since: number }) {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(performance.now()), 100);
    return () => window.clearInterval(timer);
  }, []);
  const seconds = Math.max(0, (now - since) / 1000);
  return <div class="message"><div class="progress" aria-hidden="true" /><p>Running{seconds >= 0.5 ? `, ${seconds.toFixed(1)} s` : ''}…</p></div>;
}

function Content() {
  const shown = outcome.value;
  switch (shown.state) {
    case 'rows':
      return <Rows answer={shown.answer} call={shown.call} />;
    case 'failed':
      return <FailureMessage failure={shown.failure} />;
    case 'running':
      return <Running since={shown.since} />;
    case 'cancelled':
      return <div class="message"><h2>Cancelled</h2><p>The query was stopped before it answered.</p></div>;
    case 'idle': {
      const lacking = missing.value.map(({ name }) => name);
      return <div class="message"><p>{lacking.length > 0 ? `Fill in ${lacking.join(', ')}, then run the query.` : 'Run the query to see its rows.'} <kbd>Ctrl ⏎</kbd></p></div>;
    }
  }
}

export function Results() {
  return <section class="results" aria-label="Results" aria-busy={outcome.value.state === 'running'}><Content /></section>;
}
