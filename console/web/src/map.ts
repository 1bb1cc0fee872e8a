import { MapboxOverlay } from '@deck.gl/mapbox';
import { PathLayer, PolygonLayer, ScatterplotLayer, TextLayer } from '@deck.gl/layers';
import type { Layer } from '@deck.gl/core';
import { Map as BaseMap, setWorkerUrl } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import 'maplibre-gl/dist/maplibre-gl.css';
import type { Grid, LastKnown, Sighting } from './api';
import { baseStyle, graticule, graticuleLines, ownMap, type OwnMap } from './basemap';
import { type Bounds, wrapped } from './bounds';
import { byId, h, isDark, onOtherScheme } from './dom';
import { count, heat, SOURCE_COLOURS, sourceName } from './format';

setWorkerUrl(workerUrl);

const SAN_FRANCISCO = { center: [-122.42, 37.77] as [number, number], zoom: 9.5 };
const POINT_PIXELS = 5;
const SQUARE_PIXELS = 36;
/** The server has up to 64 columns and rows. */
const MOST_SQUARES = 60;

interface Square {
  n: number;
  share: number;
  centre: [number, number];
  outline: [number, number][];
  title: string;
}

function squares(grid: Grid): Square[] {
  const width = grid.width / grid.columns;
  const height = grid.height / grid.rows;
  const most = Math.max(1, ...grid.squares.map(({ n }) => n));
  return grid.squares.map(({ c, r, n }) => {
    const west = grid.west + c * width;
    const south = grid.south + r * height;
    return {
      n,
      share: Math.log(1 + n) / Math.log(1 + most),
      centre: [west + width / 2, south + height / 2],
      outline: [
        [west, south],
        [west + width, south],
        [west + width, south + height],
        [west, south + height],
      ],
      title: `${count(n)} devices`,
    };
  });
}

const short = (n: number): string =>
  n < 1_000 ? String(n) : n < 10_000 ? `${(n / 1_000).toFixed(1)}k` : n < 1_000_000 ? `${Math.round(n / 1_000)}k` : `${(n / 1_000_000).toFixed(1)}M`;

/** Beside the attribution, which what is shown of the map still needs. */
function ownMapFails(fails: boolean): void {
  byId('own-failure').textContent = fails
    ? 'The console’s own map, or a part of it, cannot be read: reload the page to try again. '
    : '';
}

export class LiveMap {
  private readonly base: BaseMap;
  private readonly overlay: MapboxOverlay;
  private points: readonly Sighting[] = [];
  private grid: [number, number][][] = [];
  private selected: LastKnown | null = null;
  private readonly extra = new Map<string, Layer[]>();
  private crowd: Square[] = [];
  private own: OwnMap | null = null;
  private captured: ((place: [number, number]) => void) | null = null;
  private picked: (sighting: Sighting | null) => void = () => undefined;

