import './style.css';
import { AreaPanel } from './areapanel';
import {
  failureText,
  type Grid,
  gridCounts,
  type LastKnown,
  onOtherServer,
  onTokenNeeded,
  Refusal,
  ServerGone,
  type Sighting,
  where,
  within,
} from './api';
import { deviceView } from './device';
import { byId, h } from './dom';
import { HealthPanel } from './health';
import { age, count, isBefore, SOURCE_COLOURS, SOURCE_NAMES, SOURCES } from './format';
import { Live, type LiveState } from './live';
import { LiveMap, type Bounds } from './map';
import { NumbersPanel } from './numbers';
import { StaysPanel } from './places';
import { TrackPanel } from './trackpanel';

const MOST_IN_VIEW = 20_000;
const LISTED = 100;
/** While records come live, the view is only corrected: devices that left it, erased users. */
const LIVE_REFRESH_MILLIS = 20_000;
const REFRESH_MILLIS = 5_000;
const DRAW_MILLIS = 250;
const MOVE_PAUSE_MILLIS = 150;
const LONGEST_RETRY_MILLIS = 10_000;
/** A device comes live before it is stored, and a query that began before that does not know it. */
const STORED_WITHIN_MILLIS = 3_000;
/** For so long what was heard of a device counts more than an older record that a query found. */
const CORRECTED_WITHIN_MILLIS = 60_000;

interface Heard {
  readonly sighting: Sighting;
  /** When, by {@link performance.now}. */
  readonly at: number;
}

type Tab = 'view' | 'device' | 'area' | 'numbers' | 'health';
const TABS: [Tab, string][] = [
  ['view', 'In view'],
  ['device', 'Device'],
  ['area', 'Area'],
  ['numbers', 'Numbers'],
  ['health', 'Health'],
];

let tab: Tab = 'view';
let inView: Sighting[] | null = null;
/** More devices than can be shown one by one. */
let crowd: Grid | null = null;
let known: Map<string, Sighting> | null = null;
let followed: Bounds | null = null;
let liveState: LiveState = 'connecting';
let liveProblem = '';
/** The newest that the stream said of each device. */
const heard = new Map<string, Heard>();
/** Whether it said anything since the last query of the view. */
let hasHeard = false;
/** Devices in view with a record that was stored, but not heard, at that query. */
let unheard = new Map<string, string>();
/** Whether the stream had begun before the last query. */
let isFollowed = false;
/** Whether the stream leaves out what is stored. */
let isLacking = false;
let drawing = 0;
let deviceMoved = false;
let device: LastKnown | string | null = null;
let loading: AbortController | null = null;
let timer = 0;
let retryMillis = 1_000;
let isGone = false;

const map = new LiveMap(
  () => schedule(MOVE_PAUSE_MILLIS),
  (picked) => (picked ? void find(picked.user, false) : unselect()),
);

const tracks = new TrackPanel(map);
const stays = new StaysPanel(map);
interface Panel {
  readonly element: HTMLElement;
  show(isShown: boolean): void;
}

/** Tabs that load for themselves while they are shown. */
const panels: Partial<Record<Tab, Panel>> = {
  area: new AreaPanel(
    map,
    () => inView?.[0]?.ts ?? null,
    (user) => void find(user, true),
  ),
  numbers: new NumbersPanel(map),
  health: new HealthPanel(),
};
let shownPanel: Panel | null = null;

function schedule(millis: number): void {
  clearTimeout(timer);
  timer = window.setTimeout(() => void load(), millis);
}

