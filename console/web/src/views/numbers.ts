import { h, select } from '../dom';
import type { Numbers, Store } from '../store';

const KINDS: [Numbers, string][] = [
  ['counts', 'Records'],
  ['density', 'Density: devices at each place'],
  ['flows', 'Flows: moves between places'],
];

/** The tab "Numbers": those of the analytics job, one of its kinds at a time. */
export function numbersView(store: Store, parts: Record<Numbers, HTMLElement>): HTMLElement {
  const change = (): void => store.set({ numbers: what.value as Numbers });
  const what = select({ 'aria-label': 'Which numbers', change }, KINDS);
  const body = h('div');
  store.watch(['numbers'], ({ numbers }) => body.replaceChildren(parts[numbers]));
  return h('section', { 'aria-label': 'Numbers' }, h('div', { class: 'row' }, what), body);
}
