import { describe, expect, it, vi } from 'vitest';
import { Store } from '../src/store';

describe('the store', () => {
  it('shows a view at once, and again when what it watches is another', () => {
    const store = new Store();
    const view = vi.fn();
    store.watch(['tab'], ({ tab }) => view(tab));

    store.set({ failure: 'no answer' });
    store.set({ tab: 'view' });
    store.set({ tab: 'area' });

    expect(view.mock.calls).toEqual([['view'], ['area']]);
  });

  it('keeps what a change does not name', () => {
    const store = new Store({ tab: 'health' });

    store.set({ failure: 'no answer' });

    expect(store.state).toMatchObject({ tab: 'health', failure: 'no answer', inView: null });
  });

  it('tells a view that a change by another view made', () => {
    const store = new Store();
    const seen: string[] = [];
    store.watch(['device'], ({ device }) => {
      if (device !== null) {
        store.set({ tab: 'device' });
      }
    });
    store.watch(['tab', 'device'], ({ tab, device }) => seen.push(`${tab} ${device?.user}`));

    store.set({ device: { user: 'a', is: 'sought' } });

    expect(seen.at(-1)).toBe('device a');
  });

  it('tells a view when it comes into sight and when it goes, and nothing between', () => {
    const store = new Store();
    const show = vi.fn();
    store.whileShown(({ tab, numbers }) => tab === 'numbers' && numbers === 'flows', show);
    expect(show).not.toHaveBeenCalled();

    store.set({ tab: 'numbers' });
    store.set({ numbers: 'flows' });
    store.set({ failure: 'no answer' });
    store.set({ tab: 'health' });
    store.set({ tab: 'area' });

    expect(show.mock.calls).toEqual([[true], [false]]);
  });
});