  constructor() {
    this.base = new BaseMap({
      container: 'map',
      style: baseStyle(),
      ...SAN_FRANCISCO,
      hash: 'map',
      attributionControl: false,
      maxPitch: 0,
      dragRotate: false,
      pitchWithRotate: false,
      maxZoom: 20,
      minZoom: 1,
      fadeDuration: 0,
    });
    this.base.touchZoomRotate.disableRotation();
    this.base.keyboard.disableRotation();
    this.base
      .getCanvas()
      .setAttribute('aria-label', 'Map of devices. Arrow keys move it, plus and minus zoom.');
    this.overlay = new MapboxOverlay({
      interleaved: false,
      layers: [],
      pickingRadius: 6,
      getTooltip: ({ object, layer }) => tooltip(layer?.id, object),
      onClick: (info) => {
        if (this.captured !== null) {
          return;
        }
        if (info.layer?.id === 'crowd') {
          const [lon, lat] = (info.object as Square).centre;
          this.base.easeTo({
            center: [lon, lat],
            zoom: this.base.getZoom() + 2,
            duration: moves() ? 600 : 0,
          });
        } else if (info.layer?.id === 'devices') {
          this.picked(info.object as Sighting);
        } else if (!info.layer) {
          this.picked(null);
        }
      },
    });
    this.base.addControl(this.overlay);
    this.base.on('click', ({ lngLat }) => this.captured?.([lngLat.lng, lngLat.lat]));
    this.base.on('move', () => this.drawGraticule());
    this.base.on('load', () => this.drawGraticule());
    this.base.on('resize', () => this.drawGraticule());
    onOtherScheme(() => {
      this.base.setStyle(baseStyle(this.own), { diff: false });
      this.draw();
    });
    // The coast is there at once; devices do not wait for a map.
    void ownMap().then(
      (own) => {
        if (own !== null) {
          this.own = own;
          this.base.setStyle(baseStyle(own), { diff: false });
          byId('own-attribution').textContent = own.attribution === '' ? '' : `${own.attribution} `;
        }
      },
      (failure: unknown) => {
        console.warn('The map of one’s own cannot be shown', failure);
        ownMapFails(true);
      },
    );
    this.base.on('error', (event) => {
      console.warn('The map failed', event.error);
      if ((event as { sourceId?: string }).sourceId === 'own') {
        ownMapFails(true);
      }
    });
    this.base.on('sourcedata', ({ sourceId, tile }) => {
      if (sourceId === 'own' && tile !== undefined) {
        ownMapFails(false);
      }
    });
    byId('zoom-in').addEventListener('click', () => this.base.zoomIn());
    byId('zoom-out').addEventListener('click', () => this.base.zoomOut());
  }

  /** Whether the address already says where to look. */
  isPlaced(): boolean {
    return location.hash.includes('map=');
  }

  onMoved(tell: () => void): void {
    this.base.on('moveend', tell);
  }

  /** Tells of clicks: the device, or null beside all of them. */
  onPicked(tell: (sighting: Sighting | null) => void): void {
    this.picked = tell;
  }

  bounds(): Bounds {
    const bounds = this.base.getBounds();
    const south = Math.max(-90, bounds.getSouth());
    const north = Math.min(90, bounds.getNorth());
    if (bounds.getEast() - bounds.getWest() >= 360) {
      return [-180, south, 180, north];
    }
    return [wrapped(bounds.getWest()), south, wrapped(bounds.getEast()), north];
  }

  /** Two opposite corners of the view; the eastern one may be beyond the 180th meridian. */
  corners(): [[number, number], [number, number]] {
    const [west, south, east, north] = this.bounds();
    return [
      [west, south],
      [east > west ? east : east + 360, north],
    ];
  }

  /**
   * A grid over the view, of squares of about 36 pixels. Its lines stay where they are while the
   * reader moves the map, so a square does not change its number by that.
   */
  gridOfView(): { bounds: Bounds; columns: number; rows: number } {
    const [west, south, east, north] = this.bounds();
    const width = east > west ? east - west : east - west + 360;
    const pixels = this.base.getContainer().clientWidth;
    const least = Math.max((SQUARE_PIXELS * width) / pixels, width / MOST_SQUARES);
    const step = 360 / 2 ** Math.floor(Math.log2(360 / least));
    const middle = Math.cos(((north + south) / 2) * (Math.PI / 180));
    // Towards the poles, a degree of latitude takes more pixels.
    const tall = Math.max(
      step / 2 ** Math.max(0, Math.round(-Math.log2(Math.max(0.1, middle)))),
      (north - south) / MOST_SQUARES,
    );
    const columns = Math.min(MOST_SQUARES + 2, Math.round(360 / step), Math.ceil(width / step) + 1);
    const left = columns * step >= 360 ? -180 : Math.floor(west / step) * step;
    const right = left + columns * step;
    const low = Math.max(-90, Math.floor(south / tall) * tall);
    const rows = Math.min(MOST_SQUARES + 2, Math.ceil((north - low) / tall));
    const bounds: Bounds = [
      columns * step >= 360 ? -180 : wrapped(left),
      low,
      columns * step >= 360 ? 180 : wrapped(right),
      Math.min(90, low + rows * tall),
    ];
    return { bounds, columns, rows };
  }

