import { beforeEach, describe, expect, it, vi } from 'vitest';
import { h } from '../../src/dom';
import { Store, type State } from '../../src/store';
import { deviceView } from '../../src/views/device';
import { listView } from '../../src/views/list';
import { crowdOf, NOW, openPage, press, seen, text } from '../page';

beforeEach(() => {
  openPage();
  vi.setSystemTime(NOW);
});

describe('the list', () => {
  const open = (state: Partial<State>) => {
    const store = new Store(state);
    const actions = { find: vi.fn(async () => undefined), showAll: vi.fn(async () => undefined) };
    const element = listView(store, actions);
    document.body.append(element);
    return { store, actions, element };
  };

  it('has each device with the time since it was seen, and finds it', () => {
    const { actions, element } = open({ inView: [seen('new', 100), seen('old', 7_300)] });
    expect([...element.querySelectorAll('li')].map((it) => it.textContent)).toEqual(['new100 s ago', 'old2 h ago']);

    element.querySelector<HTMLElement>('[data-user=old]')?.click();
    expect(actions.find).toHaveBeenCalledWith('old', true);
  });

  it('says that nothing is known, loaded or there', () => {
    const { store, actions, element } = open({});
    expect(element.textContent).toBe('Loading …');

    store.set({ failure: 'no answer' });
    expect(element.textContent).toBe('Nothing is known yet.');

    store.set({ failure: null, inView: [] });
    expect(element.textContent).toContain('No device was last seen here.');
    press(element, 'Show all devices');
    expect(actions.showAll).toHaveBeenCalled();
  });

  it('has the latest hundred, and says of how many', () => {
    const many = Array.from({ length: 101 }, (_, i) => seen(`d${i}`, i));
    const { store, element } = open({ inView: many });
    expect(element.querySelectorAll('li')).toHaveLength(100);
    expect(text(element, '.quiet')).toBe('The latest 100 of 101.');

    store.set({ inView: many.slice(0, 100), crowd: crowdOf(900) });
    expect(text(element, '.quiet')).toBe(
      'The latest 100 of 900. Zoom in, or choose a square, to see each device.',
    );
  });

  it('keeps the reader’s focus while records come', () => {
    const { store, element } = open({ inView: [seen('a', 5), seen('b', 9)] });
    element.querySelector<HTMLElement>('[data-user=b]')?.focus();
    store.set({ inView: [seen('b', 0), seen('a', 5)] });

    expect((document.activeElement as HTMLElement).dataset['user']).toBe('b');
  });

  it('is not made anew while it is not shown', () => {
    const { store, element } = open({ inView: [seen('a', 5)] });
    store.set({ tab: 'area' });
    store.set({ inView: [] });
    expect(text(element, '.id')).toBe('a');

    store.set({ tab: 'view' });
    expect(element.textContent).toContain('No device was last seen here.');
  });
});

describe('the device', () => {
  it('is not chosen, sought, not known, or known with its track and stays', () => {
    const store = new Store({ tab: 'device' });
    const element = deviceView(store, h('b', {}, 'track'));
    const track = element.querySelector('b')?.parentElement;
    expect(element.textContent).toContain('Choose a device on the map or in the list');

    store.set({ device: { user: 'a', is: 'sought' } });
    expect(element.textContent).toContain('Looking for a …');

    store.set({ device: { user: 'a', is: 'unknown' } });
    expect(element.textContent).toMatch(/^No last known location of a\./);
    expect(track?.hidden).toBe(true);

    const found = seen('a', 5, { acc: 12, cell: '1-2-3-4', far: true });
    store.set({ device: { user: 'a', is: 'known', found: { ...found, fix: found } } });
    expect(text(element, 'h2')).toBe('a');
    expect(element.textContent).toContain('Position50.000000, 10.000000Sourcesatellites');
    expect(element.textContent).toContain('12 m (95 % within)Cell1-2-3-4NotePosition and cell contradict each other.');
    expect(element.textContent).not.toContain('of its own');
    expect(track?.hidden).toBe(false);
  });

  it('that is at a cell has its newest position of its own as well, if it ever had one', () => {
    const at = (further: object) =>
      deviceView(
        new Store({
          tab: 'device',
          device: { user: 'a', is: 'known', found: { ...seen('a', 5, { src: 'cell' }), ...further } },
        }),
      ).textContent;

    expect(at({})).toContain('It has never reported a position of its own.');
    expect(at({ fix: seen('a', 150) })).toContain('Newest position of its ownSeen2 min ago');
  });
});
