// Writes the coast that ships with the page: the world, roughly, and the sample's region in detail.
// Both come from Natural Earth, which is in the public domain, by way of the package world-atlas.
import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { feature, mesh } from 'topojson-client';

const files = fileURLToPath(new URL('../../target/public/', import.meta.url));
const folder = `${files}base/`;
const atlas = (name) => fileURLToPath(new URL(`../node_modules/world-atlas/${name}.json`, import.meta.url));
const read = (name) => JSON.parse(readFileSync(atlas(name), 'utf8'));

/** Around San Francisco, west, south, east, north. */
const REGION = [-126, 34, -118, 42];

function clipRing(ring, [west, south, east, north]) {
  const sides = [
    [(p) => p[0] >= west, (a, b) => at(a, b, 0, west)],
    [(p) => p[0] <= east, (a, b) => at(a, b, 0, east)],
    [(p) => p[1] >= south, (a, b) => at(a, b, 1, south)],
    [(p) => p[1] <= north, (a, b) => at(a, b, 1, north)],
  ];
  let points = ring.slice(0, -1);
  for (const [inside, cut] of sides) {
    const next = [];
    points.forEach((point, i) => {
      const before = points[(i + points.length - 1) % points.length];
      if (inside(point) !== inside(before)) {
        next.push(cut(before, point));
      }
      if (inside(point)) {
        next.push(point);
      }
    });
    points = next;
  }
  return points.length < 3 ? null : [...points, points[0]];
}

function at(a, b, axis, value) {
  const part = (value - a[axis]) / (b[axis] - a[axis]);
  const point = [a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])];
  point[axis] = value;
  return point;
}

const WORLD = [-180, -90, 180, 90];

/** Each point on the shorter way from the one before, so beyond the 180th meridian if need be. */
function continued(line) {
  let before = line[0][0];
  return line.map(([lon, lat]) => {
    before = lon + 360 * Math.round((before - lon) / 360);
    return [before, lat];
  });
}

const shifted = (line, by) => line.map(([lon, lat]) => [lon + by, lat]);

/** The outer ring may lie beyond the 180th meridian. Returns the hole shifted to where the ring is. */
function within(outer, hole) {
  const lons = outer.map(([lon]) => lon);
  const middle = (Math.min(...lons) + Math.max(...lons)) / 2;
  return shifted(hole, 360 * Math.round((middle - hole[0][0]) / 360));
}

/** Cuts a polygon at the 180th meridian, the edge of the flat map; the atlas's polygons cross it. */
function cutPolygon([shell, ...holes]) {
  let outer = continued(shell);
  const first = outer[0];
  const last = outer[outer.length - 1];
  if (Math.abs(last[0] - first[0]) >= 180) {
    // Around a pole, of which the flat map has an edge.
    const pole = Math.sign(first[1]) * 90;
    outer = [...outer, [last[0], pole], [first[0], pole], first];
  }
  const all = [outer, ...holes.map((hole) => within(outer, continued(hole)))];
  return [-360, 0, 360]
    .map((by) => all.map((ring) => clipRing(shifted(ring, by), WORLD)).filter((ring) => ring !== null))
    .filter((parts) => parts.length > 0);
}

function cutLine(line) {
  const points = continued(line);
  return [-360, 0, 360].flatMap((by) => {
    const parts = [];
    let part = [];
    shifted(points, by).forEach((point, i, all) => {
      const before = all[i - 1];
      const isIn = ([lon]) => Math.abs(lon) <= 180;
      if (before !== undefined && isIn(before) !== isIn(point)) {
        const outside = isIn(before) ? point : before;
        part.push(at(before, point, 0, Math.sign(outside[0]) * 180));
      }
      if (isIn(point)) {
        part.push(point);
      } else if (part.length > 0) {
        parts.push(part);
        part = [];
      }
    });
    parts.push(part);
    return parts.filter((it) => it.length > 1);
  });
}

function clipLine(line, [west, south, east, north]) {
  const inside = ([x, y]) => x > west && x < east && y > south && y < north;
  const parts = [];
  let part = [];
  for (const point of line) {
    if (inside(point)) {
      part.push(point);
    } else if (part.length > 0) {
      parts.push(part);
      part = [];
    }
  }
  parts.push(part);
  return parts.filter((points) => points.length > 1);
}

/** Five digits are a metre. */
const rounded = (value) => (Array.isArray(value) ? value.map(rounded) : Math.round(value * 1e5) / 1e5);

function collection(polygons, lines) {
  return JSON.stringify({
    type: 'FeatureCollection',
    features: [
      { type: 'Feature', properties: {}, geometry: { type: 'MultiPolygon', coordinates: rounded(polygons) } },
      { type: 'Feature', properties: {}, geometry: { type: 'MultiLineString', coordinates: rounded(lines) } },
    ],
  });
}

function polygonsOf(topology) {
  return feature(topology, topology.objects.land).features.flatMap(({ geometry }) =>
    geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates,
  );
}

const isCurrent = (file) => {
  try {
    return statSync(file).mtimeMs > statSync(fileURLToPath(import.meta.url)).mtimeMs;
  } catch {
    return false;
  }
};

cpSync(fileURLToPath(new URL('../public/', import.meta.url)), files, { recursive: true });
if (!isCurrent(`${folder}region.json`)) {
  mkdirSync(folder, { recursive: true });
  const world = read('land-110m');
  writeFileSync(
    `${folder}world.json`,
    collection(
      polygonsOf(world).flatMap(cutPolygon),
      mesh(world, world.objects.land).coordinates.flatMap(cutLine),
    ),
  );
  const detailed = read('land-10m');
  const polygons = polygonsOf(detailed)
    .map((rings) => rings.map((ring) => clipRing(ring, REGION)).filter((ring) => ring !== null))
    .filter((rings) => rings.length > 0);
  const lines = mesh(detailed, detailed.objects.land).coordinates.flatMap((line) => clipLine(line, REGION));
  writeFileSync(`${folder}region.json`, collection(polygons, lines));
}