  /** Hands clicks on the map to another part of the page; null: no longer. */
  capture(target: ((place: [number, number]) => void) | null): void {
    this.captured = target;
    this.base.getCanvas().style.cursor = target === null ? '' : 'crosshair';
    if (target === null) {
      this.base.doubleClickZoom.enable();
    } else {
      this.base.doubleClickZoom.disable();
    }
  }

  fit(points: Sighting[]): void {
    const places = points.flatMap(({ loc }) => (loc ? [loc] : []));
    if (places.length === 0) {
      return;
    }
    const [west, east] = widthOf(places.map(({ lon }) => lon));
    const lats = places.map(({ lat }) => lat);
    this.base.fitBounds(
      [
        [west, Math.min(...lats)],
        [east, Math.max(...lats)],
      ],
      { padding: 60, maxZoom: 14, duration: moves() ? 600 : 0 },
    );
  }

  goTo(lon: number, lat: number): void {
    this.base.easeTo({
      center: [lon, lat],
      zoom: Math.max(this.base.getZoom(), 13),
      duration: moves() ? 600 : 0,
    });
  }

  /** Points; of a crowd counts instead. */
  show(points: readonly Sighting[], crowd: Grid | null): void {
    this.points = crowd === null ? points : [];
    this.crowd = crowd === null ? [] : squares(crowd);
    this.draw();
  }

  select(sighting: LastKnown | null): void {
    this.selected = sighting;
    this.draw();
  }

  /** Layers of other parts of the page, below the devices. */
  setExtra(name: string, layers: Layer[]): void {
    this.extra.set(name, layers);
    this.draw();
  }

  private draw(): void {
    const { selected } = this;
    const own = selected?.fix && selected.fix.ts !== selected.ts ? [{ ...selected.fix, user: selected.user }] : [];
    const chosen: Sighting[] = [...(selected ? [selected] : []), ...own].filter(({ loc }) => loc);
    const hasNumbers = ['density', 'flows'].some((name) => (this.extra.get(name) ?? []).length > 0);
    const exact = chosen.filter(({ acc }) => acc !== undefined && acc > 0);
    this.overlay.setProps({
      layers: [
        new PathLayer<[number, number][]>({
          id: 'graticule',
          data: this.grid,
          getPath: (line) => line,
          getColor: isDark() ? [120, 150, 170, 60] : [90, 120, 140, 80],
          widthUnits: 'pixels',
          getWidth: 1,
          updateTriggers: { getColor: isDark() },
        }),
        ...this.crowdLayers(),
        ...[...this.extra].flatMap(([name, layers]) => (name === 'area' ? [] : layers)),
        new ScatterplotLayer<Sighting>({
          id: 'accuracy',
          data: exact,
          getPosition: position,
          getRadius: (it) => it.acc ?? 0,
          radiusUnits: 'meters',
          getFillColor: (it) => [...colour(it), 40],
          stroked: true,
          getLineColor: (it) => [...colour(it), 200],
          lineWidthUnits: 'pixels',
          getLineWidth: 1.5,
        }),
        new ScatterplotLayer<Sighting>({
          id: 'devices',
          data: this.points,
          getPosition: position,
          // Numbers of places are not hidden behind the devices.
          opacity: hasNumbers ? 0.25 : 1,
          getRadius: hasNumbers ? 2 : POINT_PIXELS,
          radiusUnits: 'pixels',
          getFillColor: colour,
          stroked: true,
          getLineColor: isDark() ? [20, 33, 43] : [255, 255, 255],
          lineWidthUnits: 'pixels',
          getLineWidth: 1,
          pickable: true,
          updateTriggers: { getLineColor: isDark(), getRadius: hasNumbers },
        }),
        ...(this.extra.get('area') ?? []),
        new ScatterplotLayer<Sighting>({
          id: 'selected',
          data: chosen,
          getPosition: position,
          getRadius: POINT_PIXELS + 4,
          radiusUnits: 'pixels',
          filled: false,
          stroked: true,
          getLineColor: isDark() ? [255, 255, 255] : [20, 20, 20],
          lineWidthUnits: 'pixels',
          getLineWidth: 2.5,
          updateTriggers: { getLineColor: isDark() },
        }),
      ],
    });
  }

