import type { Sighting } from '../api';
import { button, dot, h, quiet, refill } from '../dom';
import { age, count, SOURCE_COLOURS } from '../format';
import { LISTED, type Queries } from '../queries';
import type { State, Store } from '../store';

type Actions = Pick<Queries, 'find' | 'showAll'>;

/** The tab "In view": the devices that were seen there last. */
export function listView(store: Store, actions: Actions): HTMLElement {
  const element = h('div');
  store.watch(['tab', 'inView', 'crowd', 'failure'], (now) => {
    if (now.tab === 'view') {
      refill(element, ...content(now, actions));
    }
  });
  return element;
}

function content(
  { inView, crowd, failure }: Pick<State, 'inView' | 'crowd' | 'failure'>,
  actions: Actions,
): (HTMLElement | false)[] {
  if (inView === null) {
    return [quiet(failure === null ? 'Loading …' : 'Nothing is known yet.')];
  }
  if (inView.length === 0) {
    return [
      h('p', {}, 'No device was last seen here.'),
      button('Show all devices', () => void actions.showAll()),
      quiet(
        'If there are none at all: the tab “Health” says where they are read. “lastfix demo” replays San Francisco’s taxis.',
      ),
    ];
  }
  const now = Date.now();
  const item = ({ user, src, ts }: Sighting): HTMLElement =>
    h(
      'li',
      {},
      h(
        'button',
        { type: 'button', 'data-user': user, click: () => void actions.find(user, true) },
        dot(SOURCE_COLOURS[src ?? 'cell']),
        h('span', { class: 'id' }, user),
        h('small', {}, age(ts, now)),
      ),
    );
  return [
    h('ul', { class: 'devices' }, ...inView.slice(0, LISTED).map(item)),
    (crowd !== null || inView.length > LISTED) &&
      quiet(
        `The latest ${LISTED} of ${count(crowd?.devices ?? inView.length)}.`,
        crowd !== null && ' Zoom in, or choose a square, to see each device.',
      ),
  ];
}
