import { failureText, type LastKnown, type Server } from '../api';
import { button, dot, form, h, message, refill, select, table } from '../dom';
import { count, localTime, metres, place, sourceName, utcTime } from '../format';
import { Latest } from '../load';
import type { LiveMap } from '../map';
import type { Store } from '../store';
import {
  indexAt,
  loadTrack,
  MOST_TRACKS,
  placeAt,
  toCsv,
  toGeoJson,
  toGpx,
  trackLayers,
  type Track,
} from '../track';

const HOUR = 3_600_000;
const RANGES = (
  [
    ['1 hour', 1],
    ['6 hours', 6],
    ['24 hours', 24],
    ['7 days', 7 * 24],
    ['30 days', 30 * 24],
  ] as const
).map(([name, hours]) => [String(hours * HOUR), name] as const);
const SPEEDS = [1, 10, 60, 300, 1000, 3600].map((times) => [String(times), `${count(times)}×`] as const);
const ROWS = 50;

/** The histories that the reader looks at: lines on the map, playback, a table, files. */
export function trackView(store: Store, server: Server, map: LiveMap): HTMLElement {
  const range = select({ id: 'track-range' }, RANGES);
  range.value = String(6 * HOUR);
  const said = message();
  const list = h('ul', { class: 'tracks' });
  const play = button('Play', () => toggle());
  const slider = h('input', {
    type: 'range',
    step: '1000',
    'aria-label': 'Time of playback',
    input: () => seek(Number(slider.value)),
  });
  const speed = select({ 'aria-label': 'Speed of playback' }, SPEEDS);
  speed.value = '60';
  const clock = h('p', { class: 'clock' });
  const playback = h('div', { class: 'playback' }, h('div', { class: 'row' }, play, speed, slider), clock);
  const records = h('div', { class: 'table' });
  const latest = new Latest();
  let tracks: Track[] = [];
  let device: LastKnown | null = null;
  let time: number | null = null;
  let frame = 0;
  let page = 0;

  const start = (): number => Math.min(...tracks.map(({ times }) => times[0] ?? Infinity));
  const end = (): number => Math.max(...tracks.map(({ times }) => times.at(-1) ?? -Infinity));
  const ownTrack = (): Track | undefined => tracks.find(({ user }) => user === device?.user);

  async function load({ user, ts }: LastKnown): Promise<void> {
    const others = tracks.filter((it) => it.user !== user);
    if (others.length >= MOST_TRACKS) {
      said.textContent = `Up to ${MOST_TRACKS} tracks at once: remove one first.`;
      return;
    }
    said.textContent = 'Loading …';
    // Of the device's own time, which may be long ago.
    const to = Date.parse(ts) + 1;
    await latest.run(
      async (signal) => {
        const track = await loadTrack(server, user, to - Number(range.value), to, others, signal);
        const n = track.sightings.length;
        said.textContent =
          n === 0
            ? 'No record in that time.'
            : track.isCut
              ? `The first ${count(n)} records: choose a shorter time for all.`
              : '';
        tracks = n === 0 ? others : [...others, track];
        page = 0;
        stop();
        time = null;
        map.fit(track.sightings);
        render();
      },
      (failure) => {
        said.textContent = failureText(failure, 'The history cannot be shown.', 'Try again.');
      },
    );
  }

  function toggle(): void {
    if (frame !== 0) {
      stop();
      return;
    }
    if (time === null || time >= end()) {
      time = start();
    }
    play.textContent = 'Pause';
    let before = performance.now();
    const step = (now: number): void => {
      const passed = (now - before) * Number(speed.value);
      before = now;
      seek(Math.min(end(), (time ?? start()) + passed));
      if ((time ?? 0) >= end()) {
        stop();
      } else {
        frame = requestAnimationFrame(step);
      }
    };
    frame = requestAnimationFrame(step);
  }

  function stop(): void {
    cancelAnimationFrame(frame);
    frame = 0;
    play.textContent = 'Play';
  }

  function seek(to: number): void {
    time = to;
    renderTime();
  }

  function remove(track: Track): void {
    tracks = tracks.filter((it) => it !== track);
    if (tracks.length === 0) {
      stop();
      time = null;
    }
    render();
  }

  function render(): void {
    list.replaceChildren(...tracks.map(line));
    playback.hidden = tracks.length === 0;
    if (tracks.length > 0) {
      slider.min = String(start());
      slider.max = String(end());
    }
    renderRecords();
    renderTime();
  }

  const line = (track: Track): HTMLElement =>
    h(
      'li',
      {},
      dot(track.colour),
      h('span', { class: 'id' }, track.user),
      h('small', {}, `${count(track.sightings.length)} records`),
      h(
        'div',
        { class: 'row' },
        saveButton(track, 'GeoJSON', 'geojson', 'application/geo+json', toGeoJson),
        saveButton(track, 'CSV', 'csv', 'text/csv', toCsv),
        saveButton(track, 'GPX', 'gpx', 'application/gpx+xml', toGpx),
        button('Remove', () => remove(track), { 'aria-label': `Remove the track of ${track.user}` }),
      ),
    );

  function renderRecords(): void {
    const track = ownTrack();
    if (track === undefined) {
      records.replaceChildren();
      return;
    }
    // The newest first, as a reader looks for them.
    const newest = [...track.sightings].reverse();
    const pages = Math.ceil(newest.length / ROWS);
    const turn = (step: number, name: string): HTMLButtonElement => {
      const turning = button(name, () => {
        page += step;
        renderRecords();
      });
      turning.disabled = page + step < 0 || page + step >= pages;
      return turning;
    };
    const lines = newest
      .slice(page * ROWS, (page + 1) * ROWS)
      .map(({ ts, loc, src, acc }) =>
        h(
          'tr',
          {},
          h('td', {}, button(localTime(ts), () => jump(ts), { class: 'plain', title: utcTime(ts) })),
          h('td', {}, loc ? place(loc) : 'unknown'),
          h('td', {}, src ?? '–', acc === undefined ? '' : ` ±${metres(acc)}`),
        ),
      );
    refill(
      records,
      table(`Records of ${track.user}, the newest first`, ['Time', 'Position', 'Source'], lines),
      pages > 1 &&
        h(
          'div',
          { class: 'row' },
          turn(-1, 'Newer'),
          h('span', { class: 'quiet' }, `${count(page + 1)} of ${count(pages)}`),
          turn(1, 'Older'),
        ),
    );
  }

  function jump(ts: string): void {
    stop();
    seek(Date.parse(ts));
    const track = ownTrack();
    const at = track && placeAt(track, Date.parse(ts));
    if (at) {
      map.goTo(...at);
    }
  }

  function renderTime(): void {
    map.setExtra('tracks', trackLayers(tracks, time));
    if (time === null) {
      clock.textContent = 'Play, or choose a time.';
      return;
    }
    slider.value = String(time);
    slider.setAttribute('aria-valuetext', localTime(time));
    const silent = silences(tracks, time);
    const lines = [`${localTime(time)} · ${utcTime(time)}`, ...(silent === '' ? [] : [silent])];
    clock.replaceChildren(...lines.flatMap((it) => [it, h('br')]));
  }

  store.watch(['device'], (now) => {
    if (now.device?.is === 'known') {
      const isOther = device?.user !== now.device.user;
      device = now.device.found;
      if (isOther) {
        said.textContent = '';
        page = 0;
        render();
      }
    }
  });
  render();
  return h(
    'section',
    { 'aria-label': 'History' },
    h('h3', {}, 'History'),
    form(
      { class: 'row' },
      () => {
        if (device !== null) {
          void load(device);
        }
      },
      h('label', { for: 'track-range' }, 'The last'),
      range,
      h('button', { type: 'submit' }, 'Show track'),
    ),
    said,
    list,
    playback,
    records,
  );
}

/** Which devices have no record near that time. */
const silences = (tracks: Track[], time: number): string =>
  tracks
    .filter((track) => placeAt(track, time) === null)
    .map((track) => {
      const last = track.sightings[indexAt(track, time)];
      return last === undefined
        ? `${track.user}: not yet seen`
        : `${track.user}: no record since ${localTime(last.ts)} (${sourceName(last.src)})`;
    })
    .join('; ');

const saveButton = (
  track: Track,
  name: string,
  ending: string,
  type: string,
  text: (track: Track) => string,
): HTMLButtonElement =>
  button(
    name,
    () => {
      const address = URL.createObjectURL(new Blob([text(track)], { type }));
      h('a', { href: address, download: `${track.user}.${ending}` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
    },
    { 'aria-label': `Save the track of ${track.user} as ${name}` },
  );
