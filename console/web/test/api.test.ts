import { beforeEach, describe, expect, it, vi } from 'vitest';
import { failureText, Refusal, Server, ServerGone } from '../src/api';
import { Store } from '../src/store';
import { json, refused, serve } from './page';

const open = (): { store: Store; server: Server } => {
  const store = new Store();
  return { store, server: new Server(store) };
};

beforeEach(() => sessionStorage.clear());

describe('the server', () => {
  it('may not know a device, whose id is a part of the path', async () => {
    const asked = serve({ 'v1/where/a%2Fb': () => refused(404, 'unknown') });

    expect(await open().server.where('a/b')).toBeNull();
    expect(asked).toEqual(['v1/where/a%2Fb']);
  });

  it('refuses with a reason', async () => {
    serve({ 'v1/': () => refused(503, 'overloaded', 'Try again.') });

    const failure = await open().server.where('a').catch((it: unknown) => it);

    expect(failure).toBeInstanceOf(Refusal);
    expect(failure).toMatchObject({ status: 503, code: 'overloaded' });
    expect(failureText(failure, 'other')).toBe('Try again.');
  });

  it('may be gone, also in the middle of its answer', async () => {
    serve({ 'v1/where/half': () => new Response('{"user":') });
    const { server } = open();

    for (const user of ['half', 'none']) {
      const failure = await server.where(user).catch((it: unknown) => it);
      expect(failure).toBeInstanceOf(ServerGone);
      expect(failureText(failure, 'other', 'Try again.')).toBe('The console’s server does not answer. Try again.');
    }
    expect(failureText(new Error('a fault'), 'other')).toBe('other');
  });

  it('is told from one of another configuration by a header', async () => {
    const names = ['one', 'one', 'two', 'one', 'three'];
    serve({ 'v1/': () => json({}, 200, { 'Lastfix-Console': names.shift() ?? '' }) });
    const { store, server } = open();
    const others = [];
    while (names.length > 0) {
      await server.where('a');
      others.push(store.state.otherServers);
    }

    expect(others).toEqual([0, 0, 1, 1, 2]);
  });

  it('asks for its token once for several requests, and again until it is the right one', async () => {
    const wants = 'Bearer the-right-token';
    serve({
      'v1/': (_, { headers }) =>
        (headers as Record<string, string>)['Authorization'] === wants ? {} : refused(401, 'token'),
    });
    const { store, server } = open();
    const asked: boolean[] = [];
    const tokens = ['no token: ü', 'a-wrong-token', 'the-right-token'];
    store.watch(['tokenRequest'], ({ tokenRequest }) => {
      if (tokenRequest !== null) {
        asked.push(tokenRequest.wasWrong);
        setTimeout(() => tokenRequest.answer(tokens.shift() ?? null));
      }
    });

    await Promise.all([server.where('a'), server.where('b')]);

    expect(asked).toEqual([false, true, true]);
    expect(store.state.tokenRequest).toBeNull();
    expect(sessionStorage.getItem('lastfix-token')).toBe('the-right-token');
  });

  it('forgets the token of a server that wants none any more', async () => {
    sessionStorage.setItem('lastfix-token', 'of-before');
    const answers = [refused(401, 'token'), json({})];
    serve({ 'v1/': () => answers.shift() });
    const { store, server } = open();
    store.watch(['tokenRequest'], ({ tokenRequest }) => tokenRequest?.answer(null));

    await server.where('a');

    expect(sessionStorage.getItem('lastfix-token')).toBeNull();
  });

  it('has not failed any more when it asks for its token', async () => {
    serve({ 'v1/': () => refused(401, 'token') });
    const { store, server } = open();
    store.set({ failure: 'no answer' });

    void server.where('a');
    await vi.waitFor(() => expect(store.state.tokenRequest).not.toBeNull());

    expect(store.state.failure).toBeNull();
  });
});
