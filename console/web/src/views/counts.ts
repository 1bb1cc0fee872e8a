import { failureText, type Server } from '../api';
import { button, h, message, quiet, refill, select, table } from '../dom';
import { age, type Completeness, completeness, count, localTime, type Missing, missing, rangeOf, type ResultState } from '../format';
import { repeated } from '../load';
import type { Store } from '../store';

interface Group {
  k: string;
  n: number;
  windows: number;
  open: number;
  batch: number;
  newest: string;
}

interface Sums extends Completeness, Missing {
  from: string;
  to: string;
  groups: Group[];
}

interface Window {
  w: string;
  n: number;
  state: ResultState;
}

const REFRESH_MILLIS = 10_000;
const MOST_GROUPS = 50;
const WINDOW_MILLIS = 10_000;
const MOST_BARS = 360;
const KINDS: [by: string, name: string][] = [
  ['cell', 'cell'],
  ['source', 'source'],
  ['area', 'area'],
  ['network', 'network'],
  ['total', 'in all'],
];
const SPANS = ['10m', '1h', '6h', '24h'].map((span) => [span, span] as const);

/** How many records there were: sums of groups, and each window of one of them. */
export function countsView(store: Store, server: Server): HTMLElement {
  const change = (): void => choose();
  const by = select({ id: 'numbers-by', change }, KINDS);
  const span = select({ 'aria-label': 'Time before the newest window', change }, SPANS);
  span.value = '1h';
  const said = message();
  const note = quiet();
  const detail = h('div');
  const found = h('div', { class: 'table' });
  let key: string | null = null;

  const query = (): string => `v1/counts?by=${by.value}`;
  const show = repeated(
    REFRESH_MILLIS,
    async (signal) => {
      const sums = await server.get<Sums>(`${query()}&last=${span.value}&limit=${MOST_GROUPS}`, signal);
      render(sums);
      if (key !== null) {
        await loadWindows(key, sums, signal);
      }
    },
    (failure) => {
      said.textContent = failureText(failure, 'The numbers cannot be shown.', 'Trying again.');
    },
  );
  store.whileShown(({ tab, numbers }) => tab === 'numbers' && numbers === 'counts', show);

  function choose(): void {
    key = null;
    note.textContent = '';
    detail.replaceChildren();
    found.replaceChildren();
    said.textContent = 'Loading …';
    show(true);
  }

  async function loadWindows(group: string, { to }: Sums, signal: AbortSignal): Promise<void> {
    const from = new Date(Date.parse(to) - MOST_BARS * WINDOW_MILLIS).toISOString();
    const range = `&from=${from}&to=${to}&limit=${MOST_BARS}`;
    const path = `${query()}&key=${encodeURIComponent(group)}${range}`;
    const { windows } = await server.get<{ windows: Window[] }>(path, signal);
    if (key === group) {
      detail.replaceChildren(chart(group, windows, Date.parse(from)));
    }
  }

  function render(sums: Sums): void {
    const { from, to, groups, more } = sums;
    note.textContent = noteOf(sums);
    said.replaceChildren(...(groups.length === 0 ? ['No record in that time.'] : rangeOf(from, to)));
    refill(found, table(more ? `The ${MOST_GROUPS} with the most` : '', ['Group', 'Records', 'State'], groups.map(line)));
  }

  const line = (group: Group): HTMLElement =>
    h(
      'tr',
      {},
      h('td', { class: 'id' }, button(group.k, () => toggle(group.k), {
        class: 'plain',
        'data-user': group.k,
        'aria-pressed': String(key === group.k),
      })),
      h('td', { class: 'number' }, count(group.n)),
      h('td', {}, state(group)),
    );

  function toggle(group: string): void {
    key = key === group ? null : group;
    detail.replaceChildren();
    show(true);
  }

  const controls = h(
    'div',
    { class: 'row' },
    h('label', { for: 'numbers-by' }, 'Records by'),
    by,
    h('span', {}, 'of the last'),
    span,
  );
  return h('div', {}, controls, said, note, detail, found);
}

function noteOf(sums: Sums): string {
  const all =
    sums.results === 0
      ? ''
      : `${completeness(sums)}${sums.newest === undefined ? '' : `; the newest is of ${age(sums.newest)}`}. `;
  return `${all}${missing(sums, 'counts')}`;
}

function state({ windows, open, batch }: Group): string {
  if (batch === windows) {
    return 'from History';
  }
  return open > 0 ? `${count(open)} open` : batch > 0 ? 'closed, some from History' : 'closed';
}

const SVG = 'http://www.w3.org/2000/svg';
const HEIGHT = 80;

function chart(key: string, windows: Window[], from: number): HTMLElement {
  const most = Math.max(1, ...windows.map(({ n }) => n));
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `0 0 ${MOST_BARS} ${HEIGHT}`);
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('role', 'img');
  svg.setAttribute(
    'aria-label',
    `Records of ${key} in each ten seconds of an hour: ${windows.length} windows, up to ${most}`,
  );
  for (const { w, n, state: name } of windows) {
    const bar = document.createElementNS(SVG, 'rect');
    const height = (n / most) * HEIGHT;
    bar.setAttribute('x', String((Date.parse(w) - from) / WINDOW_MILLIS));
    bar.setAttribute('y', String(HEIGHT - height));
    bar.setAttribute('width', '1');
    bar.setAttribute('height', String(height));
    bar.setAttribute('class', name);
    const title = document.createElementNS(SVG, 'title');
    title.textContent = `${localTime(w)}: ${n}, ${name}`;
    bar.append(title);
    svg.append(bar);
  }
  return h(
    'figure',
    {},
    h('figcaption', {}, h('span', { class: 'id' }, key), ' each 10 s, the last hour; up to ', count(most)),
    svg,
  );
}
