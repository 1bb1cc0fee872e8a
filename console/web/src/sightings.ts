import type { Sighting } from './api';
import { type Bounds, isIn } from './bounds';
import { isBefore } from './format';

/** A device comes live before it is stored, and a query that began before that does not know it. */
const STORED_WITHIN_MILLIS = 3_000;
/** For so long what was heard of a device counts more than an older record that a query found. */
const CORRECTED_WITHIN_MILLIS = 60_000;

interface Heard {
  readonly sighting: Sighting;
  /** When, by {@link performance.now}. */
  readonly at: number;
}

const byUser = (sightings: Sighting[]): Map<string, Sighting> =>
  new Map(sightings.map((it) => [it.user, it]));

/** The devices in view: what queries found, and what the live stream said since. */
export class Sightings {
  /** Whether the stream leaves out what is stored. */
  isLacking = false;
  private known: Map<string, Sighting> | null = null;
  private followed: Bounds | null = null;
  /** The newest that the stream said of each device. */
  private readonly heard = new Map<string, Heard>();
  /** Whether it said anything since the last query. */
  private hasHeard = false;
  /** Devices with a record that was stored, but not heard, at that query. */
  private unheard = new Map<string, string>();
  /** Whether the stream had begun before the last query. */
  private isFollowed = false;

  /** The last seen first; null until a query has answered. */
  newestFirst(): Sighting[] | null {
    return this.known === null
      ? null
      : [...this.known.values()].sort((a, b) => (isBefore(a.ts, b.ts) ? 1 : isBefore(b.ts, a.ts) ? -1 : 0));
  }

  isFollowing(bounds: Bounds): boolean {
    return String(bounds) === String(this.followed);
  }

  /** From now on the stream says what comes in this area. */
  follow(bounds: Bounds): void {
    this.followed = bounds;
    this.beginAnew();
  }

  /** The stream is not listened to any more. */
  unfollow(): void {
    this.followed = null;
  }

  /** What is stored until the stream has begun cannot be heard. */
  beginAnew(): void {
    this.heard.clear();
    this.hasHeard = false;
    this.unheard.clear();
    this.isFollowed = false;
  }

  /** Some of a crowd, which is not followed. */
  findSome(sightings: Sighting[]): void {
    this.known = byUser(sightings);
  }

  /**
   * What a query of the area found.
   *
   * @param began when it began
   * @param hasMoved whether the last query was of another area
   */
  find(sightings: Sighting[], began: number, hasMoved: boolean, isLive: boolean): void {
    const before = this.known;
    this.known = byUser(sightings);
    if (!hasMoved) {
      this.judgeStream(before, this.known, isLive);
    }
    this.correctByHeard(this.known, began);
  }

  hear(sightings: Sighting[], at: number): void {
    this.hasHeard ||= sightings.length > 0;
    for (const sighting of sightings) {
      const last = this.heard.get(sighting.user);
      // Partitions, and what was heard twice, keep no order.
      if (last === undefined || !isBefore(sighting.ts, last.sighting.ts)) {
        this.heard.set(sighting.user, { sighting, at });
      }
      this.put(sighting);
    }
  }

  /**
   * Whether the stream says what is stored: the job may publish to another topic, or to none. A
   * record may be heard long before it is stored, or shortly after. If it still is not at the next
   * query, the stream lacks it.
   */
  private judgeStream(before: Map<string, Sighting> | null, stored: Map<string, Sighting>, isLive: boolean): void {
    const isHeard = ([user, ts]: [string, string]): boolean => {
      const last = this.heard.get(user);
      return last !== undefined && !isBefore(last.sighting.ts, ts);
    };
    if (![...this.unheard].every(isHeard)) {
      this.isLacking = true;
    } else if (this.hasHeard || this.unheard.size > 0) {
      this.isLacking = false;
    }
    const isNew = ({ user, ts }: Sighting): boolean => {
      const last = before?.get(user);
      return last !== undefined && isBefore(last.ts, ts);
    };
    this.unheard = new Map(
      this.isFollowed && isLive ? [...stored.values()].filter(isNew).map(({ user, ts }) => [user, ts]) : [],
    );
    this.hasHeard = false;
    this.isFollowed = true;
  }

  /**
   * What was heard lately is shown, where it is newer than what a query found: MongoDB may be slow.
   * Later the query is right: what it found may have been corrected, or the device erased meanwhile.
   */
  private correctByHeard(known: Map<string, Sighting>, began: number): void {
    for (const [user, { sighting, at }] of this.heard) {
      const stored = known.get(user);
      if (stored === undefined) {
        if (at > began - STORED_WITHIN_MILLIS) {
          this.put(sighting);
        } else {
          this.heard.delete(user);
        }
      } else if (at > began - CORRECTED_WITHIN_MILLIS && isBefore(stored.ts, sighting.ts)) {
        this.put(sighting);
      }
    }
  }

  /** Keeps the newest sighting of a device, if it is in view. */
  private put(sighting: Sighting): void {
    if (this.known === null || this.followed === null) {
      return;
    }
    const before = this.known.get(sighting.user);
    if (before && isBefore(sighting.ts, before.ts)) {
      return;
    }
    if (isIn(this.followed, sighting)) {
      this.known.set(sighting.user, sighting);
    } else {
      this.known.delete(sighting.user);
    }
  }
}
