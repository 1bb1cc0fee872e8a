import { failureText, type LastKnown } from './api';
import { h } from './dom';
import { count, localTime, metres, place, sourceName, utcTime } from './format';
import type { LiveMap } from './map';
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
} from './track';

const HOUR = 3_600_000;
const RANGES: [string, number][] = [
  ['1 hour', HOUR],
  ['6 hours', 6 * HOUR],
  ['24 hours', 24 * HOUR],
  ['7 days', 7 * 24 * HOUR],
  ['30 days', 30 * 24 * HOUR],
];
const SPEEDS = [1, 10, 60, 300, 1000, 3600];
const ROWS = 50;

/** The histories that the reader looks at: lines on the map, playback, a table, files. */
export class TrackPanel {
  readonly element = h('section', { 'aria-label': 'History' });
  private readonly range = h(
    'select',
    { id: 'track-range' },
    ...RANGES.map(([name, millis]) => h('option', { value: String(millis) }, name)),
  );
  private readonly message = h('p', { role: 'status', class: 'quiet' });
  private readonly list = h('ul', { class: 'tracks' });
  private readonly play = h('button', { type: 'button', click: () => this.toggle() }, 'Play');
  private readonly slider = h('input', {
    type: 'range',
    step: '1000',
    'aria-label': 'Time of playback',
    input: () => this.seek(Number(this.slider.value)),
  });
  private readonly speed = h(
    'select',
    { 'aria-label': 'Speed of playback' },
    ...SPEEDS.map((times) => h('option', { value: String(times) }, `${count(times)}×`)),
  );
  private readonly clock = h('p', { class: 'clock' });
  private readonly playback = h(
    'div',
    { class: 'playback' },
    h('div', { class: 'row' }, this.play, this.speed, this.slider),
    this.clock,
  );
  private readonly table = h('div', { class: 'table' });
  private tracks: Track[] = [];
  private device: LastKnown | null = null;
  private loading: AbortController | null = null;
  private time: number | null = null;
  private frame = 0;
  private lastFrame = 0;
  private page = 0;

  constructor(private readonly map: LiveMap) {
    this.range.value = String(6 * HOUR);
    this.speed.value = '60';
    this.element.append(
      h('h3', {}, 'History'),
      h(
        'form',
        {
          class: 'row',
          submit: (event) => {
            event.preventDefault();
            void this.load();
          },
        },
        h('label', { for: 'track-range' }, 'The last'),
        this.range,
        h('button', { type: 'submit' }, 'Show track'),
      ),
      this.message,
      this.list,
      this.playback,
      this.table,
    );
    this.render();
  }

  show(device: LastKnown): void {
    if (this.device?.user !== device.user) {
      this.message.textContent = '';
      this.page = 0;
      this.device = device;
      this.render();
    }
    this.device = device;
  }

  private async load(): Promise<void> {
    const { device } = this;
    if (device === null) {
      return;
    }
    const others = this.tracks.filter(({ user }) => user !== device.user);
    if (others.length >= MOST_TRACKS) {
      this.message.textContent = `Up to ${MOST_TRACKS} tracks at once: remove one first.`;
      return;
    }
    this.loading?.abort();
    const mine = new AbortController();
    this.loading = mine;
    this.message.textContent = 'Loading …';
    // Of the device's own time, which may be long ago.
    const to = Date.parse(device.ts) + 1;
    try {
      const track = await loadTrack(
        device.user,
        to - Number(this.range.value),
        to,
        others,
        mine.signal,
      );
      this.message.textContent =
        track.sightings.length === 0
          ? 'No record in that time.'
          : track.isCut
            ? `The first ${count(track.sightings.length)} records: choose a shorter time for all.`
            : '';
      this.tracks = track.sightings.length === 0 ? others : [...others, track];
      this.page = 0;
      this.stop();
      this.time = null;
      this.map.fit(track.sightings);
      this.render();
    } catch (failure) {
      if (!mine.signal.aborted) {
        this.message.textContent = failureText(
          failure,
          'The history cannot be shown.',
          'Try again.',
        );
      }
    }
  }

  private get start(): number {
    return Math.min(...this.tracks.map(({ times }) => times[0] ?? Infinity));
  }

  private get end(): number {
    return Math.max(...this.tracks.map(({ times }) => times[times.length - 1] ?? -Infinity));
  }

  private toggle(): void {
    if (this.frame !== 0) {
      this.stop();
      return;
    }
    if (this.time === null || this.time >= this.end) {
      this.time = this.start;
    }
    this.play.textContent = 'Pause';
    this.lastFrame = performance.now();
    const step = (now: number): void => {
      this.time = Math.min(
        this.end,
        (this.time ?? this.start) + (now - this.lastFrame) * Number(this.speed.value),
      );
      this.lastFrame = now;
      this.drawTime();
      if (this.time >= this.end) {
        this.stop();
      } else {
        this.frame = requestAnimationFrame(step);
      }
    };
    this.frame = requestAnimationFrame(step);
  }

  private stop(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.play.textContent = 'Play';
  }

