import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Latest, repeated } from '../src/load';
import { pass } from './page';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('of a load that another one ended nothing is said', async () => {
  const latest = new Latest();
  const failed = vi.fn();
  const first = latest.run(
    (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended')))),
    failed,
  );
  const second = latest.run(async () => undefined, failed);

  expect([await first, await second]).toEqual([false, true]);
  expect(failed).not.toHaveBeenCalled();
});

it('a load is repeated while it is shown, also after a failure', async () => {
  const load = vi.fn(async () => undefined).mockRejectedValueOnce(new Error('once'));
  const failed = vi.fn();
  const show = repeated(1_000, load, failed);

  show(true);
  await pass(2_500);
  expect(load).toHaveBeenCalledTimes(3);
  expect(failed).toHaveBeenCalledTimes(1);

  show(false);
  await pass(5_000);
  expect(load).toHaveBeenCalledTimes(3);
});
