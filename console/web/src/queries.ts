import { failureText, type Grid, type LastKnown, Refusal, type Server, ServerGone, type Sighting } from './api';
import type { Bounds } from './bounds';
import { Latest } from './load';
import { Live } from './live';
import type { LiveMap } from './map';
import { Sightings } from './sightings';
import type { Store } from './store';

const MOST_IN_VIEW = 20_000;
/** Of a crowd so many are listed. */
export const LISTED = 100;
/** While records come live, the view is only corrected: devices that left it, erased users. */
const LIVE_REFRESH_MILLIS = 20_000;
const REFRESH_MILLIS = 5_000;
const DRAW_MILLIS = 250;
const MOVE_PAUSE_MILLIS = 150;
const FIRST_RETRY_MILLIS = 1_000;
const LONGEST_RETRY_MILLIS = 10_000;

/** Until what was drawn is on the screen. No frame comes while nobody sees the page. */
const painted = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));

/** Keeps the store up to date: the devices in the map's view, and the one that the reader has chosen. */
export class Queries {
  private readonly sightings = new Sightings();
  private readonly loading = new Latest();
  private readonly live: Live;
  private timer = 0;
  private drawing = 0;
  private deviceMoved = false;
  private retryMillis = FIRST_RETRY_MILLIS;

  constructor(
    private readonly store: Store,
    private readonly server: Server,
    private readonly map: LiveMap,
  ) {
    this.live = new Live(server, {
      located: (sightings) => this.located(sightings),
      reset: () => {
        this.sightings.beginAnew();
        this.schedule(0);
      },
      state: (live, liveProblem) => {
        // Queries at once: what was missed, or whether the server has gone.
        if ((live === 'live') !== (store.state.live === 'live')) {
          this.sightings.beginAnew();
          this.sightings.isLacking = false;
          this.schedule(0);
        }
        store.set({ live, liveProblem, isLacking: this.sightings.isLacking });
      },
    });
  }

