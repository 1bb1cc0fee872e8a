/** The console's HTTP API, see /v1/openapi.json. */

export interface Place {
  lon: number;
  lat: number;
}

export type Source = 'gnss' | 'network' | 'mlp' | 'cell';

export interface Sighting {
  user: string;
  ts: string;
  cell: string | null;
  loc?: Place;
  src?: Source;
  acc?: number;
  alt?: number;
  cellLoc?: Place;
  far?: boolean;
  located?: string;
}

export interface LastKnown extends Sighting {
  fix?: Omit<Sighting, 'user'>;
}

export interface Within {
  sightings: Sighting[];
  more: boolean;
  missingIndex?: string;
}

/** How many devices are in each square over an area. */
export interface Grid {
  west: number;
  south: number;
  width: number;
  height: number;
  columns: number;
  rows: number;
  devices: number;
  squares: { c: number; r: number; n: number; newest: string }[];
}

/** A refusal of the server. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
  ) {
    super(detail);
  }
}

/** The server cannot be reached. */
export class ServerGone extends Error {}

/**
 * What a failed query says to the reader.
 *
 * @param other for a fault of the page
 * @param then what happens or is to be done if the server does not answer
 */
export function failureText(failure: unknown, other: string, then = ''): string {
  if (failure instanceof Refusal) {
    return failure.detail;
  }
  return failure instanceof ServerGone
    ? `The console’s server does not answer. ${then}`.trimEnd()
    : other;
}

const TOKEN_KEY = 'lastfix-token';
const PROBLEM = 'urn:lastfix:problem:';

let askForToken: (wasWrong: boolean) => Promise<string | null> = () => Promise.reject(new ServerGone());
let asking: Promise<void> | null = null;

/** How the reader is asked for the token, if the server wants one; null: it wants none any more. */
export function onTokenNeeded(ask: (wasWrong: boolean) => Promise<string | null>): void {
  askForToken = ask;
}

const generations = new Set<string>();
let tellOther: () => void = () => undefined;

/** What happens at the first answer from a console of another configuration or release than before. */
export function onOtherServer(tell: () => void): void {
  tellOther = tell;
}

function compare(response: Response): void {
  const now = response.headers.get('Lastfix-Console');
  if (now !== null) {
    const isOther = generations.size > 0 && !generations.has(now);
    generations.add(now);
    if (isOther) {
      tellOther();
    }
  }
}

export function authorization(): Record<string, string> {
  const token = sessionStorage.getItem(TOKEN_KEY);
  return token === null ? {} : { Authorization: `Bearer ${token}` };
}

/** Sends a request; asks for the token as often as the server refuses it. */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  for (;;) {
    const used = sessionStorage.getItem(TOKEN_KEY);
    let response: Response;
    try {
      response = await fetch(path, {
        ...init,
        headers: { ...init.headers, ...authorization() },
      });
    } catch (failure) {
      if (init.signal?.aborted) {
        throw failure;
      }
      throw new ServerGone();
    }
    compare(response);
    if (response.status !== 401) {
      return response;
    }
    await renewToken(used);
  }
}

/** Several requests at once ask the reader once. */
async function renewToken(used: string | null): Promise<void> {
  if (sessionStorage.getItem(TOKEN_KEY) !== used) {
    return;
  }
  asking ??= validToken(used !== null)
    .then((token) => {
      if (token === null) {
        sessionStorage.removeItem(TOKEN_KEY);
      } else {
        sessionStorage.setItem(TOKEN_KEY, token);
      }
    })
    .finally(() => {
      asking = null;
    });
  await asking;
}

/** What no header can have is no token; the server would not even hear of it. */
async function validToken(wasWrong: boolean): Promise<string | null> {
  for (let isWrong = wasWrong; ; isWrong = true) {
    const token = await askForToken(isWrong);
    if (token === null || /^[\x21-\x7e]+$/.test(token)) {
      return token;
    }
  }
}

export async function refusalOf(response: Response): Promise<Refusal> {
  try {
    const problem = (await response.json()) as { type?: string; detail?: string };
    return new Refusal(
      response.status,
      (problem.type ?? '').replace(PROBLEM, ''),
      problem.detail ?? response.statusText,
    );
  } catch {
    return new Refusal(response.status, `http-${response.status}`, response.statusText);
  }
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await send(path, signal ? { signal } : {});
  if (!response.ok) {
    throw await refusalOf(response);
  }
  try {
    return (await response.json()) as T;
  } catch (failure) {
    if (signal?.aborted) {
      throw failure;
    }
    throw new ServerGone();
  }
}

export const where = (user: string, signal?: AbortSignal): Promise<LastKnown> =>
  get(`v1/where/${encodeURIComponent(user)}`, signal);

export const within = (bbox: number[], limit: number, signal?: AbortSignal): Promise<Within> =>
  get(`v1/within?bbox=${bbox.map((n) => n.toFixed(6)).join(',')}&limit=${limit}`, signal);

export const gridCounts = (
  { bounds, columns, rows }: { bounds: number[]; columns: number; rows: number },
  signal?: AbortSignal,
): Promise<Grid> =>
  get(
    `v1/grid?bbox=${bounds.map((n) => n.toFixed(9)).join(',')}&columns=${columns}&rows=${rows}`,
    signal,
  );
