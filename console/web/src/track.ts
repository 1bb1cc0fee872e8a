import { PathLayer, ScatterplotLayer } from '@deck.gl/layers';
import type { Layer } from '@deck.gl/core';
import type { Server, Sighting } from './api';
import { nearTo } from './bounds';

/** Of one device; a month of a record a minute has 43,000. */
const MOST_POINTS = 50_000;
const PAGE = 10_000;

/** A longer silence is a gap: the line is not drawn across it. */
export const GAP_MILLIS = 5 * 60_000;

export const MOST_TRACKS = 6;

const COLOURS: [number, number, number][] = [
  [214, 51, 108],
  [12, 133, 153],
  [230, 119, 0],
  [103, 65, 217],
  [47, 158, 68],
  [134, 84, 48],
];

export interface Track {
  user: string;
  colour: [number, number, number];
  /** Oldest first. */
  sightings: Sighting[];
  times: number[];
  /** The line between its gaps. */
  line: [number, number][][];
  isCut: boolean;
}

interface Page {
  sightings: Sighting[];
  next?: string;
}

/** Reads a device's history, page by page. */
export async function loadTrack(
  server: Server,
  user: string,
  from: number,
  to: number,
  taken: Track[],
  signal: AbortSignal,
): Promise<Track> {
  const path = `v1/history/${encodeURIComponent(user)}?limit=${PAGE}`;
  const range = `&order=oldest-first&from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`;
  const sightings: Sighting[] = [];
  let page = await server.get<Page>(path + range, signal);
  sightings.push(...page.sightings);
  while (page.next !== undefined && sightings.length < MOST_POINTS) {
    page = await server.get<Page>(`${path}&token=${encodeURIComponent(page.next)}`, signal);
    sightings.push(...page.sightings);
  }
  const colour =
    COLOURS.find((it) => taken.every((track) => track.colour !== it)) ?? COLOURS[0] ?? [0, 0, 0];
  const times = sightings.map(({ ts }) => Date.parse(ts));
  return { user, colour, sightings, times, line: parts(sightings, times), isCut: page.next !== undefined };
}

/**
 * The parts of a track between its gaps; records without a position are left out. All lie beside
 * the track's first record, if need be beyond the 180th meridian.
 */
export function parts(sightings: Sighting[], times: number[]): [number, number][][] {
  const found: [number, number][][] = [];
  let part: [number, number][] = [];
  let before = -Infinity;
  let lastLon: number | null = null;
  sightings.forEach(({ loc }, i) => {
    const time = times[i] ?? 0;
    if (time - before > GAP_MILLIS && part.length > 0) {
      found.push(part);
      part = [];
    }
    before = time;
    if (loc) {
      lastLon = nearTo(loc.lon, lastLon ?? loc.lon);
      part.push([lastLon, loc.lat]);
    }
  });
  found.push(part);
  return found.filter((points) => points.length > 0);
}

/** Index of the last record at that time or before; -1: none. */
export function indexAt(track: Track, time: number): number {
  let low = 0;
  let high = track.times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((track.times[middle] ?? 0) <= time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low - 1;
}

/** Where a device was; null in a gap, before the first record and after the last. */
export function placeAt(track: Track, time: number): [number, number] | null {
  const i = indexAt(track, time);
  const before = track.sightings[i];
  const after = track.sightings[i + 1];
  if (!before?.loc) {
    return null;
  }
  const start = track.times[i] ?? 0;
  if (time === start || !after) {
    return time - start <= 1_000 ? [before.loc.lon, before.loc.lat] : null;
  }
  const end = track.times[i + 1] ?? 0;
  if (end - start > GAP_MILLIS || !after.loc) {
    return null;
  }
  const part = (time - start) / (end - start);
  return [
    before.loc.lon + part * (nearTo(after.loc.lon, before.loc.lon) - before.loc.lon),
    before.loc.lat + part * (after.loc.lat - before.loc.lat),
  ];
}

/** The tracks' lines and points; with a time, also where each device was then. */
export function trackLayers(tracks: Track[], time: number | null): Layer[] {
  return [
    ...tracks.map(
      (track) =>
        new PathLayer<[number, number][]>({
          id: `track-${track.user}`,
          data: track.line,
          getPath: (points) => points,
          getColor: [...track.colour, 200],
          widthUnits: 'pixels',
          getWidth: 2.5,
          jointRounded: true,
          capRounded: true,
        }),
    ),
    new ScatterplotLayer<{ at: [number, number]; colour: [number, number, number] }>({
      id: 'track-heads',
      data:
        time === null
          ? []
          : tracks.flatMap((track) => {
              const at = placeAt(track, time);
              return at === null ? [] : [{ at, colour: track.colour }];
            }),
      getPosition: ({ at }) => at,
      getFillColor: ({ colour }) => colour,
      getRadius: 8,
      radiusUnits: 'pixels',
      stroked: true,
      getLineColor: [255, 255, 255],
      lineWidthUnits: 'pixels',
      getLineWidth: 2.5,
    }),
  ];
}

const escaped = (text: string): string =>
  text.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const cell = (value: unknown): string => {
  const text = value === undefined || value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** As `lastfix history --csv`. */
export function toCsv(track: Track): string {
  const heading = 'user,ts,cell,lon,lat,src,acc,alt,cellLon,cellLat,far,located';
  const lines = track.sightings.map((it) =>
    [
      it.user,
      it.ts,
      it.cell,
      it.loc?.lon,
      it.loc?.lat,
      it.src,
      it.acc,
      it.alt,
      it.cellLoc?.lon,
      it.cellLoc?.lat,
      it.far,
      it.located,
    ]
      .map(cell)
      .join(','),
  );
  return [heading, ...lines, ''].join('\r\n');
}

/** As `lastfix history --geojson`: a point for each record. */
export function toGeoJson(track: Track): string {
  return JSON.stringify({
    type: 'FeatureCollection',
    features: track.sightings.map(({ loc, ...properties }) => ({
      type: 'Feature',
      geometry: loc ? { type: 'Point', coordinates: [loc.lon, loc.lat] } : null,
      properties,
    })),
  });
}

/** GPX 1.1; a segment ends at a gap. */
export function toGpx(track: Track): string {
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gpx version="1.1" creator="Lastfix" xmlns="http://www.topografix.com/GPX/1/1">',
    `<trk><name>${escaped(track.user)}</name><trkseg>`,
  ];
  let before: number | null = null;
  track.sightings.forEach(({ loc, alt, ts }, i) => {
    const time = track.times[i] ?? 0;
    if (before !== null && time - before > GAP_MILLIS) {
      lines.push('</trkseg><trkseg>');
    }
    before = time;
    if (loc) {
      const elevation = alt === undefined ? '' : `<ele>${alt}</ele>`;
      lines.push(
        `<trkpt lat="${loc.lat}" lon="${loc.lon}">${elevation}<time>${escaped(ts)}</time></trkpt>`,
      );
    }
  });
  lines.push('</trkseg></trk></gpx>', '');
  return lines.join('\n');
}
