import { ArcLayer, PolygonLayer } from '@deck.gl/layers';
import type { Layer } from '@deck.gl/core';
import { failureText, Refusal, type Server } from '../api';
import { areaOf, type Area } from '../area';
import { button, h, isDark, message, onOtherScheme, quiet, refill, select, table } from '../dom';
import {
  age,
  type Completeness,
  completeness,
  count,
  heat,
  localTime,
  type Missing,
  missing,
  place,
  rangeOf,
  type ResultState,
  STATE_NAMES,
  utcTime,
} from '../format';
import { repeated } from '../load';
import type { LiveMap } from '../map';
import type { Store } from '../store';

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

/** What a place's numbers are of: S2 areas, which are on the map, or cells. */
export const PLACES = [
  ['area', 'by area'],
  ['cell', 'by cell'],
] as const;

const REFRESH_MILLIS = 10_000;
const MOST_ROWS = 50;
const MOST_AREAS = 2_000;
const MOST_FLOWS = 500;

/** One kind of numbers of places. */
interface Kind<T> {
  readonly name: 'density' | 'flows';
  readonly controls: (Node | string)[];
  readonly columns: string[];
  /** What is said if there are none. */
  readonly none: string;
  /** About what is on the map. */
  readonly hint: string;
  path(): string;
  found(answer: Answer): T[];
  layers(found: T[]): Layer[];
  cells(it: T): (Node | string)[];
}

/**
 * Numbers of places, in a table and, if the places are areas, on the map.
 *
 * @param kindOf is given what its controls do when the reader changes them
 */
function placesView<T>(store: Store, server: Server, map: LiveMap, kindOf: (choose: () => void) => Kind<T>): HTMLElement {
  const kind = kindOf(() => choose());
  const { name } = kind;
  const by = select({ 'aria-label': 'What the places are', change: () => choose() }, PLACES);
  const said = message();
  const note = quiet();
  const found = h('div', { class: 'table' });
  let isShown = false;

  const load = repeated(
    REFRESH_MILLIS,
    async (signal) => render(await server.get<Answer>(`${kind.path()}&by=${by.value}`, signal)),
    (failure) => {
      said.textContent = failureText(failure, 'The numbers cannot be shown.', 'Trying again.');
      if (failure instanceof Refusal) {
        found.replaceChildren();
        note.textContent = '';
        map.setExtra(name, []);
      }
    },
  );
  store.whileShown(
    ({ tab, numbers }) => tab === 'numbers' && numbers === name,
    (is) => {
      isShown = is;
      load(is);
      if (!is) {
        map.setExtra(name, []);
      }
    },
  );
  onOtherScheme(() => {
    if (isShown) {
      choose();
    }
  });

  function choose(): void {
    found.replaceChildren();
    note.textContent = '';
    said.textContent = 'Loading …';
    load(true);
  }

  function render(answer: Answer): void {
    const all = kind.found(answer);
    said.replaceChildren(...when(answer));
    note.textContent =
      answer.results === 0
        ? `${kind.none}${missing(answer, name)}`
        : `${completeness(answer)}; ${count(answer.withheld)} withheld, because their groups are too small.` +
          (by.value === 'cell'
            ? ' Cells are not on the map: these numbers do not know where they are.'
            : kind.hint) +
          missing(answer, name);
    map.setExtra(name, by.value === 'area' ? kind.layers(all) : []);
    const lines = all
      .slice(0, MOST_ROWS)
      .map((it) => h('tr', {}, ...kind.cells(it).map((cell) => h('td', {}, cell))));
    const caption = all.length > MOST_ROWS ? `The ${MOST_ROWS} with the most` : '';
    refill(found, all.length > 0 && table(caption, kind.columns, lines));
  }

  return h('div', {}, h('div', { class: 'row' }, by, ...kind.controls), said, note, found);
}

function when({ at, from, to }: Answer): (Node | string)[] {
  if (at !== undefined) {
    return [`At ${localTime(at)}, ${age(at)}`, h('br'), h('small', {}, utcTime(at))];
  }
  if (from === undefined || to === undefined) {
    return [];
  }
  return to.startsWith('9999')
    ? [`${localTime(from)} and later`, h('br'), h('small', {}, utcTime(from))]
    : rangeOf(from, to);
}

