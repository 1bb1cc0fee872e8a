import { ArcLayer, PolygonLayer } from '@deck.gl/layers';
import type { Layer } from '@deck.gl/core';
import { failureText, get, Refusal } from './api';
import { areaOf, type Area } from './area';
import { isDark } from './basemap';
import { h, rows } from './dom';
import { age, type Completeness, completeness, count, heat, localTime, type Missing, missing, place, utcTime } from './format';
import type { LiveMap } from './map';

export type ResultState = 'open' | 'closed' | 'batch';

export const STATE_NAMES: Record<ResultState, string> = {
  open: 'open',
  closed: 'closed',
  batch: 'from History',
};

interface Answer extends Completeness, Missing {
  at?: string;
  from?: string;
  to?: string;
  withheld: number;
}

interface Level {
  w: string;
  k: string;
  n?: number;
  state: ResultState;
}

interface Flow {
  w: string;
  from: string;
  to: string;
  n?: number;
  devices?: number;
  state: ResultState;
}

const REFRESH_MILLIS = 10_000;
const MOST_ROWS = 50;
const MOST_AREAS = 2_000;
const MOST_FLOWS = 500;

/** Numbers of places, in a table and, if the places are areas, on the map. */
abstract class PlacesPanel<T> {
  readonly element = h('div', {});
  protected readonly by: HTMLSelectElement;
  protected readonly controls = h('div', { class: 'row' });
  private readonly message = h('p', { role: 'status', class: 'quiet' });
  private readonly note = h('p', { class: 'quiet' });
  private readonly table = h('div', { class: 'table' });
  private timer = 0;
  private loading: AbortController | null = null;

  protected constructor(
    protected readonly map: LiveMap,
    private readonly name: string,
  ) {
    this.by = h(
      'select',
      { 'aria-label': 'What the places are', change: () => this.choose() },
      h('option', { value: 'area' }, 'by area'),
      h('option', { value: 'cell' }, 'by cell'),
    );
    this.controls.append(this.by);
    this.element.append(this.controls, this.message, this.note, this.table);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      if (this.timer !== 0) {
        this.choose();
      }
    });
  }

  protected abstract path(): string;
  protected abstract found(answer: Answer): T[];
  protected abstract layers(found: T[]): Layer[];
  protected abstract columns(): string[];
  protected abstract cells(it: T): (Node | string)[];
  protected abstract none(): string;
  /** About what is on the map. */
  protected abstract hint(): string;

  /** Loads, and draws on the map, while it is shown. */
  show(isShown: boolean): void {
    clearTimeout(this.timer);
    this.timer = 0;
    this.loading?.abort();
    if (isShown) {
      void this.load();
    } else {
      this.map.setExtra(this.name, []);
    }
  }

  protected choose(): void {
    this.table.replaceChildren();
    this.note.textContent = '';
    this.message.textContent = 'Loading …';
    this.show(true);
  }

  private async load(): Promise<void> {
    const mine = new AbortController();
    this.loading = mine;
    try {
      this.render(await get<Answer>(`${this.path()}&by=${this.by.value}`, mine.signal));
    } catch (failure) {
      if (mine.signal.aborted) {
        return;
      }
      this.message.textContent = failureText(
        failure,
        'The numbers cannot be shown.',
        'Trying again.',
      );
      if (failure instanceof Refusal) {
        this.table.replaceChildren();
        this.note.textContent = '';
        this.map.setExtra(this.name, []);
      }
    }
    this.timer = window.setTimeout(() => void this.load(), REFRESH_MILLIS);
  }

  private render(answer: Answer): void {
    const found = this.found(answer);
    this.message.replaceChildren(...when(answer));
    this.note.textContent =
      answer.results === 0
        ? `${this.none()}${missing(answer, this.name)}`
        : `${completeness(answer)}; ${count(answer.withheld)} withheld, because their groups are too small.` +
          (this.by.value === 'cell'
            ? ' Cells are not on the map: these numbers do not know where they are.'
            : this.hint()) +
          missing(answer, this.name);
    this.map.setExtra(this.name, this.by.value === 'area' ? this.layers(found) : []);
    const focused = (document.activeElement as HTMLElement | null)?.dataset['user'];
    this.table.replaceChildren(
      found.length === 0
        ? ''
        : h(
            'table',
            {},
            h('caption', {}, found.length > MOST_ROWS ? `The ${MOST_ROWS} with the most` : ''),
            h(
              'thead',
              {},
              h('tr', {}, ...this.columns().map((name) => h('th', { scope: 'col' }, name))),
            ),
            h(
              'tbody',
              {},
              ...found
                .slice(0, MOST_ROWS)
                .map((it) => h('tr', {}, ...this.cells(it).map((cell) => h('td', {}, cell)))),
            ),
          ),
    );
    if (focused !== undefined) {
      this.table.querySelector<HTMLElement>(`[data-user="${CSS.escape(focused)}"]`)?.focus();
    }
  }
}