  private crowdLayers(): Layer[] {
    if (this.crowd.length === 0) {
      return [];
    }
    return [
      new PolygonLayer<Square>({
        id: 'crowd',
        data: this.crowd,
        getPolygon: ({ outline }) => outline,
        getFillColor: ({ share }) => [...heat(share), 190],
        stroked: true,
        getLineColor: isDark() ? [20, 33, 43] : [255, 255, 255],
        lineWidthUnits: 'pixels',
        getLineWidth: 1,
        pickable: true,
      }),
      new TextLayer<Square>({
        id: 'crowd-numbers',
        data: this.crowd,
        getPosition: ({ centre }) => centre,
        getText: ({ n }) => short(n),
        characterSet: '0123456789kM.',
        getSize: 11,
        fontFamily: 'sans-serif',
        getColor: ({ share }) => (share > 0.6 ? [255, 255, 255] : [20, 20, 20]),
      }),
    ];
  }

  private drawGraticule(): void {
    const view = this.base.getBounds();
    const bounds: Bounds = [view.getWest(), view.getSouth(), view.getEast(), view.getNorth()];
    const size = this.base.getContainer();
    const grid = graticule(bounds, size.clientWidth);
    this.grid = graticuleLines(grid, bounds);
    this.draw();
    const labels: HTMLElement[] = [];
    const label = (text: string, left: number, top: number, side: string): void => {
      const element = h('span', { class: side }, text);
      element.style.left = `${Math.round(left)}px`;
      element.style.top = `${Math.round(top)}px`;
      labels.push(element);
    };
    const middle = this.base.getCenter();
    for (const lon of grid.meridians) {
      const { x } = this.base.project([lon, middle.lat]);
      if (x > 60 && x < size.clientWidth - 60) {
        label(degrees(wrapped(lon), grid.digits, 'E', 'W'), x, 0, 'top');
      }
    }
    for (const lat of grid.parallels) {
      const { y } = this.base.project([middle.lng, lat]);
      if (y > 30 && y < size.clientHeight - 60) {
        label(degrees(lat, grid.digits, 'N', 'S'), 0, y, 'left');
      }
    }
    byId('graticule').replaceChildren(...labels);
  }
}

const moves = (): boolean => !matchMedia('(prefers-reduced-motion: reduce)').matches;

/** The narrowest range of longitudes with all of them, which may go on beyond the 180th meridian. */
function widthOf(longitudes: number[]): [west: number, east: number] {
  const sorted = [...longitudes].sort((a, b) => a - b);
  const first = sorted[0] ?? 0;
  let west = first;
  let east = sorted[sorted.length - 1] ?? 0;
  let widest = first + 360 - east;
  sorted.forEach((lon, i) => {
    const next = sorted[i + 1];
    if (next !== undefined && next - lon > widest) {
      widest = next - lon;
      west = next;
      east = lon + 360;
    }
  });
  return [west, east];
}

const degrees = (value: number, digits: number, positive: string, negative: string): string =>
  `${Math.abs(value).toFixed(digits)}° ${value < 0 ? negative : value > 0 ? positive : ''}`.trim();

const position = ({ loc }: Sighting): [number, number] => (loc ? [loc.lon, loc.lat] : [0, 0]);

const colour = ({ src }: Sighting): [number, number, number] => SOURCE_COLOURS[src ?? 'cell'];

/** Of a device, or of whatever another part has drawn with a title. */
function tooltip(layer: string | undefined, object: unknown) {
  if (typeof object !== 'object' || object === null) {
    return null;
  }
  if (layer === 'devices') {
    const { user, src } = object as Sighting;
    return { text: `${user}\n${sourceName(src)}`, className: 'tooltip', style: {} };
  }
  return 'title' in object
    ? { text: String(object.title), className: 'tooltip', style: {} }
    : null;
}