async function load(): Promise<void> {
  loading?.abort();
  const mine = new AbortController();
  loading = mine;
  if (known === null) {
    status('Loading …');
  }
  const bounds = map.bounds();
  const hasMoved = String(bounds) !== String(followed);
  const began = performance.now();
  try {
    // Where it was not too crowded, only a query that finds too many says that it is.
    const counted = crowd !== null || hasMoved ? await gridCounts(map.gridOfView(), mine.signal) : null;
    if (counted !== null && counted.devices > MOST_IN_VIEW) {
      await showCrowd(counted, bounds, mine.signal);
    } else {
      if (hasMoved) {
        // Before the query, so that nothing between the two is missed.
        followed = bounds;
        followAnew();
        live.follow(bounds);
      }
      const found = await within(bounds, MOST_IN_VIEW, mine.signal);
      if (found.more) {
        await showCrowd(await gridCounts(map.gridOfView(), mine.signal), bounds, mine.signal);
      } else {
        crowd = null;
        const before = known;
        known = new Map(found.sightings.map((it) => [it.user, it]));
        if (!hasMoved) {
          judgeStream(before, known);
        }
        correctByHeard(began);
      }
    }
    back();
    await refreshDevice(mine.signal);
    draw();
    schedule(liveState === 'live' && !isLacking && crowd === null ? LIVE_REFRESH_MILLIS : REFRESH_MILLIS);
  } catch (failure) {
    if (!mine.signal.aborted) {
      failed(failure);
    }
  }
}

/** Until what was drawn is on the screen. No frame comes while nobody sees the page. */
const painted = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));

/** Counts instead of points, and the latest devices in the list. Records are not followed one by one. */
async function showCrowd(counted: Grid, bounds: Bounds, signal: AbortSignal): Promise<void> {
  live.stop();
  followed = null;
  crowd = counted;
  // The squares do not wait for the list, nor for a processor that its query would take.
  draw();
  await painted();
  const latest = await within(bounds, LISTED, signal);
  known = new Map(latest.sightings.map((it) => [it.user, it]));
}

/**
 * Whether the stream says what is stored: the job may publish to another topic, or to none. A record
 * may be heard long before it is stored, or shortly after. If it still is not at the next query, the
 * stream lacks it.
 */
function judgeStream(before: Map<string, Sighting> | null, stored: Map<string, Sighting>): void {
  const isHeard = ([user, ts]: [string, string]): boolean => {
    const last = heard.get(user);
    return last !== undefined && !isBefore(last.sighting.ts, ts);
  };
  if (![...unheard].every(isHeard)) {
    isLacking = true;
  } else if (hasHeard || unheard.size > 0) {
    isLacking = false;
  }
  const isNew = ({ user, ts }: Sighting): boolean => {
    const last = before?.get(user);
    return last !== undefined && isBefore(last.ts, ts);
  };
  unheard = new Map(
    isFollowed && liveState === 'live'
      ? [...stored.values()].filter(isNew).map(({ user, ts }) => [user, ts])
      : [],
  );
  hasHeard = false;
  isFollowed = true;
}

/**
 * What was heard lately is shown, where it is newer than what a query found: MongoDB may be slow.
 * Later the query is right: what it found may have been corrected, or the device erased meanwhile.
 */
function correctByHeard(began: number): void {
  for (const [user, { sighting, at }] of heard) {
    const stored = known?.get(user);
    if (stored === undefined) {
      if (at > began - STORED_WITHIN_MILLIS) {
        put(sighting);
      } else {
        heard.delete(user);
      }
    } else if (at > began - CORRECTED_WITHIN_MILLIS && isBefore(stored.ts, sighting.ts)) {
      put(sighting);
    }
  }
}

/** Begins to judge anew: what is stored until the stream has begun cannot be heard. */
function followAnew(): void {
  heard.clear();
  hasHeard = false;
  unheard.clear();
  isFollowed = false;
}

/** Keeps the newest sighting of a device, if it is in view. */
function put(sighting: Sighting): void {
  if (known === null || followed === null) {
    return;
  }
  const before = known.get(sighting.user);
  if (before && isBefore(sighting.ts, before.ts)) {
    return;
  }
  if (isIn(followed, sighting)) {
    known.set(sighting.user, sighting);
  } else {
    known.delete(sighting.user);
  }
}

function isIn([west, south, east, north]: Bounds, { loc }: Sighting): boolean {
  if (!loc) {
    return false;
  }
  const between = west < east ? loc.lon >= west && loc.lon <= east : loc.lon >= west || loc.lon <= east;
  return between && loc.lat >= south && loc.lat <= north;
}

