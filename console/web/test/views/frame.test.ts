import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { byId, h } from '../../src/dom';
import { Store, type State } from '../../src/store';
import { legendView } from '../../src/views/legend';
import { mapView } from '../../src/views/map';
import { searchView } from '../../src/views/search';
import { statusView } from '../../src/views/status';
import { tabsView } from '../../src/views/tabs';
import { tokenView } from '../../src/views/token';
import { crowdOf, fakeMap, openPage, pass, press, seen, serve, text } from '../page';

beforeEach(openPage);
afterEach(() => void vi.useRealTimers());

describe('the status', () => {
  const two = [seen('a', 0), seen('b', 0)];
  it.each<[string, Partial<State>]>([
    ['Loading …', {}],
    ['2 devices in view', { inView: two }],
    ['1 device in view, live', { inView: two.slice(1), live: 'live' }],
    ['2 devices in view, every 5 s', { inView: two, live: 'off' }],
    ['0 devices in view, every 5 s: Kafka is gone', { inView: [], live: 'stopped', liveProblem: 'Kafka is gone' }],
    [
      '2 devices in view, every 5 s: what is stored does not come live, so the job may publish to another topic',
      { inView: two, live: 'live', isLacking: true },
    ],
    [
      `${(25_000).toLocaleString()} devices in view: numbers instead of points, every 5 s`,
      { inView: two, live: 'live', crowd: crowdOf(25_000) },
    ],
    ['No connection', { inView: two, failure: 'gone' }],
    ['The token is needed', { inView: two, tokenRequest: { wasWrong: false, answer: () => undefined } }],
  ])('says “%s”', (said, state) => {
    statusView(new Store(state));

    expect(byId('status').textContent).toBe(said);
    expect(byId('status').title).toBe(said);
  });

  it('is not written again if it says the same', () => {
    const store = new Store({ inView: [] });
    statusView(store);
    const written = byId('status').firstChild;
    store.set({ inView: [] });

    expect(byId('status').firstChild).toBe(written);
  });

  it('has notices of a failure and of another server', () => {
    const store = new Store();
    statusView(store);
    expect([byId('notice').hidden, byId('other').hidden]).toEqual([true, true]);

    store.set({ failure: 'It does not answer.', otherServers: 1 });
    expect([byId('notice').hidden, byId('other').hidden]).toEqual([false, false]);
    expect(text(document, '#notice')).toBe('It does not answer.');

    store.set({ failure: null });
    expect([byId('notice').hidden, byId('other').hidden]).toEqual([true, false]);
  });
});

describe('the legend', () => {
  it('counts points by their source, and nothing of a crowd', () => {
    const store = new Store({ inView: [seen('a', 0), seen('b', 0), { user: 'c', ts: '', cell: null }] });
    legendView(store);
    expect(text(document, '#legend')).toBe('satellites 2cell tower 1');

    store.set({ crowd: crowdOf(25_000) });
    expect(text(document, '#legend')).toBe('');
  });
});

describe('the tabs', () => {
  const open = (): Store => {
    const store = new Store();
    const panel = (name: string): HTMLElement => h('p', {}, name);
    tabsView(store, {
      view: panel('devices'),
      device: panel('one'),
      area: panel('an area'),
      numbers: panel('numbers'),
      health: panel('health'),
    });
    return store;
  };

  it('show one panel at a time, and say which', () => {
    const store = open();
    expect(text(document, '#tab-body')).toBe('devices');

    press(byId('tabs'), 'Health');

    expect(store.state.tab).toBe('health');
    expect(text(document, '#tab-body')).toBe('health');
    expect(byId('tab-body').getAttribute('aria-labelledby')).toBe('tab-health');
    expect(document.querySelectorAll('[aria-selected=true]')).toHaveLength(1);
    expect([byId('tab-health').tabIndex, byId('tab-view').tabIndex]).toEqual([0, -1]);
  });

  it('follow the arrow keys around, with the focus', () => {
    const store = open();
    byId('tab-view').focus();
    for (const [key, tab] of [['ArrowLeft', 'health'], ['ArrowRight', 'view'], ['ArrowRight', 'device'], ['x', 'device']]) {
      byId('tabs').dispatchEvent(new KeyboardEvent('keydown', { key: key ?? '' }));

      expect(store.state.tab).toBe(tab);
      expect(document.activeElement?.id).toBe(`tab-${tab}`);
    }
  });
});

