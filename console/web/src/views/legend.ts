import { byId, dot, h } from '../dom';
import { count, SOURCE_COLOURS, SOURCE_NAMES, SOURCES } from '../format';
import type { Store } from '../store';

/** How many of the points in view come from which source. */
export function legendView(store: Store): void {
  store.watch(['inView', 'crowd'], ({ inView, crowd }) => {
    const counts = new Map<string, number>();
    for (const { src = 'cell' } of crowd === null ? (inView ?? []) : []) {
      counts.set(src, (counts.get(src) ?? 0) + 1);
    }
    byId('legend').replaceChildren(
      ...SOURCES.filter((source) => counts.has(source)).map((source) =>
        h(
          'li',
          {},
          dot(SOURCE_COLOURS[source]),
          `${SOURCE_NAMES[source]} `,
          h('small', {}, count(counts.get(source) ?? 0)),
        ),
      ),
    );
  });
}