const live = new Live({
  located(sightings) {
    const at = performance.now();
    hasHeard ||= sightings.length > 0;
    for (const sighting of sightings) {
      const last = heard.get(sighting.user);
      // Partitions, and what was heard twice, keep no order.
      if (last === undefined || !isBefore(sighting.ts, last.sighting.ts)) {
        heard.set(sighting.user, { sighting, at });
      }
      put(sighting);
      if (device !== null && typeof device !== 'string' && device.user === sighting.user) {
        deviceMoved = true;
      }
    }
    drawing ||= window.setTimeout(() => {
      drawing = 0;
      draw();
      if (deviceMoved) {
        deviceMoved = false;
        void refreshDevice(new AbortController().signal).then(render, () => undefined);
      }
    }, DRAW_MILLIS);
  },
  reset() {
    followAnew();
    schedule(0);
  },
  state(state, problem) {
    liveProblem = problem;
    // Queries at once: what was missed, or whether the server has gone.
    if ((state === 'live') !== (liveState === 'live')) {
      followAnew();
      isLacking = false;
      schedule(0);
    }
    liveState = state;
    render();
  },
});

function draw(): void {
  inView = known === null ? null : [...known.values()].sort((a, b) => (isBefore(a.ts, b.ts) ? 1 : isBefore(b.ts, a.ts) ? -1 : 0));
  map.show(crowd === null ? (inView ?? []) : []);
  map.showCrowd(crowd);
  render();
}

/** What is known of the chosen device by now; also of one that had never been seen. */
async function refreshDevice(signal: AbortSignal): Promise<void> {
  if (device === null && unknownDevice !== null && tab === 'device') {
    await refreshUnknown(unknownDevice, signal);
    return;
  }
  if (device === null || typeof device === 'string') {
    return;
  }
  const { user } = device;
  const isChosen = (): boolean => device !== null && typeof device !== 'string' && device.user === user;
  try {
    const found = await where(user, signal);
    if (isChosen()) {
      device = found;
      map.select(found);
      tracks.show(found);
    }
  } catch (failure) {
    if (!(failure instanceof Refusal && failure.status === 404)) {
      throw failure;
    }
    // Erased meanwhile, which is no fault of the server.
    if (isChosen()) {
      unknown(user);
    }
  }
}

async function refreshUnknown(user: string, signal: AbortSignal): Promise<void> {
  try {
    const found = await where(user, signal);
    if (device === null && unknownDevice === user) {
      chosen(found);
    }
  } catch (failure) {
    if (!(failure instanceof Refusal && failure.status === 404)) {
      throw failure;
    }
  }
}

function chosen(found: LastKnown): void {
  device = found;
  unknownDevice = null;
  map.select(found);
  tracks.show(found);
  stays.show(found.user);
}

function unknown(user: string): void {
  unknownDevice = user;
  device = null;
  map.select(null);
}

/** The server is gone, or refuses: says so, and tries again. */
function failed(failure: unknown): void {
  isGone = true;
  const seconds = Math.round(retryMillis / 1000);
  const what =
    failure instanceof Refusal && failure.code === 'store-unavailable'
      ? 'MongoDB does not answer.'
      : failureText(failure, 'The page failed; reload it.');
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
    element.title = text;
  }
}

