import { Refusal, refusalOf, type Server, type Sighting } from './api';
import type { Bounds } from './bounds';
import type { LiveState } from './store';

export interface LiveHandlers {
  located(sightings: Sighting[]): void;
  /** Everything has to be queried again. */
  reset(): void;
  state(state: LiveState, problem: string | null): void;
}

const SILENCE_MILLIS = 40_000;
const FIRST_RETRY_MILLIS = 1_000;
const LONGEST_RETRY_MILLIS = 10_000;
/** After a longer pause all is queried anyway, and what came meanwhile is no news. */
const RESUMED_WITHIN_MILLIS = 60_000;

/** Server-sent events by fetch, because EventSource can send no token. */
export class Live {
  private lastId: string | null = null;
  private stopped = 0;
  private current: AbortController | null = null;
  private retryMillis = FIRST_RETRY_MILLIS;
  private isOff = false;

  constructor(
    private readonly server: Server,
    private readonly handlers: LiveHandlers,
  ) {}

  /** Listens to an area instead of the one before. */
  follow(bounds: Bounds): void {
    if (this.current === null && performance.now() - this.stopped > RESUMED_WITHIN_MILLIS) {
      this.lastId = null;
    }
    this.current?.abort();
    if (!this.isOff) {
      this.current = new AbortController();
      void this.listen(bounds, this.current.signal);
    }
  }

  /** Asks another server, which may have what this one has not. */
  retry(): void {
    this.isOff = false;
    this.stop();
  }

  /** Listens to nothing. */
  stop(): void {
    if (this.current !== null) {
      this.current.abort();
      this.current = null;
      this.stopped = performance.now();
    }
  }

  private async listen(bounds: Bounds, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      let refusal: Refusal | null = null;
      try {
        await this.stream(bounds, signal);
      } catch (failure) {
        // Another failure is the same as an end.
        refusal = failure instanceof Refusal ? failure : null;
      }
      if (signal.aborted || this.isOff) {
        return;
      }
      if (refusal === null) {
        this.handlers.state('gone', null);
      } else {
        this.handlers.state('stopped', refusal.detail);
      }
      await pause(this.retryMillis, signal);
      this.retryMillis = Math.min(2 * this.retryMillis, LONGEST_RETRY_MILLIS);
    }
  }

  private async stream(bounds: Bounds, outer: AbortSignal): Promise<void> {
    const quiet = new AbortController();
    const signal = AbortSignal.any([outer, quiet.signal]);
    let timer = window.setTimeout(() => quiet.abort(), SILENCE_MILLIS);
    try {
      const response = await this.server.send(`v1/live?bbox=${bounds.map((n) => n.toFixed(6)).join(',')}`, {
        signal,
        headers: this.lastId === null ? {} : { 'Last-Event-ID': this.lastId },
      });
      if (!response.ok || response.body === null) {
        const refusal = await refusalOf(response);
        if (refusal.code === 'live-off') {
          this.isOff = true;
          this.handlers.state('off', null);
          return;
        }
        throw refusal;
      }
      this.retryMillis = FIRST_RETRY_MILLIS;
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      for (;;) {
        const { done, value } = await reader.read();
        if (done) {
          return;
        }
        clearTimeout(timer);
        timer = window.setTimeout(() => quiet.abort(), SILENCE_MILLIS);
        const events = (text + value).split('\n\n');
        text = events.pop() ?? '';
        events.forEach((event) => this.handle(event));
      }
    } finally {
      clearTimeout(timer);
    }
  }

  private handle(text: string): void {
    const fields = new Map(
      text.split('\n').map((line): [string, string] => {
        const colon = line.indexOf(': ');
        return colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 2)];
      }),
    );
    const id = fields.get('id');
    if (id !== undefined) {
      this.lastId = id;
    }
    const data = fields.get('data') ?? '';
    switch (fields.get('event')) {
      case 'located':
        this.handlers.located(JSON.parse(data) as Sighting[]);
        break;
      case 'reset':
        this.handlers.reset();
        break;
      case 'refused':
        throw new Refusal(503, 'overloaded', (JSON.parse(data) as { detail: string }).detail);
      case 'state': {
        const { problem } = JSON.parse(data) as { problem: string };
        if (problem === '') {
          this.handlers.state('live', null);
        } else {
          this.handlers.state('stopped', problem);
        }
        break;
      }
    }
  }
}

function pause(millis: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, millis);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
