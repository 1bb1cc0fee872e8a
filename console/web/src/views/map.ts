import { byId } from '../dom';
import type { LiveMap } from '../map';
import type { Queries } from '../queries';
import type { Store } from '../store';

/** What the map shows of the store, and what the reader does to it. */
export function mapView(store: Store, map: LiveMap, queries: Pick<Queries, 'find' | 'showAll'>): void {
  store.watch(['inView', 'crowd'], ({ inView, crowd }) => map.show(inView ?? [], crowd));
  store.watch(['device'], ({ device }) => {
    // The one before stays until the next is found.
    if (device?.is !== 'sought') {
      map.select(device?.is === 'known' ? device.found : null);
    }
  });
  map.onPicked((picked) => {
    if (picked === null) {
      store.set({ device: null, tab: 'view' });
    } else {
      void queries.find(picked.user, false);
    }
  });
  byId('show-all').addEventListener('click', () => void queries.showAll());
}
