import { describe, expect, it } from 'vitest';
import type { Bounds } from '../src/bounds';
import { Sightings } from '../src/sightings';
import { seen } from './page';

const AREA: Bounds = [0, 40, 20, 60];
const users = (it: Sightings): string[] | undefined => it.newestFirst()?.map(({ user }) => user);

function following(...found: ReturnType<typeof seen>[]): Sightings {
  const sightings = new Sightings();
  sightings.follow(AREA);
  sightings.find(found, 0, true, true);
  return sightings;
}

describe('the devices in view', () => {
  it('are not known before a query has answered', () => {
    const sightings = new Sightings();
    sightings.follow(AREA);
    sightings.hear([seen('a', 0)], 0);

    expect(sightings.newestFirst()).toBeNull();
  });

  it('have the last seen first, also within one second', () => {
    const sightings = following(
      seen('old', 9),
      { ...seen('whole', 0), ts: '2026-11-20T12:00:00Z' },
      { ...seen('half', 0), ts: '2026-11-20T12:00:00.5Z' },
    );

    expect(users(sightings)).toEqual(['half', 'whole', 'old']);
  });

  it('come and go as the stream says', () => {
    const sightings = following(seen('goes', 9), seen('stays', 9));

    sightings.hear([seen('comes', 1), seen('goes', 1, { loc: { lon: 100, lat: 50 } })], 0);
    sightings.hear([seen('stays', 20, { loc: { lon: 100, lat: 50 } })], 0);

    expect(users(sightings)).toEqual(['comes', 'stays']);
  });

  it('may be on both sides of the 180th meridian', () => {
    const sightings = new Sightings();
    sightings.follow([170, 40, -170, 60]);
    sightings.find([], 0, true, true);

    const at = (lon: number) => seen(`at${lon}`, 1, { loc: { lon, lat: 50 } });
    sightings.hear([at(175), at(-175), at(0)], 0);

    expect(users(sightings)).toEqual(['at175', 'at-175']);
  });

  it('keep what was heard shortly before a query that does not know it, and lose it later', () => {
    const sightings = following();
    sightings.hear([seen('a', 0)], 10_000);

    sightings.find([], 12_000, false, true);
    expect(users(sightings)).toEqual(['a']);

    sightings.find([], 14_000, false, true);
    expect(users(sightings)).toEqual([]);
  });

  it('keep a newer record that was heard for a minute, and then the stored one', () => {
    const sightings = following();
    sightings.hear([seen('a', 0)], 10_000);

    sightings.find([seen('a', 30)], 60_000, false, true);
    expect(sightings.newestFirst()?.[0]).toEqual(seen('a', 0));

    sightings.find([seen('a', 30)], 71_000, false, true);
    expect(sightings.newestFirst()?.[0]).toEqual(seen('a', 30));
  });

  it('are not followed in a crowd', () => {
    const sightings = following();
    sightings.unfollow();
    sightings.findSome([seen('a', 9)]);
    sightings.hear([seen('b', 0)], 0);

    expect(users(sightings)).toEqual(['a']);
    expect(sightings.isFollowing(AREA)).toBe(false);
  });
});

describe('the stream', () => {
  /** Three queries: only what became newer since the second can be judged at the third. */
  function judged(heardBetween: ReturnType<typeof seen>[]): Sightings {
    const sightings = following(seen('a', 30));
    sightings.find([seen('a', 20)], 1_000, false, true);
    sightings.find([seen('a', 10)], 2_000, false, true);
    sightings.hear(heardBetween, 2_500);
    sightings.find([seen('a', 10)], 3_000, false, true);
    return sightings;
  }

  it('lacks a record that is stored and is not heard by the next query', () => {
    expect(judged([]).isLacking).toBe(true);
  });

  it('may say a record shortly after it is stored', () => {
    expect(judged([seen('a', 10)]).isLacking).toBe(false);
  });

  it('is trusted again once it says something', () => {
    const sightings = judged([]);
    sightings.hear([seen('a', 0)], 3_500);
    sightings.find([seen('a', 0)], 4_000, false, true);

    expect(sightings.isLacking).toBe(false);
  });

  it('is not judged by what was stored before it began', () => {
    const sightings = following(seen('a', 30));
    sightings.find([seen('a', 20)], 1_000, false, true);
    sightings.find([seen('a', 20)], 2_000, false, true);

    expect(sightings.isLacking).toBe(false);
  });

  it('is not judged while it is not live', () => {
    const sightings = following(seen('a', 30));
    for (const ago of [20, 10, 5]) {
      sightings.find([seen('a', ago)], 1_000, false, false);
    }

    expect(sightings.isLacking).toBe(false);
  });
});
