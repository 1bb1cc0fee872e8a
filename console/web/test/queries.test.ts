import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Server, type Sighting } from '../src/api';
import { Queries } from '../src/queries';
import { Store } from '../src/store';
import { crowdOf, fakeMap, NOW, openPage, pass, refused, seen, serve } from './page';

/** The live stream, to which a test can say something. */
function stream() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const say = async (event: string, data: unknown): Promise<void> => {
    controller?.enqueue(new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
    await pass();
  };
  const answer = (_: string, { signal }: RequestInit): Response =>
    new Response(
      new ReadableStream<Uint8Array>({
        start(it) {
          controller = it;
          signal?.addEventListener('abort', () => it.error(new Error('ended')));
        },
      }),
    );
  return { answer, say };
}

function open(answers: Parameters<typeof serve>[0] = {}) {
  const { answer, say } = stream();
  const world = { stored: [seen('a', 60)] as Sighting[], devices: 1 };
  const asked = serve({
    'v1/live': answer,
    'v1/grid': () => crowdOf(world.devices),
    'v1/where/': (path) => world.stored.find(({ user }) => path.endsWith(user)) ?? refused(404, 'unknown'),
    'v1/within': () => ({ sightings: world.stored, more: false }),
    ...answers,
  });
  const store = new Store();
  const { calls, map } = fakeMap();
  const queries = new Queries(store, new Server(store), map);
  const users = (): string[] | undefined => store.state.inView?.map(({ user }) => user);
  const count = (start: string): number => asked.filter((path) => path.startsWith(start)).length;
  return { store, calls, queries, world, asked, say, users, count };
}

