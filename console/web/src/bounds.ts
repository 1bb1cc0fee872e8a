import type { Sighting } from './api';

/** If west is more than east, it crosses the 180th meridian. */
export type Bounds = [west: number, south: number, east: number, north: number];

export const wrapped = (lon: number): number => ((((lon + 180) % 360) + 360) % 360) - 180;

/**
 * A longitude, counted on beyond the 180th meridian if that is nearer to another one: so a line
 * does not run around the earth.
 */
export const nearTo = (lon: number, other: number): number =>
  lon + 360 * Math.round((other - lon) / 360);

export function isIn([west, south, east, north]: Bounds, { loc }: Sighting): boolean {
  if (!loc) {
    return false;
  }
  const between = west < east ? loc.lon >= west && loc.lon <= east : loc.lon >= west || loc.lon <= east;
  return between && loc.lat >= south && loc.lat <= north;
}
