import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Server } from '../../src/api';
import { Store } from '../../src/store';
import { areaView } from '../../src/views/area';
import { change, fakeMap, NOW, openPage, pass, press, seen, serve, text } from '../page';

const VIEW = '0.000000,40.000000,20.000000,40.000000,20.000000,60.000000,0.000000,60.000000';

function open(answers: Parameters<typeof serve>[0] = {}) {
  const asked = serve(answers);
  const store = new Store({ inView: [seen('newest', 10)] });
  const { calls, map } = fakeMap();
  const find = vi.fn(async () => undefined);
  const element = areaView(store, new Server(store), map, { find });
  document.body.append(element);
  store.set({ tab: 'area' });
  const click = (...place: [number, number]) => calls.capture.mock.lastCall?.[0](place);
  const corners = () => element.querySelector('textarea')?.value.split('\n');
  const said = () => text(element, '[role=status]');
  return { asked, store, calls, find, element, click, corners, said };
}

beforeEach(() => {
  openPage();
  vi.useFakeTimers({ now: NOW });
});
afterEach(() => void vi.useRealTimers());

it('two clicks make a rectangle', () => {
  const { element, click, corners, calls } = open();
  press(element, 'Draw a rectangle');
  click(20, 60);
  click(10, 50);

  expect(corners()).toEqual([
    '50.000000, 10.000000',
    '50.000000, 20.000000',
    '60.000000, 20.000000',
    '60.000000, 10.000000',
  ]);
  expect(calls.capture).toHaveBeenLastCalledWith(null);
  expect(calls.setExtra.mock.lastCall?.[1][0].id).toBe('area');
});

it('clicks make a polygon until “Done”, across the 180th meridian on the shorter way', () => {
  const { element, click, corners, calls } = open();
  press(element, 'Draw a polygon');
  click(179, 0);
  click(-179, 0);
  click(-179, 2);
  press(element, 'Done');

  expect(corners()?.[1]).toBe('0.000000, -179.000000');
  expect(calls.setExtra.mock.lastCall?.[1][0].props.data[0][1]).toEqual([181, 0]);
  expect(calls.capture).toHaveBeenLastCalledWith(null);
});

it('Escape ends a polygon, and so does another tab', () => {
  const { element, store, click, corners, calls } = open();
  press(element, 'Draw a polygon');
  click(1, 1);
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
  expect(corners()).toEqual(['']);

  press(element, 'Draw a polygon');
  store.set({ tab: 'view' });
  expect(calls.capture).toHaveBeenLastCalledWith(null);
});

it('corners can be typed, and a wrong one is no area', () => {
  const { element, said, calls } = open();
  change(element, 'textarea', '0, 0\n0, 1\n1, 1');
  expect(calls.setExtra.mock.lastCall?.[1][0].id).toBe('area');

  change(element, 'textarea', '0, 0\n0, 1\nnorth');
  expect(said()).toContain('Expected a latitude and a longitude');
  expect(calls.setExtra.mock.lastCall?.[1][0].id).toBe('area-line');
});

it('half of the earth is no area', () => {
  const { element, said, calls } = open();
  calls.corners.mockReturnValue([[-90, 0], [90, 10]]);
  press(element, 'Take the view');

  expect(said()).toMatch(/^An area is narrower/);
});

it('who was last seen there is listed, and can be chosen', async () => {
  const { asked, element, said, find } = open({ 'v1/within': () => ({ sightings: [seen('a', 5)], more: false }) });
  press(element, 'Take the view');
  press(element, 'Who was last seen there');
  await pass();
  expect(asked).toEqual([`v1/within?polygon=${VIEW}&limit=1000`]);
  expect(said()).toBe('1 device was last seen there.');

  element.querySelector<HTMLElement>('[data-user=a]')?.click();
  expect(find).toHaveBeenCalledWith('a', true);
});

it('who was there in the hour before the newest record is listed by the number of records', async () => {
  const visitor = (user: string, records: number) => ({ user, records, first: seen('', 90).ts, last: seen('', 9).ts });
  const { asked, element, said } = open({
    'v1/visitors': () => ({ visitors: [visitor('a', 1), visitor('b', 7)], more: true }),
  });
  press(element, 'Take the view');
  element.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true }));
  await pass();

  expect(asked).toEqual([
    `v1/visitors?polygon=${VIEW}&from=2026-11-20T10:59:50.000Z&to=2026-11-20T11:59:51.000Z&limit=1000`,
  ]);
  expect(said()).toMatch(/^More than 2 devices were there between /);
  expect([...element.querySelectorAll('.end')].map((it) => it.textContent)).toEqual(['7 records', '1 record']);
});

it('nothing is asked without an area, nor without a time', async () => {
  const { asked, element, said } = open();
  press(element, 'Who was last seen there');
  expect(said()).toBe('Draw an area first, or take the view.');

  press(element, 'Take the view');
  change(element, '#area-from', '');
  element.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true }));
  expect(said()).toBe('Choose the time from which on.');
  expect(asked).toEqual([]);
});

it('says why nobody can be shown', async () => {
  const { element, said } = open();
  press(element, 'Take the view');
  press(element, 'Who was last seen there');
  await pass();

  expect(said()).toBe('The console’s server does not answer. Try again.');
});
