import { PathLayer, PolygonLayer, ScatterplotLayer } from '@deck.gl/layers';
import type { Layer } from '@deck.gl/core';
import { failureText, type Server, type Within } from '../api';
import { nearTo, wrapped } from '../bounds';
import { button, form, h, isDark, message, onOtherScheme } from '../dom';
import { age, count, localTime, utcTime } from '../format';
import { Latest } from '../load';
import type { LiveMap } from '../map';
import type { Queries } from '../queries';
import type { Store } from '../store';

type Corner = [lon: number, lat: number];

interface Visitor {
  user: string;
  records: number;
  first: string;
  last: string;
}

const MOST_CORNERS = 40;
const WIDEST = 180;
const MOST_SHOWN = 200;
const MOST_FOUND = 1_000;
/** No track and no source has it. */
const colour = (): [number, number, number] => (isDark() ? [255, 255, 255] : [20, 20, 20]);

/** The tab "Area": one that the reader draws, and who was there. */
export function areaView(store: Store, server: Server, map: LiveMap, queries: Pick<Queries, 'find'>): HTMLElement {
  const corners = h('textarea', {
    id: 'area-corners',
    rows: '5',
    spellcheck: 'false',
    'aria-describedby': 'area-help',
    change: () => read(),
  });
  const from = h('input', { type: 'datetime-local', step: '1', id: 'area-from' });
  const to = h('input', { type: 'datetime-local', step: '1', id: 'area-to' });
  const said = message();
  const list = h('ul', { class: 'devices' });
  const done = button('Done', () => finish());
  const latest = new Latest();
  let outline: Corner[] = [];

  store.whileShown(
    ({ tab }) => tab === 'area',
    (isShown) => {
      const newest = store.state.inView?.[0]?.ts;
      if (!isShown) {
        finish();
      } else if (from.value === '' && newest !== undefined) {
        from.value = input(Date.parse(newest) - 3_600_000);
        to.value = input(Date.parse(newest) + 1_000);
      }
    },
  );
  onOtherScheme(() => paint());
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !done.hidden) {
      set([]);
    }
  });

  function draw(isRectangle: boolean): void {
    set([]);
    done.hidden = isRectangle;
    said.textContent = isRectangle
      ? 'Click two opposite corners on the map. Escape ends it.'
      : 'Click the corners on the map, then “Done”. Escape ends it.';
    map.capture((corner) => {
      if (isRectangle && outline.length === 1 && outline[0]) {
        setRectangle(outline[0], corner);
        return;
      }
      outline = continued([...outline, corner]);
      write();
      paint();
      if (outline.length === MOST_CORNERS) {
        finish();
      }
    });
  }

  function finish(): void {
    map.capture(null);
    if (!done.hidden) {
      done.hidden = true;
      said.textContent = '';
    }
    paint();
  }

  function set(changed: Corner[]): void {
    outline = changed;
    list.replaceChildren();
    said.textContent = '';
    write();
    done.hidden = true;
    finish();
  }

  function setRectangle(a: Corner, b: Corner): void {
    const isTooWide = Math.abs(a[0] - b[0]) >= WIDEST;
    set(isTooWide ? [] : rectangle(a, b));
    if (isTooWide) {
      // The shortest lines between its corners would go round the other side.
      said.textContent = 'An area is narrower than half of the earth: zoom in first.';
    }
  }

  function write(): void {
    corners.value = outline
      .map(([lon, lat]) => `${lat.toFixed(6)}, ${wrapped(lon).toFixed(6)}`)
      .join('\n');
  }

  function read(): void {
    const lines = corners.value.split('\n').filter((line) => line.trim() !== '');
    const typed = lines.map((line): Corner => {
      const [lat, lon] = line.split(',').map(Number);
      return [lon ?? NaN, lat ?? NaN];
    });
    const isRight = typed.flat().every(Number.isFinite);
    // If not: not the area of before, which the reader does not see any more.
    outline = isRight ? continued(typed.slice(0, MOST_CORNERS)) : [];
    said.textContent = isRight ? '' : 'Expected a latitude and a longitude in each line: 37.75, -122.45.';
    paint();
  }

  const paint = (): void => map.setExtra('area', areaLayers(outline));

  async function visitors(): Promise<void> {
    if (outline.length > 2 && from.value === '') {
      said.textContent = 'Choose the time from which on.';
      return;
    }
    const since = from.value === '' ? '' : new Date(from.value).toISOString();
    const until = to.value === '' ? '' : new Date(to.value).toISOString();
    await load(
      (polygon) => `v1/visitors?polygon=${polygon}&from=${since}${until === '' ? '' : `&to=${until}`}`,
      ({ visitors: all, more }: { visitors: Visitor[]; more: boolean }) => {
        said.textContent = `${number(all.length, more)} there between ${localTime(since)} and ${until === '' ? 'now' : localTime(until)}.`;
        return all
          .sort((a, b) => b.records - a.records)
          .map(({ user, records, first, last }) =>
            item(
              user,
              `${count(records)} ${records === 1 ? 'record' : 'records'}`,
              records === 1 ? localTime(first) : `${localTime(first)} to ${localTime(last)}`,
              `${utcTime(first)} to ${utcTime(last)}`,
            ),
          );
      },
    );
  }

  const lastSeen = (): Promise<void> =>
    load(
      (polygon) => `v1/within?polygon=${polygon}`,
      ({ sightings, more }: Within) => {
        said.textContent = `${number(sightings.length, more)} last seen there.`;
        return sightings.map(({ user, ts }) => item(user, age(ts), localTime(ts), utcTime(ts)));
      },
    );

  const item = (user: string, short: string, long: string, title: string): HTMLElement =>
    h(
      'li',
      {},
      h(
        'button',
        { type: 'button', 'data-user': user, title, click: () => void queries.find(user, true) },
        h('span', {}, h('span', { class: 'id' }, user), h('br'), h('small', {}, long)),
        h('small', { class: 'end' }, short),
      ),
    );

  async function load<T>(path: (polygon: string) => string, view: (answer: T) => HTMLElement[]): Promise<void> {
    if (outline.length < 3) {
      said.textContent = 'Draw an area first, or take the view.';
      return;
    }
    const polygon = outline.map(([lon, lat]) => `${wrapped(lon).toFixed(6)},${lat.toFixed(6)}`).join(',');
    said.textContent = 'Loading …';
    list.replaceChildren();
    await latest.run(
      async (signal) => {
        const answer = await server.get<T>(`${path(polygon)}&limit=${MOST_FOUND}`, signal);
        list.replaceChildren(...view(answer).slice(0, MOST_SHOWN));
      },
      (failure) => {
        said.textContent = failureText(failure, 'The devices cannot be shown.', 'Try again.');
      },
    );
  }

  done.hidden = true;
  return h(
    'section',
    { 'aria-label': 'Area' },
    h(
      'div',
      { class: 'row' },
      button('Draw a rectangle', () => draw(true)),
      button('Draw a polygon', () => draw(false)),
      button('Take the view', () => setRectangle(...map.corners())),
      done,
      button('Clear', () => set([])),
    ),
    h('label', { for: 'area-corners' }, 'Corners'),
    corners,
    h('p', { id: 'area-help', class: 'quiet' }, 'A line for each: latitude, longitude.'),
    form(
      {},
      () => void visitors(),
      h('div', { class: 'row' }, h('label', { for: 'area-from' }, 'From'), from),
      h('div', { class: 'row' }, h('label', { for: 'area-to' }, 'To'), to),
      h(
        'div',
        { class: 'row' },
        h('button', { type: 'submit' }, 'Who was there'),
        button('Who was last seen there', () => void lastSeen()),
      ),
    ),
    said,
    list,
  );
}

