import { byId } from '../dom';
import type { Queries } from '../queries';

/** Finds a device by its id. */
export function searchView(queries: Pick<Queries, 'find'>): void {
  byId<HTMLFormElement>('find').addEventListener('submit', (event) => {
    event.preventDefault();
    const id = byId<HTMLInputElement>('find-id').value.trim();
    if (id !== '') {
      void queries.find(id, true);
    }
  });
}
