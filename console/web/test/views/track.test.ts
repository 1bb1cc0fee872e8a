import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Server } from '../../src/api';
import { Store } from '../../src/store';
import { staysView } from '../../src/views/stays';
import { trackView } from '../../src/views/track';
import { change, fakeMap, NOW, openPage, pass, press, refused, seen, serve, text } from '../page';

const known = (user: string) => ({ device: { user, is: 'known' as const, found: seen(user, 0) } });

beforeEach(() => {
  openPage();
  vi.useFakeTimers({ now: NOW });
});
afterEach(() => void vi.useRealTimers());

describe('the track', () => {
  /** A record a minute, with a gap of ten minutes before the last. */
  const records = [13, 12, 11, 1].map((minutes) => seen('a', minutes * 60));

  const open = async (answer: (path: string) => unknown = () => ({ sightings: records })) => {
    const asked = serve({ 'v1/history/': answer });
    const store = new Store(known('a'));
    const { calls, map } = fakeMap();
    const element = trackView(store, new Server(store), map);
    const submit = async (): Promise<void> => {
      element.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true }));
      await pass();
    };
    await submit();
    const clockAt = (minutesAgo: number): string => {
      const slider = element.querySelector<HTMLInputElement>('[type=range]');
      slider!.value = String(NOW - minutesAgo * 60_000);
      slider!.dispatchEvent(new Event('input'));
      return text(element, '.clock');
    };
    return { asked, store, calls, element, submit, clockAt };
  };

  it('is the time before the device’s newest record, with its table and files', async () => {
    const { asked, calls, element } = await open();
    expect(asked).toEqual([
      'v1/history/a?limit=10000&order=oldest-first&from=2026-11-20T06:00:00.001Z&to=2026-11-20T12:00:00.001Z',
    ]);
    expect(text(element, '.tracks')).toBe('a4 recordsGeoJSONCSVGPXRemove');
    expect(element.querySelectorAll('tbody tr')).toHaveLength(4);
    expect(calls.fit).toHaveBeenCalledWith(records);
    expect(calls.setExtra.mock.lastCall?.[1][0].props.data).toHaveLength(2);

    press(element, 'Remove');
    expect(text(element, '.tracks')).toBe('');
    expect(element.querySelector<HTMLElement>('.playback')?.hidden).toBe(true);
  });

  it('has all pages of a history', async () => {
    const { asked, element } = await open((path) =>
      path.includes('token=more') ? { sightings: records.slice(2) } : { sightings: records.slice(0, 2), next: 'more' },
    );
    expect(asked).toHaveLength(2);
    expect(text(element, '.tracks small')).toBe('4 records');
  });

  it('is not bridged where it has a gap', async () => {
    const { clockAt } = await open();
    expect(clockAt(12.5)).not.toContain('no record since');
    expect(clockAt(5)).toContain('a: no record since');
    expect(clockAt(1)).not.toContain('no record since');
  });

  it('is played to its end', async () => {
    const { element } = await open();
    change(element, '[aria-label="Speed of playback"]', '3600');
    press(element, 'Play');
    await pass(1_000);

    expect(text(element, '.clock')).toContain('2026-11-20 11:59:00 UTC');
    press(element, 'Play');
    expect(element.querySelector('.playback button')?.textContent).toBe('Pause');
  });

  it('turns its pages, from the newest record to the oldest', async () => {
    const many = Array.from({ length: 51 }, (_, i) => seen('a', 51 - i));
    const { element } = await open(() => ({ sightings: many }));
    press(element, 'Older');

    expect(element.querySelectorAll('tbody tr')).toHaveLength(1);
    expect(element.textContent).toContain('2 of 2');
  });

  it('says that there is no record, and of a failure', async () => {
    const { element } = await open(() => ({ sightings: [] }));
    expect(text(element, '[role=status]')).toBe('No record in that time.');

    const failed = await open(() => refused(503, 'overloaded', 'Too many.'));
    expect(text(failed.element, '[role=status]')).toBe('Too many.');
  });

  it('is one of six at most', async () => {
    const { store, element, submit } = await open((path) => ({
      sightings: [seen(/history\/(.)/.exec(path)?.[1] ?? '', 60)],
    }));
    for (const user of 'bcdefg') {
      store.set(known(user));
      await submit();
    }

    expect(element.querySelectorAll('.tracks li')).toHaveLength(6);
    expect(text(element, '[role=status]')).toBe('Up to 6 tracks at once: remove one first.');
  });
});

describe('the stays', () => {
  const begin = new Date(NOW - 7_200_000).toISOString();
  const end = new Date(NOW - 3_600_000).toISOString();
  const stays = {
    stays: [{ k: 'home', begin, end, ended: 'left', state: 'closed' }],
    more: false,
  };
  const open = async (answers: Parameters<typeof serve>[0]) => {
    const asked = serve(answers);
    const store = new Store(known('a'));
    const element = staysView(store, new Server(store), fakeMap().map);
    await pass();
    return { asked, store, element };
  };

  it('are those of the chosen device, each with the trip that followed', async () => {
    const trip = { from: 'home', to: 'work', begin: end, end: new Date(NOW - 3_000_000).toISOString(), via: 1 };
    const { asked, store, element } = await open({
      'v1/stays/': () => stays,
      'v1/trips/': () => ({ trips: [{ ...trip, state: 'closed' }] }),
    });
    expect(element.textContent).toContain('then left');
    expect(element.textContent).toContain('to work, 10 min, by 1 place');

    store.set(known('a'));
    await pass();
    expect(asked).toHaveLength(2);

    store.set(known('b'));
    await pass();
    expect(asked[2]).toBe('v1/stays/b?by=area&last=7d&limit=100');
  });

  it('may be there without trips', async () => {
    const { element } = await open({ 'v1/stays/': () => stays, 'v1/trips/': () => refused(404, 'unknown') });
    expect(text(element, 'li')).toContain('home');
  });

  it('may be none, or not to be had', async () => {
    const none = await open({ 'v1/stays/': () => ({ stays: [], more: false }), 'v1/trips/': () => ({ trips: [] }) });
    expect(text(none.element, '[role=status]')).toBe('No stay in that time.');

    const refusing = await open({ 'v1/stays/': () => refused(404, 'unknown', 'No stays yet.') });
    expect(text(refusing.element, '[role=status]')).toBe('No stays yet.');

    const gone = await open({});
    expect(text(gone.element, '[role=status]')).toContain('does not answer');
  });
});