function when({ at, from, to }: Answer): (Node | string)[] {
  if (at !== undefined) {
    return [`At ${localTime(at)}, ${age(at)}`, h('br'), h('small', {}, utcTime(at))];
  }
  const isOpen = to !== undefined && to.startsWith('9999');
  return from === undefined || to === undefined
    ? []
    : [
        `${localTime(from)} ${isOpen ? 'and later' : `to ${localTime(to)}`}`,
        h('br'),
        h('small', {}, isOpen ? utcTime(from) : `${utcTime(from)} to ${utcTime(to)}; it ends ${age(to)}`),
      ];
}

const number = (n: number | undefined): string => (n === undefined ? 'withheld' : count(n));

/** A place's name; if it is an area, a button that shows it on the map. */
export function placeButton(map: LiveMap, name: string): HTMLElement {
  const area = areaOf(name);
  return area === null
    ? h('span', { class: 'id' }, name)
    : h(
        'button',
        {
          type: 'button',
          class: 'plain id',
          'data-user': name,
          title: place({ lon: area.centre[0], lat: area.centre[1] }),
          click: () => map.goTo(area.centre[0], area.centre[1]),
        },
        name,
      );
}

interface Drawn<T> {
  it: T;
  area: Area;
  title: string;
}

/** How many devices are where. */
export class DensityPanel extends PlacesPanel<Level> {
  private readonly at = h('input', {
    type: 'datetime-local',
    step: '1',
    'aria-label': 'At this time of your zone; empty: the newest',
    change: () => this.choose(),
  });
  private readonly scale = h('div', { class: 'scale', hidden: '' });

  constructor(map: LiveMap) {
    super(map, 'density');
    this.controls.append(
      h('label', {}, 'at ', this.at),
      h(
        'button',
        {
          type: 'button',
          click: () => {
            this.at.value = '';
            this.choose();
          },
        },
        'Newest',
      ),
    );
    const bar = h('span', { class: 'bar' });
    bar.style.background = `linear-gradient(90deg, ${[0, 1 / 3, 2 / 3, 1].map((it) => `rgb(${heat(it).join(',')})`).join(', ')})`;
    this.scale.append(h('span', {}, '1'), bar, h('span', { class: 'most' }));
    this.controls.after(this.scale);
  }

  protected path(): string {
    const at = this.at.value === '' ? '' : `&at=${new Date(this.at.value).toISOString()}`;
    return `v1/density?limit=${MOST_AREAS}${at}`;
  }

  protected found(answer: Answer): Level[] {
    return (answer as Answer & { density: Level[] }).density;
  }

  protected layers(found: Level[]): Layer[] {
    const most = Math.max(1, ...found.map(({ n }) => n ?? 0));
    this.scale.hidden = found.length === 0;
    const label = this.scale.querySelector('.most');
    if (label !== null) {
      label.textContent = `${count(most)} devices`;
    }
    const data = found.flatMap((it): Drawn<Level>[] => {
      const area = areaOf(it.k);
      const title = `${it.n === undefined ? 'number withheld' : `${count(it.n)} devices`}, ${STATE_NAMES[it.state]}\n${it.k}`;
      return area === null ? [] : [{ it, area, title }];
    });
    return [
      new PolygonLayer<Drawn<Level>>({
        id: 'density',
        data,
        getPolygon: ({ area }) => area.outline,
        getFillColor: ({ it: { n } }) =>
          n === undefined
            ? isDark()
              ? [160, 170, 180, 40]
              : [90, 100, 110, 40]
            : [...heat(Math.sqrt(n / most)), 170],
        stroked: true,
        getLineColor: isDark() ? [255, 255, 255, 60] : [0, 0, 0, 50],
        lineWidthUnits: 'pixels',
        getLineWidth: 1,
        pickable: true,
      }),
    ];
  }

