import type { Place, Source } from './api';
import { h } from './dom';

export const SOURCES: Source[] = ['gnss', 'network', 'mlp', 'cell'];

export const SOURCE_NAMES: Record<Source, string> = {
  gnss: 'satellites',
  network: 'Wi-Fi and network',
  mlp: 'operator (MLP)',
  cell: 'cell tower',
};

/** Distinguishable without red and green, on the light and on the dark map. */
export const SOURCE_COLOURS: Record<Source, [number, number, number]> = {
  gnss: [33, 118, 214],
  network: [222, 122, 0],
  mlp: [160, 84, 204],
  cell: [14, 150, 136],
};

const local = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'medium',
});
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const number = new Intl.NumberFormat();

export const count = (n: number): string => number.format(n);

export type ResultState = 'open' | 'closed' | 'batch';

export const STATE_NAMES: Record<ResultState, string> = {
  open: 'open',
  closed: 'closed',
  batch: 'from History',
};

/** How complete the answer's numbers are. */
export interface Completeness {
  more: boolean;
  results: number;
  open: number;
  batch: number;
  newest?: string;
}

export const completeness = ({ results, open, batch }: Completeness): string =>
  `${count(results)} ${results === 1 ? 'number' : 'numbers'}: ${count(open)} open, ${count(results - open - batch)} closed, ${count(batch)} from History`;

/** What the answer's numbers lack. */
export interface Missing {
  tooLate?: number;
  tooLateFrom?: string;
  tooLateTo?: string;
  recordsLost?: number;
}

/** What the numbers lack and how to add it; empty if nothing is known to lack. */
export const missing = (answer: Missing, what: string): string =>
  ((answer.tooLate ?? 0) > 0
    ? ` Up to ${count(answer.tooLate ?? 0)} located records are missing in these numbers: they came too late. They are of ${answer.tooLateFrom} to ${answer.tooLateTo}. The command lastfix ${what} says how to add them from History.`
    : '') +
  ((answer.recordsLost ?? 0) > 0
    ? ` ${count(answer.recordsLost ?? 0)} located records are missing in the analytics job's numbers: Kafka deleted them before the job read them. lastfix analyze over the time since before the job fell behind adds them; what it has added is still counted here.`
    : '');

export const localTime = (ts: string | number): string => local.format(new Date(ts));

export const utcTime = (ts: string | number): string =>
  new Date(ts).toISOString().replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');

/** The reader's time with UTC beside. */
export function time(ts: string): HTMLElement {
  const element = h('time', { datetime: ts }, localTime(ts));
  return zone === 'UTC' ? element : h('span', {}, element, h('br'), h('small', {}, utcTime(ts)));
}

/** A time of numbers, which are of the whole of it once it has ended. */
export const rangeOf = (from: string, to: string): (Node | string)[] => [
  `${localTime(from)} to ${localTime(to)}`,
  h('br'),
  h('small', {}, `${utcTime(from)} to ${utcTime(to)}; it ends ${age(to)}`),
];

/** Whether a time is before another; a whole second has no fraction, and ends in Z right away. */
export const isBefore = (a: string, b: string): boolean => a.slice(0, -1) < b.slice(0, -1);

/** Seconds in the largest unit of which there are at least two, as the commands print them. */
export const span = (seconds: number): string =>
  seconds < 120
    ? `${seconds} s`
    : seconds < 120 * 60
      ? `${Math.floor(seconds / 60)} min`
      : seconds < 2 * 86_400
        ? `${Math.floor(seconds / 3600)} h`
        : `${count(Math.floor(seconds / 86_400))} days`;

export function age(ts: string, now = Date.now()): string {
  const seconds = Math.trunc((now - Date.parse(ts)) / 1000);
  return seconds < 0 ? 'in the future' : `${span(seconds)} ago`;
}

export const place = ({ lat, lon }: Place): string => `${lat.toFixed(6)}, ${lon.toFixed(6)}`;

export const metres = (m: number): string =>
  m < 10_000 ? `${count(Math.round(m))} m` : `${count(Math.round(m / 1000))} km`;

export const sourceName = (source: Source | undefined): string =>
  source === undefined ? 'unknown' : SOURCE_NAMES[source];

export const bytes = (n: number): string =>
  n < 1024
    ? `${count(n)} bytes`
    : n < 1024 * 1024
      ? `${count(Math.round(n / 1024))} KiB`
      : `${count(Math.round(n / 1024 / 1024))} MiB`;

export const millis = (n: number): string =>
  n < 1_000 ? `${count(n)} ms` : `${(n / 1_000).toFixed(1)} s`;

/** From few to many: yellow, orange, red, which one can tell apart in the dark, too. */
export function heat(share: number): [number, number, number] {
  const stops: [number, number, number][] = [
    [254, 217, 118],
    [253, 141, 60],
    [227, 26, 28],
    [128, 0, 38],
  ];
  const at = Math.max(0, Math.min(1, share)) * (stops.length - 1);
  const low = stops[Math.floor(at)] ?? [0, 0, 0];
  const high = stops[Math.ceil(at)] ?? low;
  const part = at - Math.floor(at);
  return [0, 1, 2].map((c) => Math.round((low[c] ?? 0) + part * ((high[c] ?? 0) - (low[c] ?? 0)))) as [
    number,
    number,
    number,
  ];
}
