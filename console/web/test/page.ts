import { vi } from 'vitest';
import html from '../index.html?raw';
import type { Grid, Sighting } from '../src/api';
import type { LiveMap } from '../src/map';

export const NOW = Date.parse('2026-11-20T12:00:00Z');

/** The elements of index.html, with nothing in them yet. */
export function openPage(): void {
  document.body.innerHTML = /<body>(.*)<script/s.exec(html)?.[1] ?? '';
}

/** A device some seconds before {@link NOW}. */
export const seen = (user: string, secondsAgo: number, further: Partial<Sighting> = {}): Sighting => ({
  user,
  ts: new Date(NOW - secondsAgo * 1_000).toISOString(),
  cell: null,
  loc: { lon: 10, lat: 50 },
  src: 'gnss',
  ...further,
});

export const crowdOf = (devices: number): Grid => ({
  west: 0,
  south: 0,
  width: 10,
  height: 10,
  columns: 1,
  rows: 1,
  devices,
  squares: [{ c: 0, r: 0, n: devices, newest: '' }],
});

/** A map that draws nothing, and remembers what it was told. */
export function fakeMap() {
  const calls = {
    show: vi.fn(),
    select: vi.fn(),
    setExtra: vi.fn(),
    goTo: vi.fn(),
    fit: vi.fn(),
    capture: vi.fn(),
    onMoved: vi.fn(),
    onPicked: vi.fn(),
    isPlaced: vi.fn(() => true),
    bounds: vi.fn(() => [0, 40, 20, 60]),
    corners: vi.fn(() => [[0, 40], [20, 60]]),
    gridOfView: vi.fn(() => ({ bounds: [0, 40, 20, 60], columns: 2, rows: 2 })),
  };
  return { calls, map: calls as unknown as LiveMap };
}

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers });

export const refused = (status: number, code: string, detail = code): Response =>
  json({ type: `urn:lastfix:problem:${code}`, detail }, status);

type Answer = (path: string, init: RequestInit) => unknown;

/**
 * A server that answers by the beginning of the path; to a request of another, not at all.
 *
 * @return the paths that were asked for
 */
export function serve(answers: Record<string, Answer>): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    asked.push(path);
    const found = Object.entries(answers).find(([start]) => path.startsWith(start));
    if (found === undefined) {
      throw new TypeError(`no server at ${path}`);
    }
    const answer = await found[1](path, init);
    return answer instanceof Response ? answer : json(answer);
  });
  return asked;
}

/** Lets what is under way come to its end, and timers of that time ring. */
export const pass = (millis = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(millis);

export function press(element: ParentNode, name: string): void {
  const found = [...element.querySelectorAll('button')].find((it) => it.textContent === name);
  if (found === undefined) {
    throw new Error(`no button ${name}`);
  }
  found.click();
}

export function change(element: ParentNode, selector: string, value: string): void {
  const control = element.querySelector<HTMLInputElement>(selector);
  if (control === null) {
    throw new Error(`no ${selector}`);
  }
  control.value = value;
  control.dispatchEvent(new Event('change'));
}

export const text = (element: ParentNode, selector: string): string =>
  element.querySelector(selector)?.textContent ?? '';