  private seek(time: number): void {
    this.time = time;
    this.drawTime();
  }

  private remove(track: Track): void {
    this.tracks = this.tracks.filter((it) => it !== track);
    if (this.tracks.length === 0) {
      this.stop();
      this.time = null;
    }
    this.render();
  }

  private render(): void {
    this.list.replaceChildren(
      ...this.tracks.map((track) => {
        const dot = h('span', { class: 'dot' });
        dot.style.backgroundColor = `rgb(${track.colour.join(',')})`;
        return h(
          'li',
          {},
          dot,
          h('span', { class: 'id' }, track.user),
          h('small', {}, `${count(track.sightings.length)} records`),
          h(
            'div',
            { class: 'row' },
            this.file(track, 'GeoJSON', 'geojson', 'application/geo+json', toGeoJson),
            this.file(track, 'CSV', 'csv', 'text/csv', toCsv),
            this.file(track, 'GPX', 'gpx', 'application/gpx+xml', toGpx),
            h(
              'button',
              {
                type: 'button',
                'aria-label': `Remove the track of ${track.user}`,
                click: () => this.remove(track),
              },
              'Remove',
            ),
          ),
        );
      }),
    );
    const hasTracks = this.tracks.length > 0;
    this.playback.hidden = !hasTracks;
    if (hasTracks) {
      this.slider.min = String(this.start);
      this.slider.max = String(this.end);
    }
    this.renderTable();
    this.drawTime();
  }

  private file(
    track: Track,
    name: string,
    ending: string,
    type: string,
    text: (track: Track) => string,
  ): HTMLButtonElement {
    return h(
      'button',
      {
        type: 'button',
        'aria-label': `Save the track of ${track.user} as ${name}`,
        click: () => {
          const address = URL.createObjectURL(new Blob([text(track)], { type }));
          h('a', { href: address, download: `${track.user}.${ending}` }).click();
          setTimeout(() => URL.revokeObjectURL(address), 10_000);
        },
      },
      name,
    );
  }

  private renderTable(): void {
    const track = this.tracks.find(({ user }) => user === this.device?.user);
    if (track === undefined) {
      this.table.replaceChildren();
      return;
    }
    // The newest first, as a reader looks for them.
    const newest = [...track.sightings].reverse();
    const pages = Math.ceil(newest.length / ROWS);
    const turn = (step: number, name: string): HTMLButtonElement => {
      const button = h(
        'button',
        {
          type: 'button',
          click: () => {
            this.page += step;
            this.renderTable();
          },
        },
        name,
      );
      button.disabled = this.page + step < 0 || this.page + step >= pages;
      return button;
    };
    this.table.replaceChildren(
      h(
        'table',
        {},
        h('caption', {}, `Records of ${track.user}, the newest first`),
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            ...['Time', 'Position', 'Source'].map((name) => h('th', { scope: 'col' }, name)),
          ),
        ),
        h(
          'tbody',
          {},
          ...newest.slice(this.page * ROWS, (this.page + 1) * ROWS).map((it) =>
            h(
              'tr',
              {},
              h(
                'td',
                {},
                h(
                  'button',
                  {
                    type: 'button',
                    class: 'plain',
                    title: utcTime(it.ts),
                    click: () => this.jump(it.ts),
                  },
                  localTime(it.ts),
                ),
              ),
              h('td', {}, it.loc ? place(it.loc) : 'unknown'),
              h(
                'td',
                {},
                it.src ?? '–',
                it.acc === undefined ? '' : ` ±${metres(it.acc)}`,
              ),
            ),
          ),
        ),
      ),
      pages > 1 &&
        h(
          'div',
          { class: 'row' },
          turn(-1, 'Newer'),
          h('span', { class: 'quiet' }, `${count(this.page + 1)} of ${count(pages)}`),
          turn(1, 'Older'),
        ) || '',
    );
  }

  private jump(ts: string): void {
    this.stop();
    this.seek(Date.parse(ts));
    const track = this.tracks.find(({ user }) => user === this.device?.user);
    const at = track && placeAt(track, Date.parse(ts));
    if (at) {
      this.map.goTo(at[0], at[1]);
    }
  }

  private drawTime(): void {
    this.map.setExtra('tracks', trackLayers(this.tracks, this.time));
    if (this.time === null) {
      this.clock.textContent = 'Play, or choose a time.';
      return;
    }
    const time = this.time;
    this.slider.value = String(time);
    this.slider.setAttribute('aria-valuetext', localTime(time));
    const silent = this.tracks.filter((track) => placeAt(track, time) === null);
    const lines = [`${localTime(time)} · ${utcTime(time)}`];
    if (silent.length > 0) {
      lines.push(
        silent
          .map((track) => {
            const last = track.sightings[indexAt(track, time)];
            return last === undefined
              ? `${track.user}: not yet seen`
              : `${track.user}: no record since ${localTime(last.ts)} (${sourceName(last.src)})`;
          })
          .join('; '),
      );
    }
    this.clock.replaceChildren(...lines.flatMap((line) => [line, h('br')]));
  }
}
