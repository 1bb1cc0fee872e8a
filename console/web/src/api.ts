/** The console's HTTP API, see /v1/openapi.json. */

import type { Store } from './store';

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

/** What a grid counts: the squares of a view. */
export interface View {
  readonly bounds: number[];
  readonly columns: number;
  readonly rows: number;
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

const isToken = (token: string): boolean => /^[\x21-\x7e]+$/.test(token);

/** The console's server. The store hears if it wants its token, or is another one than before. */
export class Server {
  private readonly generations = new Set<string>();
  private asking: Promise<void> | null = null;

  constructor(private readonly store: Store) {}

  /** Sends a request; asks for the token as often as the server refuses it. */
  async send(path: string, init: RequestInit = {}): Promise<Response> {
    for (;;) {
      const token = sessionStorage.getItem(TOKEN_KEY);
      const authorization = token === null ? {} : { Authorization: `Bearer ${token}` };
      let response: Response;
      try {
        response = await fetch(path, { ...init, headers: { ...init.headers, ...authorization } });
      } catch (failure) {
        if (init.signal?.aborted) {
          throw failure;
        }
        throw new ServerGone();
      }
      this.compare(response);
      if (response.status !== 401) {
        return response;
      }
      await this.renewToken(token);
    }
  }

  async get<T>(path: string, signal?: AbortSignal): Promise<T> {
    const response = await this.send(path, signal ? { signal } : {});
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

  /** Null if the server does not know the device. */
  async where(user: string, signal?: AbortSignal): Promise<LastKnown | null> {
    try {
      return await this.get(`v1/where/${encodeURIComponent(user)}`, signal);
    } catch (failure) {
      if (failure instanceof Refusal && failure.status === 404) {
        return null;
      }
      throw failure;
    }
  }

  within(bbox: number[], limit: number, signal?: AbortSignal): Promise<Within> {
    return this.get(`v1/within?bbox=${bbox.map((n) => n.toFixed(6)).join(',')}&limit=${limit}`, signal);
  }

  gridCounts({ bounds, columns, rows }: View, signal?: AbortSignal): Promise<Grid> {
    const bbox = bounds.map((n) => n.toFixed(9)).join(',');
    return this.get(`v1/grid?bbox=${bbox}&columns=${columns}&rows=${rows}`, signal);
  }

  /** A console of another configuration or release answers with another name. */
  private compare(response: Response): void {
    const now = response.headers.get('Lastfix-Console');
    if (now !== null && !this.generations.has(now)) {
      this.generations.add(now);
      if (this.generations.size > 1) {
        this.store.set({ otherServers: this.generations.size - 1 });
      }
    }
  }

  /** Several requests at once ask the reader once. */
  private async renewToken(used: string | null): Promise<void> {
    if (sessionStorage.getItem(TOKEN_KEY) !== used) {
      return;
    }
    this.asking ??= this.askForToken(used !== null).finally(() => {
      this.asking = null;
    });
    await this.asking;
  }

  /** What no header can have is no token; the server would not even hear of it. */
  private async askForToken(wasWrong: boolean): Promise<void> {
    // It answers, so it has not failed any more.
    const token = await new Promise<string | null>((answer) =>
      this.store.set({ tokenRequest: { wasWrong, answer }, failure: null }),
    );
    this.store.set({ tokenRequest: null });
    if (token === null) {
      sessionStorage.removeItem(TOKEN_KEY);
    } else if (isToken(token)) {
      sessionStorage.setItem(TOKEN_KEY, token);
    } else {
      await this.askForToken(true);
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
