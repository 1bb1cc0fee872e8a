import type { StyleSpecification } from 'maplibre-gl';

/** Where the detailed coast of the sample lies; tools/base-map.mjs has the same bounds. */
const REGION = [-126, 34, -118, 42] as const;
const DETAIL_ZOOM = 4.5;

const LIGHT = { sea: '#d5e3ec', land: '#f5f3ee', coast: '#8aa4b5' };
const DARK = { sea: '#14212b', land: '#222d35', coast: '#4d6474' };

export const isDark = (): boolean => matchMedia('(prefers-color-scheme: dark)').matches;

const url = (file: string): string => new URL(`base/${file}`, document.baseURI).href;

export function baseStyle(): StyleSpecification {
  const colours = isDark() ? DARK : LIGHT;
  const [west, south, east, north] = REGION;
  return {
    version: 8,
    sources: {
      world: { type: 'geojson', data: url('world.json'), tolerance: 0 },
      region: { type: 'geojson', data: url('region.json'), tolerance: 0, maxzoom: 12 },
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