async function find(id: string, moves: boolean): Promise<void> {
  tab = 'device';
  device = id;
  render();
  try {
    const found = await where(id);
    if (device !== id) {
      return;
    }
    chosen(found);
    if (moves && found.loc) {
      map.goTo(found.loc.lon, found.loc.lat);
    }
  } catch (failure) {
    if (failure instanceof Refusal && failure.status === 404) {
      unknown(id);
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

const LIVE_TEXTS: Record<LiveState, string> = {
  connecting: '',
  live: 'live',
  stopped: 'every 5 s',
  off: 'every 5 s',
  gone: '',
};

const LACKING = 'every 5 s: what is stored does not come live, so the job may publish to another topic';

function render(): void {
  if (!isGone && (crowd !== null || inView !== null)) {
    const shown = inView?.length ?? 0;
    const what =
      crowd !== null
      ? `${count(crowd.devices)} devices in view: numbers instead of points, every 5 s`
      : `${count(shown)} ${shown === 1 ? 'device' : 'devices'} in view`;
    const how =
      crowd !== null
        ? ''
        : isLacking
          ? LACKING
          : [LIVE_TEXTS[liveState], liveProblem].filter(Boolean).join(': ');
    status([what, how].filter(Boolean).join(', '));
  }
  renderTabs();
  renderLegend();
  const body = byId('tab-body');
  const focused = (document.activeElement as HTMLElement | null)?.dataset['user'];
  const scrolled = body.scrollTop;
  const panel = panels[tab] ?? null;
  if (shownPanel !== panel) {
    shownPanel?.show(false);
    panel?.show(true);
    shownPanel = panel;
  }
  if (panel !== null) {
    if (body.firstElementChild !== panel.element) {
      body.replaceChildren(panel.element);
    }
  } else if (tab === 'view') {
    body.replaceChildren(listView());
  } else {
    const info = deviceTab();
    const isKnown = device !== null && typeof device !== 'string';
    if (body.lastElementChild === stays.element && isKnown) {
      // What the reader is using in it keeps its focus.
      body.firstElementChild?.replaceWith(info);
    } else {
      body.replaceChildren(info, ...(isKnown ? [tracks.element, stays.element] : []));
    }
  }
  body.scrollTop = scrolled;
  if (focused !== undefined) {
    body.querySelector<HTMLElement>(`[data-user="${CSS.escape(focused)}"]`)?.focus();
  }
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
  for (const { src } of crowd === null ? (inView ?? []) : []) {
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
        'If there are none at all: the tab “Health” says where they are read. “lastfix demo” replays San Francisco’s taxis.',
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
            { type: 'button', 'data-user': sighting.user, click: () => void find(sighting.user, true) },
            dot,
            h('span', { class: 'id' }, sighting.user),
            h('small', {}, age(sighting.ts, now)),
          ),
        );
      }),
    ),
    (crowd !== null || inView.length > LISTED) &&
      h(
        'p',
        { class: 'quiet' },
        `The latest ${LISTED} of ${count(crowd?.devices ?? inView.length)}.`,
        crowd !== null && ' Zoom in, or choose a square, to see each device.',
      ),
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
      h(
        'p',
        { class: 'quiet' },
        'Check the id: it is the one that messages name. A device is shown here once it has a record with a position.',
      ),
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

onOtherServer(() => {
  byId('other').hidden = false;
  live.retry();
  followed = null;
  schedule(0);
});
byId('reload').addEventListener('click', () => location.reload());

onTokenNeeded(
  (wasWrong) =>
    new Promise((resolve) => {
      // It answers, so it is not gone any more.
      back();
      status('The token is needed');
      const dialog = byId<HTMLDialogElement>('token-dialog');
      const input = byId<HTMLInputElement>('token');
      byId('token-problem').textContent = wasWrong ? 'The server refused this token.' : '';
      input.value = '';
      let isNeeded = true;
      const again = setInterval(() => {
        void fetch('v1/openapi.json').then(
          ({ ok }) => {
            if (ok) {
              isNeeded = false;
              dialog.close();
            }
          },
          () => undefined,
        );
      }, REFRESH_MILLIS);
      dialog.addEventListener(
        'close',
        () => {
          clearInterval(again);
          resolve(isNeeded ? input.value.trim() : null);
        },
        { once: true },
      );
      dialog.addEventListener('cancel', (event) => event.preventDefault());
      dialog.showModal();
    }),
);

// A browser opens six connections to a server, for all its tabs: those that nobody sees leave theirs.
document.addEventListener('visibilitychange', () => {
  if (document.hidden) {
    clearTimeout(timer);
    loading?.abort();
    live.stop();
    followed = null;
  } else {
    schedule(0);
  }
});

render();
if (LiveMap.isPlaced()) {
  // At once: the query is on its way while the map is drawn for the first time.
  void load();
} else {
  void showAll();
  schedule(1_000);
}
