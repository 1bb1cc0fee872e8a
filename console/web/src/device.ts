import type { LastKnown, Sighting } from './api';
import { h, rows } from './dom';
import { age, metres, place, sourceName, time } from './format';

/** A device's last known location and, if that is a cell's, the newest of its own. */
export function deviceView(device: LastKnown): HTMLElement {
  const { fix } = device;
  const hasOtherFix = fix !== undefined && fix.ts !== device.ts;
  return h(
    'div',
    {},
    h('h2', { class: 'id' }, device.user),
    h('h3', {}, 'Last known location'),
    sightingView(device),
    ...(hasOtherFix ? [h('h3', {}, 'Newest position of its own'), sightingView(fix)] : []),
    fix === undefined && h('p', { class: 'quiet' }, 'It has never reported a position of its own.'),
  );
}

function sightingView(sighting: Omit<Sighting, 'user'>): HTMLElement {
  return rows([
    ['Seen', [age(sighting.ts), h('br'), time(sighting.ts)]],
    ['Position', sighting.loc ? place(sighting.loc) : 'unknown'],
    ['Source', sourceName(sighting.src)],
    [
      'Accuracy',
      sighting.acc === undefined ? 'unknown' : `${metres(sighting.acc)} (95 % within)`,
    ],
    ['Cell', sighting.cell ?? 'none named'],
    ...(sighting.far
      ? [['Note', 'Position and cell contradict each other.'] as [string, string]]
      : []),
  ]);
}
