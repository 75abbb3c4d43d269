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

// What <input type="datetime-local"> holds for an instant, and back.
export function toLocalInput(iso: string, utc: boolean): string {
  return iso === '' ? '' : timeText(Date.parse(iso), utc).slice(0, 19).replace(' ', 'T');
}

export function fromLocalInput(text: string, utc: boolean): string {
  if (text === '') return '';
  const date = new Date(utc ? text + 'Z' : text);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
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
  return steps.find((step) => spanSeconds / step <= 72) ?? 604800;
}

// "logquery-window": START/END; asked=START/END, with .. for an open end.
export function readWindow(header: string): (Bounds & { asked: string | null }) | null {
  const match = /^([^/;]+)\/([^/;]+)(?:;\s*asked=([^/;]+))?/.exec(header);
  if (match === null) return null;
  const end = (text: string | undefined) => (text === undefined || text === '..' ? null : text);
  return { from: end(match[1]), to: end(match[2]), asked: end(match[3]) };
}
