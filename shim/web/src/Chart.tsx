// A chart of an answer, drawn by uPlot: bars or lines. Dragging over a histogram narrows the time range to what was dragged over.
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { type ChartData, beforeText, colourOf } from './charts.ts';
import { run } from './running.ts';
import { addTimes } from './searching.ts';
import { rangeParameters, setRange, utc } from './state.ts';
import { theme } from './theme.ts';
import { timeText } from './time.ts';

const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function axis(more: uPlot.Axis = {}): uPlot.Axis {
  const thin = { stroke: colour('--line'), width: 1 };
  return { stroke: colour('--muted'), font: '11px system-ui, sans-serif', grid: thin, ticks: { ...thin, size: 4 }, ...more };
}

// "14:30", and the day where a new one begins: one line, in 24 hours, in the zone of the page.
function timeLabels(_: uPlot, splits: number[], __: number, ___: number, step: number): string[] {
  return splits.map((seconds) => {
    const [day = '', clock = ''] = timeText(seconds * 1000, utc.value).split(' ');
    if (step >= 86400 || clock.startsWith('00:00:00')) return day.slice(5);
    return clock.slice(0, step < 60 ? 8 : 5);
  });
}

// What fits below the bars, each of which has `width`: where they are narrow, below every second or third. The end of a path
// tells more than its beginning.
function categoryLabels(categories: string[], splits: number[], width: number): string[] {
  const every = Math.max(1, Math.ceil(56 / width));
  const characters = Math.max(3, Math.floor((width * every - 10) / 6.8));
  const shortened = (text: string) => (text.length <= characters ? text : '…' + text.slice(1 - characters));
  return splits.map((at) => (at % every === 0 ? shortened(categories[at] ?? '') : ''));
}

function axes(data: ChartData): uPlot.Axis[] {
  const { categories } = data;
  const x = categories === null
    ? axis({ grid: { show: false }, size: 24, space: 70, values: timeLabels })
    : axis({ grid: { show: false }, size: 24, splits: data.x, space: 60,
        values: (plot, splits) => categoryLabels(categories, splits, plot.bbox.width / devicePixelRatio / categories.length) });
  const short = Intl.NumberFormat('en', { notation: 'compact' });
  return [x, axis({ size: 48, values: (_, splits) => splits.map((value) => short.format(value)) })];
}

