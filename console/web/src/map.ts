import { MapboxOverlay } from '@deck.gl/mapbox';
import { PathLayer, ScatterplotLayer } from '@deck.gl/layers';
import type { Layer } from '@deck.gl/core';
import { Map as BaseMap, setWorkerUrl } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import 'maplibre-gl/dist/maplibre-gl.css';
import type { LastKnown, Sighting } from './api';
import { baseStyle, graticule, graticuleLines, isDark } from './basemap';
import { byId, h } from './dom';
import { SOURCE_COLOURS, sourceName } from './format';

setWorkerUrl(workerUrl);

export type Bounds = [west: number, south: number, east: number, north: number];

const SAN_FRANCISCO = { center: [-122.42, 37.77] as [number, number], zoom: 9.5 };
const POINT_PIXELS = 5;

export class LiveMap {
  private readonly base: BaseMap;
  private readonly overlay: MapboxOverlay;
  private points: Sighting[] = [];
  private grid: [number, number][][] = [];
  private selected: LastKnown | null = null;
  private readonly extra = new Map<string, Layer[]>();

  constructor(onMoved: () => void, onPicked: (sighting: Sighting | null) => void) {
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
      getTooltip: ({ object, layer }) => tooltip(layer?.id, object as Sighting | undefined),
      onClick: (info) => {
        if (info.layer?.id === 'devices') {
          onPicked(info.object as Sighting);
        } else if (!info.layer) {
          onPicked(null);
        }
      },
    });
    this.base.addControl(this.overlay);
    this.base.on('moveend', onMoved);
    this.base.on('move', () => this.drawGraticule());
    this.base.on('load', () => this.drawGraticule());
    this.base.on('resize', () => this.drawGraticule());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      this.base.setStyle(baseStyle(), { diff: false });
      this.draw();
    });
    byId('zoom-in').addEventListener('click', () => this.base.zoomIn());
    byId('zoom-out').addEventListener('click', () => this.base.zoomOut());
  }

  /** Whether the address already says where to look. */
  static isPlaced(): boolean {
    return location.hash.includes('map=');
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

  fit(points: Sighting[]): void {
    const places = points.flatMap(({ loc }) => (loc ? [loc] : []));
    if (places.length === 0) {
      return;
    }
    const lons = places.map(({ lon }) => lon);
    const lats = places.map(({ lat }) => lat);
    this.base.fitBounds(
      [
        [Math.min(...lons), Math.min(...lats)],
        [Math.max(...lons), Math.max(...lats)],
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

  show(points: Sighting[]): void {
    this.points = points;
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
        ...[...this.extra.values()].flat(),
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
          getRadius: POINT_PIXELS,
          radiusUnits: 'pixels',
          getFillColor: colour,
          stroked: true,
          getLineColor: isDark() ? [20, 33, 43] : [255, 255, 255],
          lineWidthUnits: 'pixels',
          getLineWidth: 1,
          pickable: true,
          updateTriggers: { getLineColor: isDark() },
        }),
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

const wrapped = (lon: number): number => ((((lon + 180) % 360) + 360) % 360) - 180;

const degrees = (value: number, digits: number, positive: string, negative: string): string =>
  `${Math.abs(value).toFixed(digits)}° ${value < 0 ? negative : value > 0 ? positive : ''}`.trim();

const position = ({ loc }: Sighting): [number, number] => (loc ? [loc.lon, loc.lat] : [0, 0]);

const colour = ({ src }: Sighting): [number, number, number] => SOURCE_COLOURS[src ?? 'cell'];

function tooltip(layer: string | undefined, object: Sighting | undefined) {
  return layer === 'devices' && object
    ? { text: `${object.user}\n${sourceName(object.src)}`, className: 'tooltip', style: {} }
    : null;
}
