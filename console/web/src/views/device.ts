import type { LastKnown, Sighting } from '../api';
import { h, quiet, rows } from '../dom';
import { age, metres, place, sourceName, time } from '../format';
import type { Chosen, Store } from '../store';

/**
 * The tab "Device": what is known of the chosen one.
 *
 * @param further what stays below while a device is known: its track, its stays
 */
export function deviceView(store: Store, ...further: HTMLElement[]): HTMLElement {
  const info = h('div');
  const below = h('div', {}, ...further);
  // Ages grow with each change of the view, too.
  store.watch(['tab', 'device', 'inView'], ({ tab, device }) => {
    if (tab === 'device') {
      info.replaceChildren(...content(device));
      below.hidden = device?.is !== 'known';
    }
  });
  return h('div', {}, info, below);
}

function content(device: Chosen | null): Node[] {
  switch (device?.is) {
    case 'sought':
      return [quiet(`Looking for ${device.user} …`)];
    case 'known':
      return known(device.found);
    case 'unknown':
      return [
        h('p', {}, 'No last known location of ', h('span', { class: 'id' }, device.user), '.'),
        quiet(
          'Check the id: it is the one that messages name. A device is shown here once it has a record with a position.',
        ),
      ];
    default:
      return [quiet('Choose a device on the map or in the list, or find one by its id.')];
  }
}

/** Its last known location and, if that is a cell's, the newest of its own. */
function known(device: LastKnown): Node[] {
  const { fix } = device;
  const hasOtherFix = fix !== undefined && fix.ts !== device.ts;
  return [
    h('h2', { class: 'id' }, device.user),
    h('h3', {}, 'Last known location'),
    sightingView(device),
    ...(hasOtherFix ? [h('h3', {}, 'Newest position of its own'), sightingView(fix)] : []),
    ...(fix === undefined ? [quiet('It has never reported a position of its own.')] : []),
  ];
}

function sightingView(sighting: Omit<Sighting, 'user'>): HTMLElement {
  return rows([
    ['Seen', [age(sighting.ts), h('br'), time(sighting.ts)]],
    ['Position', sighting.loc ? place(sighting.loc) : 'unknown'],
    ['Source', sourceName(sighting.src)],
    ['Accuracy', sighting.acc === undefined ? 'unknown' : `${metres(sighting.acc)} (95 % within)`],
    ['Cell', sighting.cell ?? 'none named'],
    ...(sighting.far
      ? [['Note', 'Position and cell contradict each other.'] as [string, string]]
      : []),
  ]);
}