// Whether a value has none beside it: no line leads to it, and only a point shows it.
const standsAlone = (values: (number | null)[]) => values.some((value, at) => value !== null && (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null);

// The range before is a line over the bars of the range itself.
function lineBefore(): uPlot.Series {
  const paths = uPlot.paths.stepped?.({ align: 1 });
  return { label: 'before', stroke: colour('--text'), width: 1.5, dash: [4, 3], points: { show: false }, ...(paths ? { paths } : {}) };
}

function series(data: ChartData): uPlot.Series[] {
  const bars = uPlot.paths.bars?.({ size: [0.86, 60], align: data.bucket === null ? 0 : 1 });
  const drawn = data.series.map(({ label, tone }, index): uPlot.Series => {
    const stroke = colour(tone === undefined ? `--chart-${colourOf(data, index)}` : `--tone-${tone}`);
    // Beside the name stands the value under the pointer, and nothing where there is no pointer. Of a part of a bar, what is drawn is
    // a sum, and what is told the part's own value.
    const value = (_: uPlot, __: number, ___: number, at: number | null) => (at === null ? '' : (data.series[index]?.values[at]?.toLocaleString('en') ?? ''));
    const shared = { label, value, stroke, width: 1.5, points: { show: data.kind === 'line' && (data.x.length < 40 || standsAlone(data.series[index]?.values ?? [])), size: 5 } };
    return data.kind === 'bar' ? { ...shared, fill: stroke, width: 0, ...(bars ? { paths: bars } : {}), points: { show: false } } : shared;
  });
  if (data.before !== undefined) drawn.push(lineBefore());
  const { categories } = data;
  const place = (at: number | null) => (at === null ? '' : categories === null ? timeText(at * 1000, utc.value).slice(0, 16) : (categories[at] ?? ''));
  return [{ label: data.axis, value: (_, at) => place(at) }, ...drawn];
}

function narrow(plot: uPlot, data: ChartData): void {
  if (plot.select.width < 4 || data.categories !== null) return;
  const from = plot.posToVal(plot.select.left, 'x');
  const to = plot.posToVal(plot.select.left + plot.select.width, 'x');
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  const [start, end] = [from, to].map((seconds) => new Date(seconds * 1000).toISOString()) as [string, string];
  if (rangeParameters.value === null) return void addTimes(data.axis, start, end);
  setRange({ from: start, to: end });
  void run();
}

// The smallest distance of two neighbours: as wide is a bar over time.
function leastGap(x: number[]): number {
  const gaps = x.slice(1).map((at, index) => at - (x[index] ?? at)).filter((gap) => gap > 0);
  return gaps.length === 0 ? 1 : Math.min(...gaps);
}

// The names below the chart with a value beside each, in as many lines as they need.
function legendHeight(data: ChartData, width: number): number {
  if (data.bucket !== null) return 0;
  const needed = [data.axis, ...data.series.map(({ label }) => label)].reduce((sum, label) => sum + label.length * 6.5 + 62, 0);
  return 24 * Math.min(3, Math.ceil(needed / Math.max(1, width)));
}

function options(data: ChartData, width: number, height: number): uPlot.Options {
  const bars = data.kind === 'bar';
  const scale: uPlot.Scale = { time: data.categories === null };
  const [first, last] = [data.x[0] ?? 0, data.x.at(-1) ?? 0];
  if (data.categories !== null) scale.range = () => [-0.5, data.x.length - 0.5];
  else if (data.bucket !== null) scale.range = () => [first, last + (data.bucket ?? 0)];
  else if (bars) scale.range = () => [first - leastGap(data.x) / 2, last + leastGap(data.x) / 2];
  return {
    width,
    height,
    series: series(data),
    axes: axes(data),
    scales: { x: scale, y: { range: (_, low, high) => [bars ? 0 : Math.min(0, low), high === low ? high + 1 : high * 1.05] } },
    legend: { show: data.bucket === null, live: true },
    cursor: { drag: { x: data.bucket !== null, y: false, setScale: false }, points: { show: data.kind === 'line' } },
    ...(utc.value ? { tzDate: (seconds: number) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC') } : {}),
    hooks: { setSelect: [(plot) => narrow(plot, data)] },
  };
}

function describe(data: ChartData, zone: boolean): string {
  const form = data.kind === 'bar' ? 'Bar chart' : 'Line chart';
  const ranges = data.series.map(({ label, values }) => {
    const numbers = values.filter((value) => value !== null);
    return `${label} from ${Math.min(...numbers)} to ${Math.max(...numbers)}`;
  });
  return `${form} of ${data.title}${beforeText(data, zone)}; ${ranges.join(', ')}. The table has the values.`;
}

// What is drawn: values, or of parts of a bar each one's sum with those after it, which are drawn over it.
function drawnValues({ series, stacked, before }: ChartData): (number | null)[][] {
  const drawn = series.map(({ values }) => [...values]);
  const line = before === undefined ? [] : [before];
  if (!stacked) return [...drawn, ...line];
  for (let part = drawn.length - 2; part >= 0; --part) {
    const above = drawn[part + 1] ?? [];
    drawn[part] = (drawn[part] ?? []).map((value, at) => (value ?? 0) + (above[at] ?? 0));
  }
  return [...drawn, ...line];
}

export function Chart({ data }: { data: ChartData }) {
  const host = useRef<HTMLDivElement>(null);
  const zone = utc.value;
  const colours = theme.value;
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    let plot: uPlot | null = null;
    const draw = () => {
      plot?.destroy();
      plot = new uPlot(options(data, element.clientWidth, Math.max(50, element.clientHeight - legendHeight(data, element.clientWidth))),
        [data.x, ...drawnValues(data)] as uPlot.AlignedData, element);
    };
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot?.destroy();
    };
  }, [data, zone, colours]);
  return <div class="chart" role="img" aria-label={describe(data, zone)} ref={host} />;
}
