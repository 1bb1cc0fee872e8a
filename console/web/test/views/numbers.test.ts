import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Server } from '../../src/api';
import { h } from '../../src/dom';
import { Store } from '../../src/store';
import { countsView } from '../../src/views/counts';
import { numbersView } from '../../src/views/numbers';
import { densityView, flowsView } from '../../src/views/places';
import { change, fakeMap, NOW, pass, press, refused, serve, text } from '../page';

/** An area of the S2 geometry in San Francisco, and another. */
const HERE = '808f7c';
const THERE = '808f84';
const AT = new Date(NOW - 20_000).toISOString();

const open = (answers: Parameters<typeof serve>[0]) => {
  const asked = serve(answers);
  const store = new Store({ tab: 'numbers' });
  const { calls, map } = fakeMap();
  return { asked, store, calls, map, server: new Server(store) };
};

beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => void vi.useRealTimers());

it('one kind of numbers is shown at a time', () => {
  const store = new Store();
  const element = numbersView(store, { counts: h('p', {}, 'one'), density: h('p', {}, 'two'), flows: h('p', {}, 'three') });
  expect(text(element, 'p')).toBe('one');

  change(element, '[aria-label="Which numbers"]', 'flows');

  expect(store.state.numbers).toBe('flows');
  expect(text(element, 'p')).toBe('three');
});

describe('the counts', () => {
  const sums = {
    from: AT,
    to: AT,
    results: 3,
    open: 1,
    batch: 0,
    more: false,
    groups: [
      { k: 'north', n: 7, windows: 2, open: 1, batch: 0, newest: AT },
      { k: 'south', n: 5, windows: 1, open: 0, batch: 1, newest: AT },
    ],
  };

  it('have groups with their state, and are loaded again while they are shown', async () => {
    const { asked, store, server } = open({ 'v1/counts': () => sums });
    const element = countsView(store, server);
    await pass();
    expect([...element.querySelectorAll('tbody tr')].map((it) => it.textContent)).toEqual([
      'north71 open',
      'south5from History',
    ]);
    expect(element.textContent).toContain('3 numbers: 1 open, 2 closed, 0 from History');

    await pass(10_000);
    expect(asked).toEqual(Array(2).fill('v1/counts?by=cell&last=1h&limit=50'));

    store.set({ tab: 'health' });
    await pass(60_000);
    expect(asked).toHaveLength(2);
  });

  it('show the windows of the group that is chosen', async () => {
    const { asked, store, server } = open({
      'v1/counts?by=cell&key=north': () => ({ windows: [{ w: AT, n: 4, state: 'open' }] }),
      'v1/counts': () => sums,
    });
    const element = countsView(store, server);
    await pass();
    press(element, 'north');
    await pass();

    expect(element.querySelectorAll('svg rect.open')).toHaveLength(1);
    expect(element.querySelector('[aria-pressed=true]')?.textContent).toBe('north');
    expect(asked.at(-1)).toContain('&limit=360');

    press(element, 'north');
    await pass();
    expect(element.querySelector('svg')).toBeNull();
  });

  it('say that they are loaded, and why they cannot be shown', async () => {
    const { store, server } = open({ 'v1/counts': () => refused(404, 'unknown', 'No numbers yet.') });
    const element = countsView(store, server);
    change(element, '#numbers-by', 'total');
    expect(text(element, '[role=status]')).toBe('Loading …');
    await pass();

    expect(text(element, '[role=status]')).toBe('No numbers yet.');
  });
});

describe('density', () => {
  const density = {
    at: AT,
    results: 2,
    open: 0,
    batch: 0,
    more: false,
    withheld: 1,
    density: [
      { w: AT, k: HERE, n: 40, state: 'closed' },
      { w: AT, k: THERE, state: 'closed' },
    ],
  };

  it('is in the table and on the map, from which it goes with its tab', async () => {
    const { asked, store, calls, map, server } = open({ 'v1/density': () => density });
    const element = densityView(store, server, map);
    store.set({ numbers: 'density' });
    await pass();
    expect(asked).toEqual(['v1/density?limit=2000&by=area']);
    expect([...element.querySelectorAll('tbody tr')].map((it) => it.textContent)).toEqual([
      `${HERE}40closed`,
      `${THERE}withheldclosed`,
    ]);
    expect(text(element, '.scale')).toBe('140 devices');
    expect(calls.setExtra.mock.lastCall?.[1][0].props.data).toHaveLength(2);

    press(element, HERE);
    expect(calls.goTo).toHaveBeenCalledTimes(1);

    store.set({ tab: 'area' });
    expect(calls.setExtra).toHaveBeenLastCalledWith('density', []);
  });

  it('of cells is in the table only', async () => {
    const { store, calls, map, server } = open({ 'v1/density': () => density });
    const element = densityView(store, server, map);
    store.set({ numbers: 'density' });
    change(element, '[aria-label="What the places are"]', 'cell');
    await pass();

    expect(calls.setExtra).toHaveBeenLastCalledWith('density', []);
    expect(element.textContent).toContain('Cells are not on the map');
  });

  it('goes from the map if the server refuses, and stays if it does not answer', async () => {
    let answer = (): unknown => density;
    const { store, calls, map, server } = open({ 'v1/density': () => answer() });
    const element = densityView(store, server, map);
    store.set({ numbers: 'density' });
    await pass();
    answer = () => {
      throw new TypeError('gone');
    };
    await pass(10_000);
    expect(text(element, '[role=status]')).toBe('The console’s server does not answer. Trying again.');
    expect(element.querySelectorAll('tbody tr')).toHaveLength(2);

    answer = () => refused(404, 'unknown', 'No numbers yet.');
    await pass(10_000);
    expect(text(element, '[role=status]')).toBe('No numbers yet.');
    expect(element.querySelector('tbody')).toBeNull();
    expect(calls.setExtra).toHaveBeenLastCalledWith('density', []);
  });
});

it('flows are arcs between areas; withheld ones are in the table only', async () => {
  const flow = { w: AT, from: HERE, to: THERE, state: 'open' };
  const { asked, store, calls, map, server } = open({
    'v1/flows': () => ({
      from: AT,
      to: AT,
      results: 2,
      open: 2,
      batch: 0,
      more: false,
      withheld: 1,
      flows: [{ ...flow, n: 60, devices: 30 }, flow],
    }),
  });
  const element = flowsView(store, server, map);
  store.set({ numbers: 'flows' });
  await pass();

  expect(asked).toEqual(['v1/flows?limit=500&last=24h&by=area']);
  expect([...element.querySelectorAll('tbody tr')].map((it) => it.textContent)).toEqual([
    `${HERE}${THERE}60 of 30 devicesopen`,
    `${HERE}${THERE}withheldopen`,
  ]);
  expect(calls.setExtra.mock.lastCall?.[1][0].props.data).toHaveLength(1);
});
