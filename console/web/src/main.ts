import './style.css';
import {
  onTokenNeeded,
  Refusal,
  ServerGone,
  where,
  within,
  type LastKnown,
  type Sighting,
} from './api';
import { deviceView } from './device';
import { byId, h } from './dom';
import { age, count, SOURCE_COLOURS, SOURCE_NAMES, SOURCES } from './format';
import { LiveMap } from './map';

const MOST_IN_VIEW = 20_000;
const LISTED = 100;
const REFRESH_MILLIS = 5_000;
const MOVE_PAUSE_MILLIS = 150;
const LONGEST_RETRY_MILLIS = 10_000;

type Tab = 'view' | 'device';
const TABS: [Tab, string][] = [
  ['view', 'In view'],
  ['device', 'Device'],
];

let tab: Tab = 'view';
let inView: Sighting[] | null = null;
let isCut = false;
let device: LastKnown | string | null = null;
let loading: AbortController | null = null;
let timer = 0;
let retryMillis = 1_000;
let isGone = false;

const map = new LiveMap(
  () => schedule(MOVE_PAUSE_MILLIS),
  (picked) => (picked ? void find(picked.user, false) : unselect()),
);

function schedule(millis: number): void {
  clearTimeout(timer);
  timer = window.setTimeout(() => void load(), millis);
}

async function load(): Promise<void> {
  loading?.abort();
  const mine = new AbortController();
  loading = mine;
  if (inView === null) {
    status('Loading …');
  }
  try {
    const found = await within(map.bounds(), MOST_IN_VIEW, mine.signal);
    back();
    inView = found.sightings;
    isCut = found.more;
    map.show(inView);
    await refreshDevice(mine.signal);
    render();
    schedule(REFRESH_MILLIS);
  } catch (failure) {
    if (!mine.signal.aborted) {
      failed(failure);
    }
  }
}

async function refreshDevice(signal: AbortSignal): Promise<void> {
  if (device !== null && typeof device !== 'string') {
    const known = await where(device.user, signal);
    if (device !== null && typeof device !== 'string' && device.user === known.user) {
      device = known;
      map.select(known);
    }
  }
}

/** The server is gone, or refuses: says so, and tries again. */
function failed(failure: unknown): void {
  isGone = true;
  const seconds = Math.round(retryMillis / 1000);
  const what =
    failure instanceof Refusal
      ? failure.code === 'store-unavailable'
        ? 'MongoDB does not answer.'
        : failure.detail
      : failure instanceof ServerGone
        ? 'The console’s server does not answer.'
        : 'The page failed; reload it.';
  notice(`${what} ${inView === null ? '' : 'The map shows what was known before. '}Trying again in ${seconds} s.`);
  status('No connection');
  render();
  schedule(retryMillis);
  retryMillis = Math.min(2 * retryMillis, LONGEST_RETRY_MILLIS);
  if (!(failure instanceof Refusal) && !(failure instanceof ServerGone)) {
    console.error(failure);
  }
}

function back(): void {
  retryMillis = 1_000;
  if (isGone) {
    isGone = false;
    notice('');
  }
}

function notice(text: string): void {
  const element = byId('notice');
  element.textContent = text;
  element.hidden = text === '';
}