beforeEach(() => {
  openPage();
  vi.useFakeTimers({ now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('the view', () => {
  it('is queried at once, and every five seconds while nothing comes live', async () => {
    const { queries, users, world, count } = open();
    queries.start();
    await pass();
    expect(users()).toEqual(['a']);

    world.stored.push(seen('b', 0));
    await pass(5_000);
    expect(users()).toEqual(['b', 'a']);
    expect(count('v1/within')).toBe(2);
  });

  it('is queried every twenty seconds while records come live', async () => {
    const { queries, store, say, count } = open();
    queries.start();
    await pass();
    await say('state', { problem: '' });
    expect(store.state.live).toBe('live');
    await pass();
    const before = count('v1/within');

    await pass(19_000);
    expect(count('v1/within')).toBe(before);
    await pass(1_000);
    expect(count('v1/within')).toBe(before + 1);
  });

  it('has a record as it comes', async () => {
    const { queries, users, say } = open();
    queries.start();
    await pass();

    await say('located', [seen('live', 0)]);
    await pass(250);

    expect(users()).toEqual(['live', 'a']);
  });

  it('says why nothing comes live', async () => {
    const { queries, store, say } = open();
    queries.start();
    await pass();

    await say('state', { problem: 'Kafka does not answer' });

    expect(store.state).toMatchObject({ live: 'stopped', liveProblem: 'Kafka does not answer' });
  });

  it('is counted if it has too many devices, and they are not followed', async () => {
    const { queries, store, world, asked, count } = open();
    world.devices = 25_000;
    queries.start();
    await pass(100);

    expect(store.state.crowd?.devices).toBe(25_000);
    expect(asked.find((path) => path.startsWith('v1/within'))).toContain('limit=100');
    expect(count('v1/live')).toBe(0);

    world.devices = 1;
    await pass(5_000);
    expect(store.state.crowd).toBeNull();
    expect(count('v1/live')).toBe(1);
  });

  it('is queried and followed anew once the map has moved', async () => {
    const { queries, calls, asked } = open();
    queries.start();
    await pass();
    calls.bounds.mockReturnValue([1, 41, 21, 61]);
    calls.onMoved.mock.calls[0]?.[0]();
    await pass(150);

    expect(asked.filter((path) => path.startsWith('v1/live'))).toEqual([
      'v1/live?bbox=0.000000,40.000000,20.000000,60.000000',
      'v1/live?bbox=1.000000,41.000000,21.000000,61.000000',
    ]);
  });

  it('is where all devices are if the address names no place', async () => {
    const { queries, calls, asked } = open();
    calls.isPlaced.mockReturnValue(false);
    queries.start();
    await pass();

    expect(asked[0]).toBe('v1/within?bbox=-180.000000,-90.000000,180.000000,90.000000&limit=1000');
    expect(calls.fit).toHaveBeenCalledWith([seen('a', 60)]);
  });

  it('is neither queried nor followed while nobody sees the page', async () => {
    const { queries, count } = open();
    const listened = vi.spyOn(document, 'addEventListener');
    queries.start();
    await pass();
    const tell = listened.mock.lastCall?.[1] as () => void;
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    tell();
    await pass(60_000);
    expect(count('v1/within')).toBe(1);

    hidden.mockReturnValue(false);
    tell();
    await pass();
    expect([count('v1/within'), count('v1/live')]).toEqual([2, 2]);
  });

  it('is queried anew if the server is another one', async () => {
    const { queries, store, count } = open();
    queries.start();
    await pass();

    store.set({ otherServers: 1 });
    await pass();

    expect([count('v1/grid'), count('v1/live')]).toEqual([2, 2]);
  });
});

describe('a failure', () => {
  it('is told, and tried again after a time that doubles', async () => {
    const { queries, store } = open({ 'v1/grid': () => refused(503, 'store-unavailable') });
    queries.start();
    const waits: (string | null)[] = [];
    store.watch(['failure'], ({ failure }) => waits.push(failure));
    await pass(30_000);

    expect(waits.slice(1)).toEqual(
      [1, 2, 4, 8, 10].map((seconds) => `MongoDB does not answer. Trying again in ${seconds} s.`),
    );
  });

  it('keeps what was known, and is over at the next answer', async () => {
    let isGone = false;
    const { queries, store, users } = open({
      'v1/within': () => {
        if (isGone) {
          throw new TypeError('gone');
        }
        return { sightings: [seen('a', 60)], more: false };
      },
    });
    queries.start();
    await pass();
    isGone = true;
    await pass(5_000);
    expect(store.state.failure).toBe(
      'The console’s server does not answer. The map shows what was known before. Trying again in 1 s.',
    );
    expect(users()).toEqual(['a']);

    isGone = false;
    await pass(1_000);
    expect(store.state.failure).toBeNull();
  });
});

describe('a device', () => {
  it('is found, and the map goes there', async () => {
    const { queries, store, calls } = open();
    const found = queries.find('a', true);
    expect(store.state).toMatchObject({ tab: 'device', device: { user: 'a', is: 'sought' } });
    await found;

    expect(store.state.device).toEqual({ user: 'a', is: 'known', found: seen('a', 60) });
    expect(calls.goTo).toHaveBeenCalledWith(10, 50);
  });

  it('that is not known yet is shown once it is', async () => {
    const { queries, store, world } = open();
    queries.start();
    await queries.find('later', true);
    expect(store.state.device).toEqual({ user: 'later', is: 'unknown' });

    world.stored.push(seen('later', 0));
    await pass(5_000);
    expect(store.state.device).toMatchObject({ is: 'known' });
  });

  it('that is erased is not known any more, which is no failure', async () => {
    const { queries, store, world } = open();
    queries.start();
    await queries.find('a', false);
    world.stored = [];
    await pass(5_000);

    expect(store.state).toMatchObject({ device: { user: 'a', is: 'unknown' }, failure: null });
  });

  it('is asked for again once a record of it comes', async () => {
    const { queries, store, world, say } = open();
    queries.start();
    await queries.find('a', false);
    await pass();
    world.stored = [seen('a', 0)];

    await say('located', world.stored);
    await pass(250);

    expect(store.state.device).toMatchObject({ found: seen('a', 0) });
  });

  it('does not come back if the reader has chosen another one meanwhile', async () => {
    const { queries, store } = open();
    const first = queries.find('a', true);
    const second = queries.find('none', true);
    await Promise.all([first, second]);

    expect(store.state.device).toEqual({ user: 'none', is: 'unknown' });
  });

  it('that cannot be asked for is not chosen, and the failure is told', async () => {
    const { queries, store } = open({ 'v1/where/': () => refused(503, 'overloaded', 'Too many.') });
    await queries.find('a', true);

    expect(store.state).toMatchObject({ device: null, failure: 'Too many. Trying again in 1 s.' });
  });
});