  protected columns(): string[] {
    return ['Place', 'Devices', 'State'];
  }

  protected cells({ k, n, state }: Level): (Node | string)[] {
    return [placeButton(this.map, k), number(n), STATE_NAMES[state]];
  }

  protected none(): string {
    return 'Nobody is anywhere, as far as is known.';
  }

  protected hint(): string {
    return ' Those are grey on the map.';
  }
}

const SPANS = ['1h', '6h', '24h', '7d'];

interface Arc {
  it: Flow;
  from: [number, number];
  to: [number, number];
  title: string;
}

/** From where to where devices moved. */
export class FlowsPanel extends PlacesPanel<Flow> {
  private readonly span = h(
    'select',
    { 'aria-label': 'Time before the newest hour', change: () => this.choose() },
    ...SPANS.map((span) => h('option', { value: span }, span)),
  );

  constructor(map: LiveMap) {
    super(map, 'flows');
    this.span.value = '24h';
    this.controls.append(h('span', {}, 'of the last'), this.span);
  }

  protected path(): string {
    return `v1/flows?limit=${MOST_FLOWS}&last=${this.span.value}`;
  }

  protected found(answer: Answer): Flow[] {
    return (answer as Answer & { flows: Flow[] }).flows;
  }

  protected layers(found: Flow[]): Layer[] {
    const most = Math.max(1, ...found.map(({ n }) => n ?? 0));
    const data = found.flatMap((it): Arc[] => {
      const from = areaOf(it.from);
      const to = areaOf(it.to);
      // Hundreds of lines without a number would hide those that have one.
      return from === null || to === null || it.n === undefined
        ? []
        : [
            {
              it,
              from: from.centre,
              to: to.centre,
              title: `${count(it.n)} moves of ${number(it.devices)} devices, ${STATE_NAMES[it.state]}\n${it.from} to ${it.to}, ${localTime(it.w)}`,
            },
          ];
    });
    return [
      // The least below, so that the greatest are seen.
      new ArcLayer<Arc>({
        id: 'flows',
        data: data.reverse(),
        getSourcePosition: ({ from }) => from,
        getTargetPosition: ({ to }) => to,
        getSourceColor: [33, 118, 214, 200],
        getTargetColor: [227, 26, 28, 220],
        widthUnits: 'pixels',
        getWidth: ({ it: { n } }) => 1.5 + 5 * Math.sqrt((n ?? 0) / most),
        // The map is seen from above, so the arcs lie on it; there and back take different sides.
        getHeight: 0.4,
        getTilt: 60,
        pickable: true,
      }),
    ];
  }

  protected columns(): string[] {
    return ['From', 'To', 'Moves', 'State'];
  }

  protected cells({ from, to, n, devices, state, w }: Flow): (Node | string)[] {
    return [
      placeButton(this.map, from),
      placeButton(this.map, to),
      n === undefined ? 'withheld' : `${count(n)} of ${number(devices)} devices`,
      h('span', { title: `${localTime(w)} and an hour` }, STATE_NAMES[state]),
    ];
  }

  protected none(): string {
    return 'Nobody moved in that time.';
  }

  protected hint(): string {
    return ' An arc on the map goes from blue to red; withheld flows have none.';
  }
}

interface Stay {
  k: string;
  begin: string;
  end?: string;
  ended: 'open' | 'left' | 'absent';
  state: ResultState;
}

interface Trip {
  from: string;
  to: string;
  begin: string;
  end: string;
  via: number;
  state: ResultState;
}

const ENDS: Record<Stay['ended'], string> = {
  open: 'has not ended',
  left: 'then left',
  absent: 'then absent',
};
const MOST_STAYS = 100;