function status(text: string): void {
  const element = byId('status');
  // The same text again would be read aloud again.
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

async function find(id: string, moves: boolean): Promise<void> {
  tab = 'device';
  device = id;
  render();
  try {
    const known = await where(id);
    if (device !== id) {
      return;
    }
    device = known;
    map.select(known);
    if (moves && known.loc) {
      map.goTo(known.loc.lon, known.loc.lat);
    }
  } catch (failure) {
    if (failure instanceof Refusal && failure.status === 404) {
      unknownDevice = id;
      device = null;
      map.select(null);
    } else {
      device = null;
      failed(failure);
    }
  }
  render();
}

let unknownDevice: string | null = null;

function unselect(): void {
  device = null;
  unknownDevice = null;
  tab = 'view';
  map.select(null);
  render();
}

async function showAll(): Promise<void> {
  try {
    const found = await within([-180, -90, 180, 90], 1_000);
    map.fit(found.sightings);
    if (found.sightings.length === 0) {
      schedule(0);
    }
  } catch {
    // The view's own loading says what is wrong.
    schedule(0);
  }
}

function render(): void {
  if (!isGone && inView !== null) {
    status(
      isCut
        ? `More than ${count(MOST_IN_VIEW)} devices in view: the latest are shown`
        : `${count(inView.length)} ${inView.length === 1 ? 'device' : 'devices'} in view`,
    );
  }
  renderTabs();
  renderLegend();
  byId('tab-body').replaceChildren(tab === 'view' ? listView() : deviceTab());
}

function renderTabs(): void {
  const focused = document.activeElement?.id.startsWith('tab-') && document.activeElement.id !== 'tab-body';
  byId('tabs').replaceChildren(
    ...TABS.map(([name, title]) =>
      h(
        'button',
        {
          role: 'tab',
          type: 'button',
          id: `tab-${name}`,
          'aria-selected': String(tab === name),
          'aria-controls': 'tab-body',
          tabindex: tab === name ? '0' : '-1',
          click: () => {
            tab = name;
            render();
          },
        },
        title,
      ),
    ),
  );
  byId('tab-body').setAttribute('aria-labelledby', `tab-${tab}`);
  if (focused) {
    byId(`tab-${tab}`).focus();
  }
}

byId('tabs').addEventListener('keydown', (event) => {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (step !== 0) {
    const at = TABS.findIndex(([name]) => name === tab);
    tab = TABS[(at + step + TABS.length) % TABS.length]?.[0] ?? 'view';
    render();
  }
});

function renderLegend(): void {
  const counts = new Map<string, number>();
  for (const { src } of inView ?? []) {
    counts.set(src ?? 'cell', (counts.get(src ?? 'cell') ?? 0) + 1);
  }
  byId('legend').replaceChildren(
    ...SOURCES.filter((source) => counts.has(source)).map((source) => {
      const dot = h('span', { class: 'dot' });
      dot.style.backgroundColor = `rgb(${SOURCE_COLOURS[source].join(',')})`;
      return h('li', {}, dot, `${SOURCE_NAMES[source]} `, h('small', {}, count(counts.get(source) ?? 0)));
    }),
  );
}

function listView(): HTMLElement {
  if (inView === null) {
    return h('p', { class: 'quiet' }, isGone ? 'Nothing is known yet.' : 'Loading …');
  }
  if (inView.length === 0) {
    return h(
      'div',
      {},
      h('p', {}, 'No device was last seen here.'),
      h('button', { type: 'button', click: () => void showAll() }, 'Show all devices'),
      h(
        'p',
        { class: 'quiet' },
        'If there are none at all: “lastfix demo” replays San Francisco’s taxis.',
      ),
    );
  }
  const now = Date.now();
  return h(
    'div',
    {},
    h(
      'ul',
      { class: 'devices' },
      ...inView.slice(0, LISTED).map((sighting) => {
        const dot = h('span', { class: 'dot' });
        dot.style.backgroundColor = `rgb(${SOURCE_COLOURS[sighting.src ?? 'cell'].join(',')})`;
        return h(
          'li',
          {},
          h(
            'button',
            { type: 'button', click: () => void find(sighting.user, true) },
            dot,
            h('span', { class: 'id' }, sighting.user),
            h('small', {}, age(sighting.ts, now)),
          ),
        );
      }),
    ),
    inView.length > LISTED &&
      h('p', { class: 'quiet' }, `The latest ${LISTED} of ${count(inView.length)}.`),
  );
}

function deviceTab(): HTMLElement {
  if (typeof device === 'string') {
    return h('p', { class: 'quiet' }, `Looking for ${device} …`);
  }
  if (device !== null) {
    return deviceView(device);
  }
  if (unknownDevice !== null) {
    return h(
      'div',
      {},
      h('p', {}, 'No last known location of ', h('span', { class: 'id' }, unknownDevice), '.'),
      h('p', { class: 'quiet' }, 'Check the id: it is the one that messages name.'),
    );
  }
  return h('p', { class: 'quiet' }, 'Choose a device on the map or in the list, or find one by its id.');
}

byId<HTMLFormElement>('find').addEventListener('submit', (event) => {
  event.preventDefault();
  const id = byId<HTMLInputElement>('find-id').value.trim();
  if (id !== '') {
    void find(id, true);
  }
});

byId('show-all').addEventListener('click', () => void showAll());

onTokenNeeded(
  (wasWrong) =>
    new Promise((resolve) => {
      const dialog = byId<HTMLDialogElement>('token-dialog');
      const input = byId<HTMLInputElement>('token');
      byId('token-problem').textContent = wasWrong ? 'The server refused this token.' : '';
      input.value = '';
      dialog.addEventListener('close', () => resolve(input.value.trim()), { once: true });
      dialog.addEventListener('cancel', (event) => event.preventDefault());
      dialog.showModal();
    }),
);

render();
if (LiveMap.isPlaced()) {
  schedule(0);
} else {
  void showAll();
  schedule(1_000);
}