describe('the map', () => {
  const open = (state: Partial<State> = {}) => {
    const store = new Store(state);
    const queries = { find: vi.fn(async () => undefined), showAll: vi.fn(async () => undefined) };
    const { calls, map } = fakeMap();
    mapView(store, map, queries);
    return { store, calls, queries };
  };

  it('shows the devices in view, or the squares of a crowd', () => {
    const { store, calls } = open();
    expect(calls.show).toHaveBeenLastCalledWith([], null);

    const inView = [seen('a', 0)];
    store.set({ inView });
    expect(calls.show).toHaveBeenLastCalledWith(inView, null);

    const crowd = crowdOf(25_000);
    store.set({ crowd });
    expect(calls.show).toHaveBeenLastCalledWith(inView, crowd);
  });

  it('marks the device that is known, until another one is found or none is', () => {
    const { store, calls } = open();
    store.set({ device: { user: 'a', is: 'known', found: seen('a', 0) } });
    expect(calls.select).toHaveBeenLastCalledWith(seen('a', 0));

    store.set({ device: { user: 'b', is: 'sought' } });
    expect(calls.select).toHaveBeenLastCalledWith(seen('a', 0));

    store.set({ device: { user: 'b', is: 'unknown' } });
    expect(calls.select).toHaveBeenLastCalledWith(null);
  });

  it('finds a device on which the reader clicks; beside all, none is chosen', () => {
    const { store, calls, queries } = open({ tab: 'device', device: { user: 'b', is: 'unknown' } });
    const click = calls.onPicked.mock.calls[0]?.[0];
    click(seen('a', 0));
    expect(queries.find).toHaveBeenCalledWith('a', false);

    click(null);
    expect(store.state).toMatchObject({ device: null, tab: 'view' });
  });

  it('has a button that shows all devices', () => {
    const { queries } = open();
    byId('show-all').click();

    expect(queries.showAll).toHaveBeenCalled();
  });
});

describe('the search', () => {
  it('finds a device by its id without the spaces around, and nothing by spaces alone', () => {
    const find = vi.fn(async () => undefined);
    searchView({ find });
    for (const typed of ['  ', ' taxi 7 ']) {
      byId<HTMLInputElement>('find-id').value = typed;
      byId('find').dispatchEvent(new Event('submit', { cancelable: true }));
    }

    expect(find.mock.calls).toEqual([['taxi 7', true]]);
  });
});

describe('the dialog of the token', () => {
  const open = (wasWrong: boolean) => {
    const store = new Store();
    tokenView(store);
    const answer = vi.fn();
    store.set({ tokenRequest: { wasWrong, answer } });
    return answer;
  };

  it('forwards what the reader types', () => {
    const answer = open(true);
    expect(text(document, '#token-problem')).toBe('The server refused this token.');
    expect(byId<HTMLDialogElement>('token-dialog').open).toBe(true);

    byId<HTMLInputElement>('token').value = ' a-token ';
    byId<HTMLDialogElement>('token-dialog').close();

    expect(answer.mock.calls).toEqual([['a-token']]);
  });

  it('closes by itself once the server wants no token', async () => {
    vi.useFakeTimers();
    serve({ 'v1/openapi.json': () => ({}) });
    const answer = open(false);
    expect(text(document, '#token-problem')).toBe('');
    await pass(5_000);

    expect(answer.mock.calls).toEqual([[null]]);
  });
});
