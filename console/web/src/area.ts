/** Cells of the S2 geometry (https://s2geometry.io), which the numbers' areas are, by their token. */

type Point = [lon: number, lat: number];

/** Of a cell's four parts in the order of the curve: the halves of i and j, for each orientation. */
const POSITION_TO_IJ = [
  [0, 1, 3, 2],
  [0, 2, 3, 1],
  [3, 2, 0, 1],
  [3, 1, 0, 2],
] as const;
const POSITION_TO_ORIENTATION = [1, 0, 0, 3] as const;
const MOST_LEVEL = 30;

export interface Area {
  centre: Point;
  /** Its corners, the first once more at the end. */
  outline: Point[];
}

/** Null if the text is no token of an area. */
export function areaOf(token: string): Area | null {
  if (!/^[0-9a-f]{1,16}$/.test(token)) {
    return null;
  }
  const id = BigInt(`0x${token.padEnd(16, '0')}`);
  const face = Number(id >> 61n);
  let zeros = 0;
  while (zeros < 64 && ((id >> BigInt(zeros)) & 1n) === 0n) {
    zeros++;
  }
  const level = MOST_LEVEL - zeros / 2;
  if (face > 5 || zeros % 2 !== 0 || level < 0) {
    return null;
  }
  let orientation = face & 1;
  let i = 0;
  let j = 0;
  for (let k = 0; k < level; k++) {
    const position = Number((id >> BigInt(59 - 2 * k)) & 3n);
    const ij = POSITION_TO_IJ[orientation]?.[position] ?? 0;
    i = 2 * i + (ij >> 1);
    j = 2 * j + (ij & 1);
    orientation ^= POSITION_TO_ORIENTATION[position] ?? 0;
  }
  const size = 2 ** level;
  const at = (di: number, dj: number): Point => place(face, (i + di) / size, (j + dj) / size);
  return { centre: at(0.5, 0.5), outline: [at(0, 0), at(1, 0), at(1, 1), at(0, 1), at(0, 0)] };
}

const stretched = (s: number): number =>
  s >= 0.5 ? (4 * s * s - 1) / 3 : (1 - 4 * (1 - s) * (1 - s)) / 3;

function place(face: number, s: number, t: number): Point {
  const u = stretched(s);
  const v = stretched(t);
  const [x, y, z] = (
    [
      [1, u, v],
      [-u, 1, v],
      [-u, -v, 1],
      [-1, -v, -u],
      [v, -1, -u],
      [v, u, -1],
    ] as [number, number, number][]
  )[face] ?? [1, 0, 0];
  const degrees = 180 / Math.PI;
  return [Math.atan2(y, x) * degrees, Math.atan2(z, Math.hypot(x, y)) * degrees];
}
