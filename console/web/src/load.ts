type Load = (signal: AbortSignal) => Promise<void>;

/** One load at a time: a new one ends the one before, of which nothing is said any more. */
export class Latest {
  private running: AbortController | null = null;

  /** False if it was ended. */
  async run(load: Load, failed: (failure: unknown) => void): Promise<boolean> {
    this.end();
    const mine = new AbortController();
    this.running = mine;
    try {
      await load(mine.signal);
    } catch (failure) {
      if (!mine.signal.aborted) {
        failed(failure);
      }
    }
    return !mine.signal.aborted;
  }

  end(): void {
    this.running?.abort();
  }
}

/** Loads at once while something is shown, and again some time after each load. */
export function repeated(
  millis: number,
  load: Load,
  failed: (failure: unknown) => void,
): (isShown: boolean) => void {
  const latest = new Latest();
  let timer = 0;
  const again = async (): Promise<void> => {
    if (await latest.run(load, failed)) {
      timer = window.setTimeout(() => void again(), millis);
    }
  };
  return (isShown) => {
    clearTimeout(timer);
    latest.end();
    if (isShown) {
      void again();
    }
  };
}
