// The lower pane: what became of the last run. Rows with their chart and figures, an error with its place, or what to do next.
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Answer, Call } from './api.ts';
import { Chart } from './Chart.tsx';
import { chosenFor } from './ChartMenu.tsx';
import { type ChartData, type Series, beforeText, chartOf, colourOf } from './charts.ts';
import { fieldsOfCall } from './catalog.ts';
import { histogramOf } from './histogram.ts';
import { splitOf } from './splitting.ts';
import { ResultsBar } from './ResultsBar.tsx';
import { RowDetail } from './RowDetail.tsx';
import { type LogWithRows, logsWithRows } from './own_logs.ts';
import { listed, namesProject, projects } from './projects.ts';
import { loadMore, openLog, restore, run } from './running.ts';
import { isFiltered, removeAll, toggleTerm } from './searching.ts';
import { Split, paneSize } from './Split.tsx';
import { Table } from './Table.tsx';
import { type Failure, type Shown, chart as chartChoice, comparing, failureInSql, listsProjects, loadingMore, log, missing, outcome, outdated, range,
  rangeParameters, rowColumns, runsOwnQuery, searchable, selectedRow, server, setRange, setValue, shown, takesSql, terms, utc, windowOf } from './state.ts';
import { tailing } from './tail.ts';
import { mostRows } from './tail_rows.ts';
import { timeText } from './time.ts';
import { counted } from './values.ts';

const chartSize = paneSize('chart', 118, 70, 420);
const detailSize = paneSize('detail', 380, 240, 900);

// The histogram of log rows; null until it is counted, and for other rows.
function useHistogram({ answer, call, query }: Shown, wanted: boolean): ChartData | null {
  const [data, setData] = useState<{ of: unknown; chart: ChartData | null }>({ of: null, chart: null });
  // More pages change neither the query nor its histogram; while new rows come, it counts them.
  const tail = tailing.value ? answer : null;
  useEffect(() => {
    if (!wanted) return;
    const abort = new AbortController();
    fieldsOfCall(call).catch(() => []).then((columns) => {
      abort.signal.throwIfAborted();
      return histogramOf(answer, call, takesSql.value && !tailing.value, windowOf(answer, call), server.value, abort.signal, splitOf(columns, chartChoice.value),
        comparing.value ? rangeParameters.value : null);
    }).then(
      (chart) => setData({ of: query, chart }),
      (error) => {
        if (!abort.signal.aborted) console.error(error);
      },
    );
    return () => abort.abort();
  }, [query, tail, wanted, chartChoice.value, comparing.value]);
  return data.of === query ? data.chart : null;
}

// Reads the columns of the rows on screen, by which facets and charts know their fields.
function useRowFields(call: Call): void {
  useEffect(() => {
    let current = true;
    fieldsOfCall(call).catch(() => []).then((columns) => {
      if (current) rowColumns.value = { of: call, columns };
    });
    return () => (current = false);
  }, [call]);
}

// A part of the histogram, by its colour: a button that filters by it, where the rows can be searched.
function Part({ part: { label, term }, shade }: { part: Series; shade: string }) {
  if (term === undefined || !searchable.value) return <span class={`swatch ${shade}`}>{label}</span>;
  const on = isFiltered(term);
  const name = term.field?.at(-1) ?? '';
  const title = on ? `Remove the filter on ${name} ${label}` : `Only the rows with ${name} ${label}`;
  return <button type="button" class={`swatch ${shade}`} aria-pressed={on} title={title} onClick={() => void toggleTerm(term)}>{label}</button>;
}

// What is drawn; of a histogram in parts, which part has which colour.
function ChartTitle({ chart }: { chart: ChartData }) {
  const parts = chart.bucket !== null && (chart.stacked || chart.series[0]?.tone !== undefined) ? chart.series.toReversed() : [];
  const classOf = (part: Series) => (part.tone === undefined ? `colour-${colourOf(chart, chart.series.indexOf(part))}` : `tone-${part.tone}`);
  return (
    <p class="chart-title">
      {chart.title}{beforeText(chart, utc.value)}{chart.bucket !== null && <span class="type drag-hint"> · drag to narrow the time range</span>}
      {parts.map((part) => <Part key={part.label} part={part} shade={classOf(part)} />)}
      {chart.before !== undefined && <span class="swatch before">range before</span>}
    </p>
  );
}