  /** Begins, and goes on as long as the page is open. */
  start(): void {
    this.map.onMoved(() => this.schedule(MOVE_PAUSE_MILLIS));
    this.store.watch(['otherServers'], ({ otherServers }) => {
      if (otherServers > 0) {
        this.live.retry();
        this.sightings.unfollow();
        this.schedule(0);
      }
    });
    // A browser opens six connections to a server, for all its tabs: those that nobody sees leave theirs.
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) {
        clearTimeout(this.timer);
        this.loading.end();
        this.stopFollowing();
      } else {
        this.schedule(0);
      }
    });
    if (this.map.isPlaced()) {
      // At once: the query is on its way while the map is drawn for the first time.
      void this.load();
    } else {
      void this.showAll();
      this.schedule(1_000);
    }
  }

  /** Chooses a device, and looks for it. */
  async find(user: string, moves: boolean): Promise<void> {
    this.store.set({ tab: 'device', device: { user, is: 'sought' } });
    try {
      const found = await this.query(user);
      if (moves && found?.loc) {
        this.map.goTo(found.loc.lon, found.loc.lat);
      }
    } catch (failure) {
      if (this.isChosen(user)) {
        this.store.set({ device: null });
      }
      this.failed(failure);
    }
  }

  /** Moves the map to where devices are. */
  async showAll(): Promise<void> {
    try {
      const found = await this.server.within([-180, -90, 180, 90], 1_000);
      this.map.fit(found.sightings);
      if (found.sightings.length === 0) {
        this.schedule(0);
      }
    } catch {
      // The view's own loading says what is wrong.
      this.schedule(0);
    }
  }

  private schedule(millis: number): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.load(), millis);
  }

  private async load(): Promise<void> {
    await this.loading.run(
      async (signal) => {
        const crowd = await this.loadView(this.map.bounds(), signal);
        this.store.set({ failure: null });
        await this.refreshDevice(signal);
        this.draw(crowd);
        const isComing = this.store.state.live === 'live' && !this.sightings.isLacking && crowd === null;
        this.schedule(isComing ? LIVE_REFRESH_MILLIS : REFRESH_MILLIS);
      },
      (failure) => this.failed(failure),
    );
  }

  /** Null if all devices in view are known one by one. */
  private async loadView(bounds: Bounds, signal: AbortSignal): Promise<Grid | null> {
    const hasMoved = !this.sightings.isFollowing(bounds);
    const began = performance.now();
    // Where it was not too crowded, only a query that finds too many says that it is.
    if (hasMoved || this.store.state.crowd !== null) {
      const counted = await this.server.gridCounts(this.map.gridOfView(), signal);
      if (counted.devices > MOST_IN_VIEW) {
        return this.loadCrowd(counted, bounds, signal);
      }
    }
    if (hasMoved) {
      // Before the query, so that nothing between the two is missed.
      this.sightings.follow(bounds);
      this.live.follow(bounds);
    }
    const { sightings, more } = await this.server.within(bounds, MOST_IN_VIEW, signal);
    if (more) {
      return this.loadCrowd(await this.server.gridCounts(this.map.gridOfView(), signal), bounds, signal);
    }
    this.sightings.find(sightings, began, hasMoved, this.store.state.live === 'live');
    return null;
  }

  /** Counts instead of points, and the latest devices in the list. Records are not followed one by one. */
  private async loadCrowd(crowd: Grid, bounds: Bounds, signal: AbortSignal): Promise<Grid> {
    this.stopFollowing();
    // The squares do not wait for the list, nor for a processor that its query would take.
    this.draw(crowd);
    await painted();
    this.sightings.findSome((await this.server.within(bounds, LISTED, signal)).sightings);
    return crowd;
  }

  private stopFollowing(): void {
    this.live.stop();
    this.sightings.unfollow();
  }

  private located(sightings: Sighting[]): void {
    this.sightings.hear(sightings, performance.now());
    const { device } = this.store.state;
    this.deviceMoved ||= device?.is === 'known' && sightings.some(({ user }) => user === device.user);
    this.drawing ||= window.setTimeout(() => {
      this.drawing = 0;
      this.draw(this.store.state.crowd);
      if (this.deviceMoved) {
        this.deviceMoved = false;
        // The next query of the view says what is wrong.
        void this.refreshDevice().catch(() => undefined);
      }
    }, DRAW_MILLIS);
  }

  private draw(crowd: Grid | null): void {
    this.store.set({ inView: this.sightings.newestFirst(), crowd, isLacking: this.sightings.isLacking });
  }

  /** What is known of the chosen device by now; also of one that had never been seen. */
  private async refreshDevice(signal?: AbortSignal): Promise<void> {
    const { device, tab } = this.store.state;
    if (device?.is === 'known' || (device?.is === 'unknown' && tab === 'device')) {
      await this.query(device.user, signal);
    }
  }

  /** Null as well if the reader has chosen another device meanwhile. */
  private async query(user: string, signal?: AbortSignal): Promise<LastKnown | null> {
    const found = await this.server.where(user, signal);
    if (!this.isChosen(user)) {
      return null;
    }
    // One that is erased meanwhile is no fault of the server.
    this.store.set({ device: found === null ? { user, is: 'unknown' } : { user, is: 'known', found } });
    return found;
  }

  private isChosen(user: string): boolean {
    return this.store.state.device?.user === user;
  }

  /** The server is gone, or refuses: says so, and tries again. */
  private failed(failure: unknown): void {
    const { failure: before, inView } = this.store.state;
    this.retryMillis = before === null ? FIRST_RETRY_MILLIS : Math.min(2 * this.retryMillis, LONGEST_RETRY_MILLIS);
    const what =
      failure instanceof Refusal && failure.code === 'store-unavailable'
        ? 'MongoDB does not answer.'
        : failureText(failure, 'The page failed; reload it.');
    const shown = inView === null ? '' : 'The map shows what was known before. ';
    this.store.set({ failure: `${what} ${shown}Trying again in ${Math.round(this.retryMillis / 1000)} s.` });
    this.schedule(this.retryMillis);
    if (!(failure instanceof Refusal) && !(failure instanceof ServerGone)) {
      console.error(failure);
    }
  }
}
