import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Server } from '../src/api';
import { Live } from '../src/live';
import { Store } from '../src/store';
import { pass, refused, seen, serve } from './page';

function open(answer: (path: string, init: RequestInit) => unknown) {
  const asked = serve({ 'v1/live': answer });
  const handlers = { located: vi.fn(), reset: vi.fn(), state: vi.fn() };
  const live = new Live(new Server(new Store()), handlers);
  live.follow([1, 2, 3, 4]);
  return { asked, handlers, live };
}

const events = (...texts: string[]): Response => new Response(texts.map((it) => `${it}\n\n`).join(''));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('the stream says where devices are, that all is to be queried again, and why nothing comes', async () => {
  const { asked, handlers, live } = open(() =>
    events(
      'event: state\ndata: {"problem":""}',
      `id: 7\nevent: located\ndata: ${JSON.stringify([seen('a', 0)])}`,
      'event: reset\ndata: {}',
      'event: state\ndata: {"problem":"no topic"}',
    ),
  );
  await pass();
  live.stop();

  expect(asked).toEqual(['v1/live?bbox=1.000000,2.000000,3.000000,4.000000']);
  expect(handlers.located).toHaveBeenCalledWith([seen('a', 0)]);
  expect(handlers.reset).toHaveBeenCalledTimes(1);
  expect(handlers.state.mock.calls.slice(0, 2)).toEqual([['live', null], ['stopped', 'no topic']]);
});

it('a stream that ended goes on after the last event', async () => {
  const ids: unknown[] = [];
  const { handlers, live } = open((_, { headers }) => {
    ids.push((headers as Record<string, string>)['Last-Event-ID']);
    return events('id: 7\nevent: located\ndata: []');
  });
  await pass(1_000);
  live.stop();

  expect(handlers.state).toHaveBeenCalledWith('gone', null);
  expect(ids).toEqual([undefined, '7']);
});

it('a server without a topic is not asked again', async () => {
  const { asked, handlers } = open(() => refused(404, 'live-off'));
  await pass(60_000);

  expect(handlers.state.mock.calls).toEqual([['off', null]]);
  expect(asked).toHaveLength(1);
});

it('a refusal is told, and the stream is asked for again ever later', async () => {
  const { asked, handlers, live } = open(() => refused(503, 'overloaded', '32 clients listen.'));
  await pass(7_000);
  live.stop();
  await pass(60_000);

  expect(handlers.state).toHaveBeenCalledWith('stopped', '32 clients listen.');
  expect(asked).toHaveLength(4);
});
