import { addProtocol, type LayerSpecification, type StyleSpecification } from 'maplibre-gl';
import { PMTiles, Protocol, TileType } from 'pmtiles';
import { isDark } from './dom';

/** Where the detailed coast of the sample lies; tools/base-map.mjs has the same bounds. */
const REGION = [-126, 34, -118, 42] as const;
const DETAIL_ZOOM = 4.5;

const LIGHT = { sea: '#d5e3ec', land: '#f5f3ee', coast: '#8aa4b5' };
const DARK = { sea: '#14212b', land: '#222d35', coast: '#4d6474' };

const url = (file: string): string => new URL(`base/${file}`, document.baseURI).href;

/** The reader's own map. */
export interface OwnMap {
  url: string;
  isVector: boolean;
  /** Names of a vector map's layers. */
  layers: string[];
  attribution: string;
}

/** Null if the server has none. */
export async function ownMap(): Promise<OwnMap | null> {
  const { pmtiles } = (await (await fetch('map.json')).json()) as { pmtiles: boolean };
  if (!pmtiles) {
    return null;
  }
  const address = new URL('map.pmtiles', document.baseURI).href;
  const file = new PMTiles(address);
  const protocol = new Protocol();
  protocol.add(file);
  addProtocol('pmtiles', protocol.tile);
  const { tileType } = await file.getHeader();
  const { vector_layers: layers, attribution } = (await file.getMetadata()) as {
    vector_layers?: { id: string }[];
    attribution?: string;
  };
  return {
    url: `pmtiles://${address}`,
    isVector: tileType === TileType.Mvt,
    layers: (layers ?? []).map(({ id }) => id),
    // It may have links; its text is what has to be shown.
    attribution:
      new DOMParser().parseFromString(attribution ?? '', 'text/html').body.textContent ?? '',
  };
}

/** Of a vector map's layers, by what their names mean in the usual schemas; else a thin line. */
const KINDS: [RegExp, { light: string; dark: string; width?: number }][] = [
  [/water|ocean|sea|lake|river/, { light: LIGHT.sea, dark: DARK.sea }],
  [/earth|^land$/, { light: LIGHT.land, dark: DARK.land }],
  [/park|wood|forest|green|grass|landcover|natural/, { light: '#e2ecd9', dark: '#24332c' }],
  [/landuse/, { light: '#edeae3', dark: '#273239' }],
  [/building/, { light: '#dcd7cd', dark: '#313d46' }],
  [/road|street|transport|highway|rail|transit/, { light: '#b9b4a9', dark: '#55646f', width: 1.2 }],
  [/boundar|admin/, { light: '#a08fb0', dark: '#6f6483', width: 1 }],
];
const OTHER = { light: '#c5c0b5', dark: '#46545e', width: 0.7 };

function ownLayers({ isVector, layers }: OwnMap): LayerSpecification[] {
  if (!isVector) {
    return [{ id: 'own', type: 'raster', source: 'own' }];
  }
  const kind = (name: string): number => {
    const found = KINDS.findIndex(([names]) => names.test(name));
    return found < 0 ? KINDS.length : found;
  };
  // Areas first, and what lies on them later.
  const order = [1, 3, 2, 0, 4, 5, 6, 7];
  return [...layers]
    .sort((a, b) => order.indexOf(kind(a)) - order.indexOf(kind(b)))
    .flatMap((name): LayerSpecification[] => {
      const { light, dark, width } = KINDS[kind(name)]?.[1] ?? OTHER;
      const colour = isDark() ? dark : light;
      const from = { source: 'own', 'source-layer': name };
      return [
        ...(width === undefined
          ? [{ ...area(`own-${name}`, 'own', colour), ...from }]
          : []),
        { ...line(`own-${name}-line`, 'own', colour), ...from, paint: { 'line-color': colour, 'line-width': width ?? 0.7 } },
      ];
    });
}

export function baseStyle(own: OwnMap | null = null): StyleSpecification {
  const colours = isDark() ? DARK : LIGHT;
  const [west, south, east, north] = REGION;
  return {
    version: 8,
    sources: {
      world: { type: 'geojson', data: url('world.json'), tolerance: 0 },
      region: { type: 'geojson', data: url('region.json'), tolerance: 0, maxzoom: 12 },
      ...(own === null
        ? {}
        : { own: { type: own.isVector ? ('vector' as const) : ('raster' as const), url: own.url } }),
      // Covers the coarse coast below the detailed one.
      frame: {
        type: 'geojson',
        data: {
          type: 'Polygon',
          coordinates: [
            [
              [west, south],
              [east, south],
              [east, north],
              [west, north],
              [west, south],
            ],
          ],
        },
      },
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': colours.sea } },
      area('world-land', 'world', colours.land),
      line('world-coast', 'world', colours.coast),
      { ...area('frame', 'frame', colours.sea), minzoom: DETAIL_ZOOM },
      { ...area('region-land', 'region', colours.land), minzoom: DETAIL_ZOOM },
      { ...line('region-coast', 'region', colours.coast), minzoom: DETAIL_ZOOM },
      ...(own === null ? [] : ownLayers(own)),
    ],
  };
}

const area = (id: string, source: string, colour: string) => ({
  id,
  type: 'fill' as const,
  source,
  filter: ['==', ['geometry-type'], 'Polygon'] as ['==', ...never],
  paint: { 'fill-color': colour, 'fill-antialias': false },
});

const line = (id: string, source: string, colour: string) => ({
  id,
  type: 'line' as const,
  source,
  filter: ['==', ['geometry-type'], 'LineString'] as ['==', ...never],
  paint: { 'line-color': colour, 'line-width': 1 },
});

const STEPS = [30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];

/** Between two meridians, so that their labels do not touch. */
const LEAST_PIXELS = 90;

export interface Graticule {
  meridians: number[];
  parallels: number[];
  digits: number;
}

export function graticule(
  [west, south, east, north]: [number, number, number, number],
  pixels: number,
): Graticule {
  const least = (LEAST_PIXELS / pixels) * (east - west);
  const step = STEPS.findLast((s) => s >= least) ?? 30;
  const digits = Math.max(0, Math.ceil(-Math.log10(step)));
  const between = (low: number, high: number): number[] => {
    const found: number[] = [];
    for (let i = Math.ceil(low / step); i * step <= high && found.length < 100; i++) {
      found.push(i * step);
    }
    return found;
  };
  return {
    meridians: between(west, east),
    parallels: between(Math.max(-85, south), Math.min(85, north)),
    digits,
  };
}

export function graticuleLines(
  { meridians, parallels }: Graticule,
  [west, south, east, north]: [number, number, number, number],
): [number, number][][] {
  const top = Math.min(85, north);
  const bottom = Math.max(-85, south);
  return [
    ...meridians.map((lon): [number, number][] => [
      [lon, bottom],
      [lon, top],
    ]),
    ...parallels.map((lat): [number, number][] => [
      [west, lat],
      [east, lat],
    ]),
  ];
}
