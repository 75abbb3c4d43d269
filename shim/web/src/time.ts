// Times: presets and ranges that a call is made with, and how instants are shown in the viewer's zone or UTC.

export type Range = { preset: string } | { from: string; to: string };

export interface Preset {
  id: string;
  label: string;
  seconds: number;
}

export const presets: Preset[] = [
  { id: '15m', label: 'Last 15 minutes', seconds: 900 },
  { id: '1h', label: 'Last hour', seconds: 3600 },
  { id: '6h', label: 'Last 6 hours', seconds: 21600 },
  { id: '24h', label: 'Last 24 hours', seconds: 86400 },
  { id: '3d', label: 'Last 3 days', seconds: 259200 },
  { id: '7d', label: 'Last 7 days', seconds: 604800 },
  { id: '30d', label: 'Last 30 days', seconds: 2592000 },
  { id: 'all', label: 'All that is kept', seconds: 0 },
];

export const defaultRange: Range = { preset: '24h' };

// A range as a link or the browser's storage has it, where anything may stand; the default one if that is no range.
export function toRange(value: unknown): Range {
  const range = (value ?? {}) as { preset?: unknown; from?: unknown; to?: unknown };
  const preset = presets.find((known) => known.id === range.preset);
  if (preset !== undefined) return { preset: preset.id };
  const isBound = (text: unknown): text is string => typeof text === 'string' && (text === '' || !Number.isNaN(Date.parse(text)));
  return isBound(range.from) && isBound(range.to) ? { from: range.from, to: range.to } : defaultRange;
}

export interface Bounds {
  from: string | null;
  to: string | null;
}

export function boundsOf(range: Range, now: Date): Bounds {
  if (!('preset' in range)) return { from: range.from || null, to: range.to || null };
  const preset = presets.find((known) => known.id === range.preset);
  if (preset === undefined || preset.seconds === 0) return { from: null, to: null };
  return { from: new Date(now.getTime() - preset.seconds * 1000).toISOString(), to: null };
}

// The range itself if this instant is in it, else the shortest preset that has the instant.
export function rangeWith(range: Range, instant: number | null, now: Date): Range {
  const { from } = boundsOf(range, now);
  if (instant === null || from === null || Date.parse(from) <= instant) return range;
  return { preset: presets.find(({ seconds }) => seconds > 0 && now.getTime() - seconds * 1000 < instant)?.id ?? 'all' };
}

// How many seconds a range spans; null for one without a start.
export function spanOf(range: Range, now: Date): number | null {
  const { from, to } = boundsOf(range, now);
  return from === null ? null : Math.max(0, ((to === null ? now.getTime() : Date.parse(to)) - Date.parse(from)) / 1000);
}

// The range from `span` milliseconds before an instant to as long after it, and no later than now; an instant that is later ends it.
export function rangeAround(instant: number, span: number, now: number): { from: string; to: string } {
  const iso = (at: number) => new Date(at).toISOString();
  return { from: iso(instant - span), to: iso(Math.min(instant + span, Math.max(now, Math.ceil(instant)))) };
}

export function rangeLabel(range: Range, utc: boolean): string {
  if ('preset' in range) return presets.find((known) => known.id === range.preset)?.label ?? range.preset;
  const text = (iso: string) => (iso === '' ? '…' : timeText(Date.parse(iso), utc).slice(0, 16));
  return `${text(range.from)} – ${text(range.to)}`;
}

const two = (value: number) => String(value).padStart(2, '0');

// "2026-11-23 18:04:05.123" in the zone that is asked for.
export function timeText(milliseconds: number, utc: boolean): string {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return 'no time';
  if (utc) return date.toISOString().slice(0, 23).replace('T', ' ');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return `${day} ${clock}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

// What a field for a time holds for an instant: "2026-11-25 14:05", with seconds where there are any.
export function fieldText(iso: string, utc: boolean): string {
  return iso === '' ? '' : timeText(Date.parse(iso), utc).slice(0, 19).replace(/:00$/, '');
}

// The instant that somebody wrote into such a field, as ISO text; a date alone is its midnight, and no text no bound. Null for text
// that is no time.
export function readField(text: string, utc: boolean): string | null {
  const match = /^\s*(?:(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:\s+|T)(\d{1,2}):(\d\d)(?::(\d\d))?)?)?\s*$/.exec(text);
  if (match === null) return null;
  if (match[1] === undefined) return '';
  const [year, month, day, hour, minute, second] = match.slice(1).map((part) => Number(part ?? 0)) as [number, number, number, number, number, number];
  const date = utc ? new Date(Date.UTC(year, month - 1, day, hour, minute, second)) : new Date(year, month - 1, day, hour, minute, second);
  // A thirteenth month would become one of the next year.
  return month < 13 && date[utc ? 'getUTCDate' : 'getDate']() === day && hour < 24 && minute < 60 && second < 60 ? date.toISOString() : null;
}

// The milliseconds of a value in a time column: microseconds since 1970, or ISO text that is in UTC.
export function timeOf(value: unknown): number | null {
  if (typeof value === 'number') return value / 1000;
  if (typeof value !== 'string') return null;
  if (/^-?[0-9]{11,}$/.test(value)) return Number(value) / 1000;
  const iso = /^\d{4}-\d\d-\d\d$/.test(value) ? value + 'T00:00:00Z' : /[zZ]|[+-]\d\d:?\d\d$/.test(value) ? value : value + 'Z';
  const milliseconds = Date.parse(iso);
  return Number.isNaN(milliseconds) ? null : milliseconds;
}

const steps = [1, 5, 10, 30, 60, 300, 600, 900, 1800, 3600, 10800, 21600, 43200, 86400];

// The bucket, in seconds, that divides a span into some 60 parts.
export function bucketSeconds(spanSeconds: number): number {
  return steps.find((step) => spanSeconds / step <= 72) ?? 604800 * Math.ceil(spanSeconds / 604800 / 72);
}

// Where a chart of rows without a given end stops: now, unless the rows ended so long ago that they would be a sliver of it.
export function endOfSpan(first: number, last: number, now: number): number {
  return now - last <= last - first ? Math.max(now, last) : last;
}

// "logquery-window": START/END; asked=START/END, with .. for an open end.
export function readWindow(header: string): (Bounds & { asked: string | null }) | null {
  const match = /^([^/;]+)\/([^/;]+)(?:;\s*asked=([^/;]+))?/.exec(header);
  if (match === null) return null;
  const end = (text: string | undefined) => (text === undefined || text === '..' ? null : text);
  return { from: end(match[1]), to: end(match[2]), asked: end(match[3]) };
}

// The start that retention moved, in milliseconds since 1970, by more than the moment between two clocks; null where it moved none.
export function startCut(header: string | null): number | null {
  const window = header === null ? null : readWindow(header);
  if (window === null || window.from === null) return null;
  const from = Date.parse(window.from);
  return window.asked === null || from - Date.parse(window.asked) > 60_000 ? from : null;
}

// The window that applied to an answer: what its header says, else what was asked for.
export function appliedWindow(header: string | null, asked: Bounds): Bounds {
  const window = header === null ? null : readWindow(header);
  return { from: window?.from ?? asked.from, to: window?.to ?? asked.to };
}