const number = (n: number | undefined): string => (n === undefined ? 'withheld' : count(n));

/** A place's name; if it is an area, a button that shows it on the map. */
export function placeButton(map: LiveMap, name: string): HTMLElement {
  const area = areaOf(name);
  return area === null
    ? h('span', { class: 'id' }, name)
    : button(name, () => map.goTo(...area.centre), {
        class: 'plain id',
        'data-user': name,
        title: place({ lon: area.centre[0], lat: area.centre[1] }),
      });
}

/** How many devices are where. */
export function densityView(store: Store, server: Server, map: LiveMap): HTMLElement {
  const most = h('span');
  const bar = h('span', { class: 'bar' });
  bar.style.background = `linear-gradient(90deg, ${[0, 1 / 3, 2 / 3, 1].map((it) => `rgb(${heat(it).join(',')})`).join(', ')})`;
  const scale = h('div', { class: 'scale', hidden: '' }, h('span', {}, '1'), bar, most);

  const element = placesView<Level>(store, server, map, (choose) => {
    const at = h('input', {
      type: 'datetime-local',
      step: '1',
      'aria-label': 'At this time of your zone; empty: the newest',
      change: choose,
    });
    const newest = button('Newest', () => {
      at.value = '';
      choose();
    });
    return {
      name: 'density',
      controls: [h('label', {}, 'at ', at), newest],
      columns: ['Place', 'Devices', 'State'],
      none: 'No device is at a known place.',
      hint: ' Those are grey on the map.',
      path() {
        const time = at.value === '' ? '' : `&at=${new Date(at.value).toISOString()}`;
        return `v1/density?limit=${MOST_AREAS}${time}`;
      },
      found: (answer) => (answer as Answer & { density: Level[] }).density,
      layers(found) {
        scale.hidden = found.length === 0;
        const greatest = Math.max(1, ...found.map(({ n }) => n ?? 0));
        most.textContent = `${count(greatest)} devices`;
        return densityLayers(found, greatest);
      },
      cells: ({ k, n, state }) => [placeButton(map, k), number(n), STATE_NAMES[state]],
    };
  });
  element.firstElementChild?.after(scale);
  return element;
}

interface Drawn {
  it: Level;
  area: Area;
  title: string;
}

function densityLayers(found: Level[], most: number): Layer[] {
  const data = found.flatMap((it): Drawn[] => {
    const area = areaOf(it.k);
    const title = `${it.n === undefined ? 'number withheld' : `${count(it.n)} devices`}, ${STATE_NAMES[it.state]}\n${it.k}`;
    return area === null ? [] : [{ it, area, title }];
  });
  return [
    new PolygonLayer<Drawn>({
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

const SPANS = ['1h', '6h', '24h', '7d'].map((span) => [span, span] as const);

/** From where to where devices moved. */
export function flowsView(store: Store, server: Server, map: LiveMap): HTMLElement {
  return placesView<Flow>(store, server, map, (choose) => {
    const span = select({ 'aria-label': 'Time before the newest hour', change: choose }, SPANS);
    span.value = '24h';
    return {
      name: 'flows',
      controls: [h('span', {}, 'of the last'), span],
      columns: ['From', 'To', 'Moves', 'State'],
      none: 'No device moved in that time.',
      hint: ' An arc on the map goes from blue to red; withheld flows have none.',
      path: () => `v1/flows?limit=${MOST_FLOWS}&last=${span.value}`,
      found: (answer) => (answer as Answer & { flows: Flow[] }).flows,
      layers: flowLayers,
      cells: ({ from, to, n, devices, state, w }) => [
        placeButton(map, from),
        placeButton(map, to),
        n === undefined ? 'withheld' : `${count(n)} of ${number(devices)} devices`,
        h('span', { title: `${localTime(w)} and an hour` }, STATE_NAMES[state]),
      ],
    };
  });
}

interface Arc {
  it: Flow;
  from: [number, number];
  to: [number, number];
  title: string;
}

function flowLayers(found: Flow[]): Layer[] {
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