const number = (n: number, more: boolean): string =>
  `${more ? 'More than ' : ''}${count(n)} ${n === 1 ? 'device was' : 'devices were'}`;

function areaLayers(outline: Corner[]): Layer[] {
  return [
    outline.length > 2
      ? new PolygonLayer<Corner[]>({
          id: 'area',
          data: [outline],
          getPolygon: (corners) => corners,
          getFillColor: [...colour(), 30],
          stroked: true,
          getLineColor: [...colour(), 255],
          lineWidthUnits: 'pixels',
          getLineWidth: 2,
        })
      : new PathLayer<Corner[]>({
          // Another kind of layer under the same id would break the map.
          id: 'area-line',
          data: [outline],
          getPath: (corners) => corners,
          getColor: [...colour(), 255],
          widthUnits: 'pixels',
          getWidth: 2,
        }),
    new ScatterplotLayer<Corner>({
      id: 'area-corners',
      data: outline,
      getPosition: (corner) => corner,
      getRadius: 4,
      radiusUnits: 'pixels',
      getFillColor: [...colour(), 255],
    }),
  ];
}

/** Each corner on the shorter way from the one before, as the server sees it. */
const continued = (outline: Corner[]): Corner[] => {
  let before = outline[0]?.[0] ?? 0;
  return outline.map(([lon, lat]) => {
    before = nearTo(lon, before);
    return [before, lat];
  });
};

const rectangle = (a: Corner, b: Corner): Corner[] => {
  const [west, east] = a[0] < b[0] ? [a[0], b[0]] : [b[0], a[0]];
  const [south, north] = a[1] < b[1] ? [a[1], b[1]] : [b[1], a[1]];
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ];
};

/** As an input of the reader's zone has it. */
function input(millis: number): string {
  const local = new Date(millis - new Date(millis).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}