function Rows({ rows }: { rows: Shown }) {
  const { answer, call } = rows;
  useRowFields(call);
  const isLog = answer.shape !== null && answer.rows.length > 0;
  const wanted = isLog && chartChoice.value !== 'none';
  const histogram = useHistogram(rows, wanted);
  const drawn = useMemo(() => chartOf(answer, chosenFor(answer), { window: windowOf(answer, call), sql: call.parameters['sql'] ?? '' }), [answer, chartChoice.value]);
  const chart = isLog ? (wanted ? histogram : null) : drawn;
  return (
    <>
      <ResultsBar answer={answer} call={call} />
      {(chart !== null || wanted) && (
        <>
          <div class="chart-pane" style={{ height: `${Math.max(chartSize.value.value, isLog ? 0 : 150)}px` }}>
            {chart !== null && <><ChartTitle chart={chart} /><Chart data={chart} /></>}
          </div>
          <Split size={chartSize} label="Height of the chart" vertical={false} />
        </>
      )}
      {answer.rows.length === 0 ? (
        <NoRows answer={answer} call={call} />
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

// The logs that have rows where the query found none, each as a button that shows them.
function OtherLogs({ call }: { call: Call }) {
  const [found, setFound] = useState<LogWithRows[]>([]);
  const asked = runsOwnQuery.value ? '' : log.value;
  useEffect(() => {
    const abort = new AbortController();
    void logsWithRows(call, asked, abort.signal).then((logs) => abort.signal.aborted || setFound(logs));
    return () => abort.abort();
  }, [call]);
  if (found.length === 0) return null;
  return (
    <>
      <p>These logs have rows:</p>
      <ul class="other-logs" aria-label="Logs with rows">
        {found.map((one) => (
          <li key={`${one.endpoint}/${one.log}`}>
            <button type="button" onClick={() => openLog(one, 'page')}>{one.log}</button> <span class="type">{one.endpoint}, {counted(one.rows, 'row')}
              {one.newest === null ? ' in this time range' : `, the newest of ${timeText(one.newest, utc.value).slice(0, 16)}`}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

const mostProjects = 12;

// Shows what to write for a project where the token leaves it open: those that have rows, each as a button that shows them.
function Projects() {
  const known = projects.value;
  const waits = listsProjects.value && listed.value === null;
  if (known.length === 0) {
    const problem = listed.value?.problem ?? null;
    return (
      <p>
        {problem !== null ? `The projects that have rows could not be listed: ${problem} ` : waits ? 'Looking for the projects that have rows…' : listed.value !== null ? 'No project has rows yet. ' : ''}
        {!waits && 'Your token reads all projects, so say whose rows you want: write its reference into project, as the rows have it.'}
      </p>
    );
  }
  return (
    <>
      <p>Your token reads all projects. {(listed.value?.projects.length ?? 0) > 0 ? 'These have rows, the newest first:' : 'You have looked at these before:'}</p>
      <ul class="projects" aria-label="Projects">
        {known.slice(0, mostProjects).map((name) => (
          <li key={name}><button type="button" onClick={() => {
            setValue('project', name);
            if (missing.value.length === 0) void run();
            else document.getElementById('parameter-' + (missing.value[0]?.name ?? ''))?.focus();
          }}>{name}</button></li>
        ))}
      </ul>
      {known.length > mostProjects && <p class="hint">The field project completes {counted(known.length - mostProjects, 'further one')}.</p>}
    </>
  );
}

function NoRows({ answer, call }: { answer: Answer; call: Call }) {
  const asked = call.parameters['project'] ?? '';
  const { from } = windowOf(answer, call);
  const future = from !== null && Date.parse(from) > answer.asked;
  const longer = rangeParameters.value !== null && !('preset' in range.value && range.value.preset === 'all');
  return (
    <div class="message">
      <h2>No rows</h2>
      {answer.scope === null ? (
        <>
          <p>{future ? 'The time range begins in the future: an earlier one' : `The query ran and found nothing. ${longer ? 'A longer time range' : 'With other parameters it'}`} may find some.</p>
          {terms.value.length > 0 && <p><button type="button" onClick={removeAll}>Remove all filters</button></p>}
          <OtherLogs call={call} />
          {longer && <p><button type="button" onClick={() => {
            setRange({ preset: 'all' });
            void run();
          }}>Look in all that is kept</button></p>}
        </>
      ) : (
        <p>This token reads only the rows of project <b>{answer.scope}</b>, and the query asks for <b>{asked}</b>. Leave project empty, or sign in with a token for {asked}.</p>
      )}
    </div>
  );
}

function FailureMessage({ failure, sql }: { failure: Failure; sql: string }) {
  // An error in SQL is announced below the editor.
  const inSql = failure.line !== null && sql.trim() !== '';
  return (
    <div class="message failed" role={inSql ? undefined : 'alert'}>
      <h2>{failure.status === 0 ? 'No answer' : `The server refused the query: ${failure.status}`}</h2>
      {failureInSql.value === failure ? <p>The error is marked in the SQL, and its message is below the editor.</p> : <p>{failure.message}</p>}
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
  return <><div class="progress" aria-hidden="true" /><p>Running{seconds >= 0.5 ? `, ${seconds.toFixed(1)} s` : ''}…</p></>;
}

// Rows of a query that was edited since would be taken for rows of what is written by now.
function Outdated() {
  return (
    <p class="bar outdated" role="status">
      The query has changed since these rows:
      <button type="button" onClick={() => void run()}>Run</button>
      <button type="button" class="quiet" title="Write the query of these rows again" onClick={restore}>Restore</button>
    </p>
  );
}

function Content() {
  const now = outcome.value;
  const rows = shown.value;
  if (rows !== null) {
    return (
      <div class={rows.past ? 'answer past' : outdated.value ? 'answer of-before' : 'answer'} inert={rows.past}>
        {outdated.value && <Outdated />}
        <Rows rows={rows} />
        {now.state === 'running' && <div class="running"><Running since={now.since} /></div>}
      </div>
    );
  }
  switch (now.state) {
    case 'failed':
      return <FailureMessage failure={now.failure} sql={now.sql} />;
    case 'running':
      return <div class="message"><Running since={now.since} /></div>;
    case 'cancelled':
      return <div class="message"><h2>Cancelled</h2><p>The query was stopped before it answered.</p></div>;
    default: {
      const lacking = missing.value.map(({ name }) => name);
      return (
        <div class="message">
          <p>{lacking.length > 0 ? `Fill in ${lacking.join(', ')}, then run the query.` : 'Run the query to see its rows.'} <kbd>Ctrl ⏎</kbd></p>
          {missing.value.some(namesProject) && <Projects />}
        </div>
      );
    }
  }
}

export function Results() {
  return <section class="results" id="results" tabIndex={-1} aria-label="Results" aria-busy={outcome.value.state === 'running'}><Content /></section>;
}