/** Where one device stayed, and its trips between. */
export class StaysPanel {
  readonly element = h('section', { 'aria-label': 'Stays' });
  private readonly by = h(
    'select',
    { 'aria-label': 'What the places of stays are', change: () => void this.load() },
    h('option', { value: 'area' }, 'by area'),
    h('option', { value: 'cell' }, 'by cell'),
  );
  private readonly span = h(
    'select',
    { 'aria-label': 'Time before its newest stay', change: () => void this.load() },
    ...['24h', '7d', '30d', '366d'].map((span) => h('option', { value: span }, `last ${span}`)),
  );
  private readonly body = h('div', { class: 'table', role: 'status' });
  private user: string | null = null;
  private loading: AbortController | null = null;

  constructor(private readonly map: LiveMap) {
    this.span.value = '7d';
    this.element.append(
      h('h3', {}, 'Stays and trips'),
      h('div', { class: 'row' }, this.by, this.span),
      this.body,
    );
  }

  /** Loads, if it is another device. */
  show(user: string): void {
    if (this.user !== user) {
      this.user = user;
      this.body.replaceChildren();
      void this.load();
    }
  }

  private async load(): Promise<void> {
    const { user } = this;
    this.loading?.abort();
    const mine = new AbortController();
    this.loading = mine;
    if (user === null) {
      return;
    }
    const query = `${encodeURIComponent(user)}?by=${this.by.value}&last=${this.span.value}&limit=${MOST_STAYS}`;
    try {
      const answer = await get<{ stays: Stay[]; more: boolean } & Missing>(
        `v1/stays/${query}`,
        mine.signal,
      );
      const trips = await get<{ trips: Trip[] }>(`v1/trips/${query}`, mine.signal).then(
        (answer) => answer.trips,
        (failure: unknown) => {
          if (failure instanceof Refusal && failure.status === 404) {
            return [];
          }
          throw failure;
        },
      );
      const lacks = missing(answer, 'stays');
      this.body.replaceChildren(
        ...this.view(answer.stays, trips, answer.more),
        ...(lacks === '' ? [] : [h('p', { class: 'quiet' }, lacks)]),
      );
    } catch (failure) {
      if (!mine.signal.aborted) {
        this.body.replaceChildren(
          h(
            'p',
            { class: 'quiet' },
            failure instanceof Refusal
              ? failure.detail
              : 'The stays cannot be shown: the console’s server does not answer.',
          ),
        );
      }
    }
  }

  private view(stays: Stay[], trips: Trip[], more: boolean): Node[] {
    if (stays.length === 0) {
      return [h('p', { class: 'quiet' }, 'No stay in that time.')];
    }
    const after = new Map(trips.map((trip) => [trip.begin, trip]));
    return [
      h(
        'ul',
        { class: 'stays' },
        ...[...stays].reverse().map((stay) => {
          const trip = stay.end === undefined ? undefined : after.get(stay.end);
          return h(
            'li',
            {},
            placeButton(this.map, stay.k),
            rows([
              ['From', [localTime(stay.begin), h('br'), h('small', {}, utcTime(stay.begin))]],
              [
                'To',
                stay.end === undefined
                  ? ENDS.open
                  : [`${localTime(stay.end)}, ${ENDS[stay.ended]}`, h('br'), h('small', {}, utcTime(stay.end))],
              ],
              ...(trip
                ? [
                    [
                      'Trip',
                      [
                        'to ',
                        placeButton(this.map, trip.to),
                        `, ${minutes(trip)}, by ${count(trip.via)} ${trip.via === 1 ? 'place' : 'places'}`,
                      ],
                    ] as [string, (Node | string)[]],
                  ]
                : []),
              ['State', STATE_NAMES[stay.state]],
            ]),
          );
        }),
      ),
      ...(more ? [h('p', { class: 'quiet' }, `The first ${MOST_STAYS} of that time.`)] : []),
    ];
  }
}

const minutes = ({ begin, end }: Trip): string =>
  `${count(Math.round((Date.parse(end) - Date.parse(begin)) / 60_000))} min`;
