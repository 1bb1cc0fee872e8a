import type { Grid, LastKnown, Sighting } from './api';

export type Tab = 'view' | 'device' | 'area' | 'numbers' | 'health';

export type Numbers = 'counts' | 'density' | 'flows';

/** What the reader has to know about live updates. */
export type LiveState = 'connecting' | 'live' | 'stopped' | 'off' | 'gone';

/** The device that the reader has chosen, and what is known of it. */
export type Chosen =
  | { readonly user: string; readonly is: 'sought' | 'unknown' }
  | { readonly user: string; readonly is: 'known'; readonly found: LastKnown };

/** The server wants its token. */
export interface TokenRequest {
  readonly wasWrong: boolean;
  /** Takes the token; null: the server wants none any more. */
  answer(token: string | null): void;
}

/** All that more than one part of the page has to know. */
export interface State {
  readonly tab: Tab;
  readonly numbers: Numbers;
  /** The devices in view, the last seen first; of a crowd the latest only. Null until they are known. */
  readonly inView: readonly Sighting[] | null;
  /** How many devices are where, if they are too many to be shown one by one. */
  readonly crowd: Grid | null;
  readonly device: Chosen | null;
  readonly live: LiveState;
  /** Why nothing comes live; null if there is nothing to say. */
  readonly liveProblem: string | null;
  /** Whether the stream leaves out what is stored. */
  readonly isLacking: boolean;
  /** What the reader is told while the server does not answer; null while it does. */
  readonly failure: string | null;
  readonly tokenRequest: TokenRequest | null;
  /** How often the console was started as another one since the page was loaded. */
  readonly otherServers: number;
}

const INITIAL: State = {
  tab: 'view',
  numbers: 'counts',
  inView: null,
  crowd: null,
  device: null,
  live: 'connecting',
  liveProblem: null,
  isLacking: false,
  failure: null,
  tokenRequest: null,
  otherServers: 0,
};

/** Holds the page's state, and tells the views when it changes. */
export class Store {
  private now: State;
  private readonly watchers: ((before: State) => void)[] = [];

  constructor(differs: Partial<State> = {}) {
    this.now = { ...INITIAL, ...differs };
  }

  get state(): State {
    return this.now;
  }

  set(change: Partial<State>): void {
    const before = this.now;
    this.now = { ...before, ...change };
    this.watchers.forEach((tell) => tell(before));
  }

  /** Shows a view now, and whenever one of these values has become another. It is given these alone. */
  watch<K extends keyof State>(keys: readonly K[], view: (now: Pick<State, K>) => void): void {
    this.watchers.push((before) => {
      if (keys.some((key) => before[key] !== this.now[key])) {
        view(this.now);
      }
    });
    view(this.now);
  }

  /** Tells a view when it comes into sight and when it goes. */
  whileShown(isShown: (now: State) => boolean, show: (isShown: boolean) => void): void {
    let was = false;
    this.watch(['tab', 'numbers'], () => {
      const is = isShown(this.now);
      if (is !== was) {
        was = is;
        show(is);
      }
    });
  }
}
