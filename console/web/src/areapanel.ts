import { PathLayer, PolygonLayer, ScatterplotLayer } from '@deck.gl/layers';
import { failureText, get, type Within } from './api';
import { isDark } from './basemap';
import { h } from './dom';
import { age, count, localTime, utcTime } from './format';
import { type LiveMap, wrapped } from './map';
import { nearTo } from './track';

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

/** An area that the reader draws, and who was there. */
export class AreaPanel {
  readonly element = h('section', { 'aria-label': 'Area' });
  private readonly corners = h('textarea', {
    id: 'area-corners',
    rows: '5',
    spellcheck: 'false',
    'aria-describedby': 'area-help',
    change: () => this.read(),
  });
  private readonly from = h('input', { type: 'datetime-local', step: '1', id: 'area-from' });
  private readonly to = h('input', { type: 'datetime-local', step: '1', id: 'area-to' });
  private readonly message = h('p', { role: 'status', class: 'quiet' });
  private readonly list = h('ul', { class: 'devices' });
  private readonly done = h('button', { type: 'button', click: () => this.finish() }, 'Done');
  private outline: Corner[] = [];
  private loading: AbortController | null = null;

  constructor(
    private readonly map: LiveMap,
    private readonly newest: () => string | null,
    private readonly choose: (user: string) => void,
  ) {
    const button = (name: string, click: () => void): HTMLButtonElement =>
      h('button', { type: 'button', click }, name);
    this.done.hidden = true;
    this.element.append(
      h(
        'div',
        { class: 'row' },
        button('Draw a rectangle', () => this.draw(true)),
        button('Draw a polygon', () => this.draw(false)),
        button('Take the view', () => this.setRectangle(...map.corners())),
        this.done,
        button('Clear', () => this.set([])),
      ),
      h('label', { for: 'area-corners' }, 'Corners'),
      this.corners,
      h('p', { id: 'area-help', class: 'quiet' }, 'A line for each: latitude, longitude.'),
      h(
        'form',
        {
          submit: (event) => {
            event.preventDefault();
            void this.visitors();
          },
        },
        h('div', { class: 'row' }, h('label', { for: 'area-from' }, 'From'), this.from),
        h('div', { class: 'row' }, h('label', { for: 'area-to' }, 'To'), this.to),
        h(
          'div',
          { class: 'row' },
          h('button', { type: 'submit' }, 'Who was there'),
          button('Who was last seen there', () => void this.lastSeen()),
        ),
      ),
      this.message,
      this.list,
    );
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.paint());
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !this.done.hidden) {
        this.set([]);
      }
    });
  }

  /** Called when the tab is shown or left. */
  show(isShown: boolean): void {
    if (isShown && this.from.value === '') {
      const newest = this.newest();
      if (newest !== null) {
        this.from.value = input(Date.parse(newest) - 3_600_000);
        this.to.value = input(Date.parse(newest) + 1_000);
      }
    }
    if (!isShown) {
      this.finish();
    }
  }

  private draw(isRectangle: boolean): void {
    this.set([]);
    this.done.hidden = isRectangle;
    this.message.textContent = isRectangle
      ? 'Click two opposite corners on the map. Escape ends it.'
      : 'Click the corners on the map, then “Done”. Escape ends it.';
    this.map.capture((corner) => {
      if (isRectangle && this.outline.length === 1 && this.outline[0]) {
        this.setRectangle(this.outline[0], corner);
        return;
      }
      this.outline = continued([...this.outline, corner]);
      this.write();
      this.paint();
      if (this.outline.length === MOST_CORNERS) {
        this.finish();
      }
    });
  }

  private finish(): void {
    this.map.capture(null);
    if (!this.done.hidden) {
      this.done.hidden = true;
      this.message.textContent = '';
    }
    this.paint();
  }

  private set(outline: Corner[]): void {
    this.outline = outline;
    this.list.replaceChildren();
    this.message.textContent = '';
    this.write();
    this.done.hidden = true;
    this.finish();
  }

  private setRectangle(a: Corner, b: Corner): void {
    const isTooWide = Math.abs(a[0] - b[0]) >= WIDEST;
    this.set(isTooWide ? [] : rectangle(a, b));
    if (isTooWide) {
      // The shortest lines between its corners would go round the other side.
      this.message.textContent = 'An area is narrower than half of the earth: zoom in first.';
    }
  }

  private write(): void {
    this.corners.value = this.outline
      .map(([lon, lat]) => `${lat.toFixed(6)}, ${wrapped(lon).toFixed(6)}`)
      .join('\n');
  }

  private read(): void {
    const lines = this.corners.value.split('\n').filter((line) => line.trim() !== '');
    const outline = lines.map((line): Corner => {
      const [lat, lon] = line.split(',').map(Number);
      return [lon ?? NaN, lat ?? NaN];
    });
    if (outline.some((corner) => corner.some((n) => !Number.isFinite(n)))) {
      // Not the area of before, which the reader does not see any more.
      this.outline = [];
      this.paint();
      this.message.textContent = 'Expected a latitude and a longitude in each line: 37.75, -122.45.';
      return;
    }
    this.outline = continued(outline.slice(0, MOST_CORNERS));
    this.message.textContent = '';
    this.paint();
  }

  private paint(): void {
    const { outline } = this;
    this.map.setExtra('area', [
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
    ]);
  }

  private polygon(): string | null {
    if (this.outline.length < 3) {
      this.message.textContent = 'Draw an area first, or take the view.';
      return null;
    }
    return this.outline
      .map(([lon, lat]) => `${wrapped(lon).toFixed(6)},${lat.toFixed(6)}`)
      .join(',');
  }

  private async visitors(): Promise<void> {
    const polygon = this.polygon();
    if (polygon === null) {
      return;
    }
    if (this.from.value === '') {
      this.message.textContent = 'Choose the time from which on.';
      return;
    }
    const from = new Date(this.from.value).toISOString();
    const to = this.to.value === '' ? '' : `&to=${new Date(this.to.value).toISOString()}`;
    await this.load(
      `v1/visitors?polygon=${polygon}&from=${from}${to}&limit=${MOST_FOUND}`,
      (answer: { visitors: Visitor[]; more: boolean }) => {
        const { visitors, more } = answer;
        visitors.sort((a, b) => b.records - a.records);
        this.message.textContent = `${more ? 'More than ' : ''}${count(visitors.length)} ${visitors.length === 1 ? 'device was' : 'devices were'} there between ${localTime(from)} and ${this.to.value === '' ? 'now' : localTime(new Date(this.to.value).toISOString())}.`;
        return visitors.slice(0, MOST_SHOWN).map(({ user, records, first, last }) =>
          this.item(
            user,
            `${count(records)} ${records === 1 ? 'record' : 'records'}`,
            records === 1 ? localTime(first) : `${localTime(first)} to ${localTime(last)}`,
            `${utcTime(first)} to ${utcTime(last)}`,
          ),
        );
      },
    );
  }

  private async lastSeen(): Promise<void> {
    const polygon = this.polygon();
    if (polygon === null) {
      return;
    }
    await this.load(
      `v1/within?polygon=${polygon}&limit=${MOST_FOUND}`,
      ({ sightings, more }: Within) => {
        this.message.textContent = `${more ? 'More than ' : ''}${count(sightings.length)} ${sightings.length === 1 ? 'device was' : 'devices were'} last seen there.`;
        return sightings
          .slice(0, MOST_SHOWN)
          .map(({ user, ts }) => this.item(user, age(ts), localTime(ts), utcTime(ts)));
      },
    );
  }

  private item(user: string, short: string, long: string, title: string): HTMLElement {
    return h(
      'li',
      {},
      h(
        'button',
        { type: 'button', 'data-user': user, title, click: () => this.choose(user) },
        h('span', {}, h('span', { class: 'id' }, user), h('br'), h('small', {}, long)),
        h('small', { class: 'end' }, short),
      ),
    );
  }

  private async load<T>(path: string, view: (answer: T) => HTMLElement[]): Promise<void> {
    this.loading?.abort();
    const mine = new AbortController();
    this.loading = mine;
    this.message.textContent = 'Loading …';
    this.list.replaceChildren();
    try {
      this.list.replaceChildren(...view(await get<T>(path, mine.signal)));
    } catch (failure) {
      if (!mine.signal.aborted) {
        this.message.textContent = failureText(
          failure,
          'The devices cannot be shown.',
          'Try again.',
        );
      }
    }
  }
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
