import { failureText, get } from './api';
import { h } from './dom';
import { age, type Completeness, completeness, count, localTime, type Missing, missing, utcTime } from './format';

type By = 'cell' | 'source' | 'area' | 'network' | 'total';

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
  state: 'open' | 'closed' | 'batch';
}

const REFRESH_MILLIS = 10_000;
const MOST_GROUPS = 50;
const WINDOW_MILLIS = 10_000;
const MOST_BARS = 360;
const KINDS: [By, string][] = [
  ['cell', 'cell'],
  ['source', 'source'],
  ['area', 'area'],
  ['network', 'network'],
  ['total', 'in all'],
];
const SPANS = ['10m', '1h', '6h', '24h'];

/** How many records there were: sums of groups, and each window of one of them. */
export class CountsPanel {
  readonly element = h('div', {});
  private readonly by = h(
    'select',
    { id: 'numbers-by', change: () => this.choose() },
    ...KINDS.map(([value, name]) => h('option', { value }, name)),
  );
  private readonly span = h(
    'select',
    { 'aria-label': 'Time before the newest window', change: () => this.choose() },
    ...SPANS.map((span) => h('option', { value: span }, span)),
  );
  private readonly message = h('p', { role: 'status', class: 'quiet' });
  private readonly note = h('p', { class: 'quiet' });
  private readonly detail = h('div', {});
  private readonly table = h('div', { class: 'table' });
  private key: string | null = null;
  private timer = 0;
  private loading: AbortController | null = null;

  constructor() {
    this.span.value = '1h';
    this.element.append(
      h(
        'div',
        { class: 'row' },
        h('label', { for: 'numbers-by' }, 'Records by'),
        this.by,
        h('span', {}, 'of the last'),
        this.span,
      ),
      this.message,
      this.note,
      this.detail,
      this.table,
    );
  }

  /** Loads while it is shown. */
  show(isShown: boolean): void {
    clearTimeout(this.timer);
    this.loading?.abort();
    if (isShown) {
      void this.load();
    }
  }

  private choose(): void {
    this.key = null;
    this.note.textContent = '';
    this.detail.replaceChildren();
    this.table.replaceChildren();
    this.message.textContent = 'Loading …';
    this.show(true);
  }

  private async load(): Promise<void> {
    const mine = new AbortController();
    this.loading = mine;
    try {
      const query = `v1/counts?by=${this.by.value}&last=${this.span.value}`;
      const sums = await get<Sums>(`${query}&limit=${MOST_GROUPS}`, mine.signal);
      this.render(sums);
      if (this.key !== null) {
        await this.loadWindows(query, this.key, sums, mine.signal);
      }
    } catch (failure) {
      if (mine.signal.aborted) {
        return;
      }
      this.message.textContent = failureText(
        failure,
        'The numbers cannot be shown.',
        'Trying again.',
      );
    }
    this.timer = window.setTimeout(() => void this.load(), REFRESH_MILLIS);
  }

  private render(sums: Sums): void {
    const { from, to, groups, more } = sums;
    this.note.textContent = noteOf(sums);
    this.message.replaceChildren(
      ...(groups.length === 0
        ? ['No record in that time.']
        : [
            `${localTime(from)} to ${localTime(to)}`,
            h('br'),
            h('small', {}, `${utcTime(from)} to ${utcTime(to)}; it ends ${age(to)}`),
          ]),
    );
    this.table.replaceChildren(
      h(
        'table',
        {},
        h('caption', {}, more ? `The ${MOST_GROUPS} with the most` : ''),
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            ...['Group', 'Records', 'State'].map((name) => h('th', { scope: 'col' }, name)),
          ),
        ),
        h('tbody', {}, ...groups.map((group) => this.row(group))),
      ),
    );
  }

  private row(group: Group): HTMLElement {
    return h(
      'tr',
      {},
      h(
        'td',
        { class: 'id' },
        h(
          'button',
          {
            type: 'button',
            class: 'plain',
            'data-user': group.k,
            'aria-pressed': String(this.key === group.k),
            click: () => {
              this.key = this.key === group.k ? null : group.k;
              this.detail.replaceChildren();
              this.show(true);
            },
          },
          group.k,
        ),
      ),
      h('td', { class: 'number' }, count(group.n)),
      h('td', {}, state(group)),
    );
  }

  private async loadWindows(
    query: string,
    key: string,
    { to }: Sums,
    signal: AbortSignal,
  ): Promise<void> {
    const from = new Date(Date.parse(to) - MOST_BARS * WINDOW_MILLIS).toISOString();
    const range = `&from=${from}&to=${to}&limit=${MOST_BARS}`;
    const path = query.replace(/&last=.*/, '');
    const { windows } = await get<{ windows: Window[] }>(
      `${path}&key=${encodeURIComponent(key)}${range}`,
      signal,
    );
    if (this.key === key) {
      this.detail.replaceChildren(chart(key, windows, Date.parse(from)));
    }
  }
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
