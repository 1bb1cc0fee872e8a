import { failureText, type Server } from '../api';
import { h, message, quiet, refill, rows } from '../dom';
import { age, bytes, count, localTime, millis, span, time } from '../format';
import { repeated } from '../load';
import type { Store } from '../store';

interface Part {
  state: 'ok' | 'unavailable' | 'off';
  problem?: string;
}

interface Ledger extends Part {
  job: string;
  started: string;
  ageSeconds: number;
  stale: boolean;
  recordsIn: number;
  stored: number;
  duplicates: number;
  rejected: number;
  notRecords: number;
  waiting: number;
  difference: number;
  unlocated: number;
  messagesPerSecond: number;
  recordsPerSecond: number;
  latencyMillisMedian?: number;
  latencyMillisP95?: number;
  rejectedByReason: Record<string, number>;
  ledger?: Sums;
}

/** What became of all records, at one checkpoint. */
interface Sums {
  checkpoint: number;
  in: number;
  stored: number;
  duplicates: number;
  erased: number;
  rejected: number;
  notRecords: number;
  waiting: number;
  unaccounted: number;
}

interface Checkpoints {
  completed: number;
  failed: number;
  inProgress: number;
  newest?: { id: number; triggered: string; tookMillis: number; bytes: number };
  newestFailure?: { id: number; failed: string; cause: string };
}

interface Flink extends Part {
  jobs: { id: string; name: string; state: string; started: string; checkpoints?: Checkpoints }[];
}

interface Lag extends Part {
  groups: Record<string, Record<string, number>>;
}

interface RejectedMessage {
  at: string;
  reason?: string;
  detail?: string;
  topic?: string;
  partition?: string;
  offset?: string;
  key?: string;
  bytes?: number;
  omittedBytes?: string;
  form?: 'text' | 'gzip' | 'binary';
  text?: string;
  cut?: boolean;
}

interface Rejected extends Part {
  topic: string;
  messages: number;
  contents: boolean;
  newest: RejectedMessage[];
}

interface Gateway extends Part {
  address: string;
  overQuota: number;
  overQuotaDevices: string[];
}

interface MongoDb extends Part {
  lastKnownLocation: string;
  history: string;
  devices: number;
  partitions: number;
}

/** Without the time it is that of no audit. */
interface Audit extends Part {
  job: string;
  at?: string;
  tookMillis: number;
  from?: string;
  to?: string;
  topics: string[];
  records: number;
  history: number;
  duplicates: number;
  rejected: number;
  discrepancies: number;
  notJudged: number;
  undecided: number;
  verdict: string;
}

interface Health {
  ledger: Ledger;
  flink: Flink;
  lag: Lag;
  rejected: Rejected;
  gateway: Gateway;
  mongodb: MongoDb;
  audit: Audit;
}

const REFRESH_MILLIS = 5_000;
const STATES: Record<Part['state'], string> = {
  ok: '',
  unavailable: 'not available',
  off: 'not known',
};

/** The tab "Health": how the jobs and their servers are. */
export function healthView(store: Store, server: Server): HTMLElement {
  const said = message('Loading …');
  /** The messages whose content the reader has opened. */
  const opened = new Set<string>();
  const parts = {
    ledger: part('Records', ledger),
    lag: part('Lag', lag),
    flink: part('Jobs and checkpoints', jobs),
    rejected: part('Rejected messages', (it: Rejected) => rejected(it, opened)),
    gateway: part('Gateway', gateway),
    mongodb: part('MongoDB', mongodb),
    audit: part('Last audit', audit),
  };
  const show = repeated(
    REFRESH_MILLIS,
    async (signal) => {
      const health = await server.get<Health>('v1/health', signal);
      parts.ledger.show(health.ledger);
      parts.lag.show(health.lag);
      parts.flink.show(health.flink);
      parts.rejected.show(health.rejected);
      parts.gateway.show(health.gateway);
      parts.mongodb.show(health.mongodb);
      parts.audit.show(health.audit);
      said.textContent = '';
    },
    (failure) => {
      said.textContent = failureText(failure, 'The health cannot be shown.', 'What is shown was known before.');
    },
  );
  store.whileShown(({ tab }) => tab === 'health', show);
  return h('section', { 'aria-label': 'Health' }, said, ...Object.values(parts).map(({ element }) => element));
}

function rejected({ topic, messages, contents, newest }: Rejected, opened: Set<string>): Node[] {
  const shown = newest.map((it) => rejectedMessage(it, opened));
  return [
    quiet(
      `${count(messages)} in ${topic}`,
      messages > newest.length ? `; the newest ${newest.length}:` : '',
      contents ? '' : ' Contents are not shown, because the job replaces users by pseudonyms.',
    ),
    h('ul', { class: 'rejected' }, ...shown),
  ];
}

function rejectedMessage(message: RejectedMessage, opened: Set<string>): HTMLElement {
  const place = [message.topic, message.partition, message.offset].filter(Boolean).join(' ');
  const key = `${place} ${message.reason ?? ''} ${message.detail ?? ''}`;
  const content =
    message.text === undefined
      ? null
      : h(
          'details',
          {
            toggle: (event) => {
              if ((event.target as HTMLDetailsElement).open) {
                opened.add(key);
              } else {
                opened.delete(key);
              }
            },
          },
          h(
            'summary',
            { 'data-key': key },
            `Message of ${bytes(message.bytes ?? 0)}`,
            message.form === 'gzip' ? ', inflated' : message.form === 'binary' ? ', as hexadecimal digits' : '',
            message.cut ? ', its beginning' : '',
          ),
          h('pre', { tabindex: '0' }, message.text),
        );
  if (content && opened.has(key)) {
    content.open = true;
  }
  return h(
    'li',
    {},
    h('strong', {}, message.reason ?? 'no reason'),
    ' ',
    h('small', {}, age(message.at)),
    message.detail !== undefined && h('div', {}, message.detail),
    h('div', { class: 'quiet id' }, place),
    message.omittedBytes !== undefined &&
      h('div', { class: 'quiet' }, `Its ${bytes(Number(message.omittedBytes))} are only there.`),
    content,
  );
}

const mongodb = ({ devices, lastKnownLocation, partitions, history }: MongoDb): Node[] => [
  rows([
    ['Devices', `${count(devices)} in ${lastKnownLocation}`],
    ['Periods of History', `${count(partitions)} in ${history}`],
  ]),
];

function gateway({ address, overQuota, overQuotaDevices }: Gateway): Node[] {
  const names = overQuotaDevices.join(', ') + (overQuota > overQuotaDevices.length ? ' …' : '');
  return [
    rows([
      ['Address', address],
      ['Over their quota of today', overQuota === 0 ? '0' : `${count(overQuota)}: ${names}`],
    ]),
  ];
}

/** One part, which keeps its place and the reader's focus while its content changes. */
function part<T extends Part>(title: string, content: (now: T) => Node[]) {
  const state = h('span', { class: 'state' });
  const body = h('div');
  const element = h('section', { class: 'part' }, h('h3', {}, title, ' ', state), body);
  let before = '';
  return {
    element,
    show(now: T): void {
      const text = JSON.stringify(now);
      if (text === before && now.state !== 'ok') {
        return;
      }
      before = text;
      state.textContent = STATES[now.state];
      element.dataset['state'] = now.state;
      refill(body, ...(now.state === 'ok' ? content(now) : [h('p', {}, sentence(now.problem ?? ''))]));
    },
  };
}

const sentence = (text: string): string =>
  text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

function ledger(it: Ledger): Node[] {
  const balance =
    it.difference === 0
      ? 'Every record is accounted for.'
      : it.difference > 0
        ? `${count(it.difference)} more were on their way when this was read.`
        : `${count(-it.difference)} of these were read before the job’s tasks last started.`;
  const reasons = Object.entries(it.rejectedByReason).sort(([, a], [, b]) => b - a);
  const line = (name: string, n: number, quiet = false): HTMLElement =>
    h('tr', quiet ? { class: 'quiet' } : {}, h('th', { scope: 'row' }, name), h('td', { class: 'number' }, count(n)));
  return [
    h(
      'table',
      {},
      h('caption', {}, `Of ${it.job}, since its tasks last started`),
      h(
        'tbody',
        {},
        line('Records in', it.recordsIn),
        line('Stored in History', it.stored),
        line('Duplicates', it.duplicates),
        line('Rejected', it.rejected),
        ...reasons.map(([reason, n]) => line(`– ${reason}`, n, true)),
        line('No record, by their profile', it.notRecords),
        line('Waiting for their cell', it.waiting),
      ),
    ),
    h('p', { class: 'balance' }, balance),
    ...(it.ledger === undefined ? [] : sums(it.ledger)),
    rows([
      [
        'Rate',
        it.stale
          ? `not known: no TaskManager has reported for ${span(it.ageSeconds)}`
          : `${count(Math.round(it.recordsPerSecond))} records a second, in the last minute`,
      ],
      ...(it.stale || it.latencyMillisMedian === undefined
        ? []
        : [
            [
              'Latency',
              `${millis(it.latencyMillisMedian)}, 95 % within ${millis(it.latencyMillisP95 ?? 0)}: from Kafka to MongoDB`,
            ] as [string, string],
          ]),
      ['No place', `${count(it.unlocated)}: their cell is unknown or ambiguous`],
    ]),
  ];
}

function sums(it: Sums): Node[] {
  return [
    h(
      'p',
      { class: 'verdict', 'data-verdict': it.unaccounted === 0 ? 'clean' : 'wrong' },
      it.unaccounted === 0
        ? `All ${count(it.in)} records since the ledger began are accounted for, at checkpoint ${count(it.checkpoint)}.`
        : `${count(it.unaccounted)} of ${count(it.in)} records are unaccounted for, at checkpoint ${count(it.checkpoint)}.`,
    ),
    quiet(
      `${count(it.stored)} stored, ${count(it.duplicates)} duplicates, ${count(it.erased)} of erased users, ` +
        `${count(it.rejected)} rejected, ${count(it.notRecords)} no record, ${count(it.waiting)} waiting.`,
    ),
  ];
}

function audit(it: Audit): Node[] {
  if (it.at === undefined) {
    return [
      h(
        'p',
        {},
        `None of ${it.job} is known: lastfix audit, on any machine, proves that every record is stored, and keeps its last result in this MongoDB.`,
      ),
    ];
  }
  const kind = it.discrepancies > 0 ? 'wrong' : it.notJudged > 0 ? 'partly' : 'clean';
  const range = [
    ...(it.from === undefined ? [] : [`from ${localTime(it.from)}`]),
    ...(it.to === undefined ? [] : [`before ${localTime(it.to)}`]),
  ].join(' ');
  return [
    h('p', { class: 'verdict', 'data-verdict': kind }, sentence(it.verdict)),
    rows([
      ['Ended', [age(it.at), h('br'), time(it.at)]],
      ['Job', it.job],
      ['Topics', it.topics.join(', ')],
      ...(range === '' ? [] : [['Records', `only ${range}`] as [string, string]]),
      [
        'Records in',
        `${count(it.records)}: ${count(it.history)} stored, ${count(it.duplicates)} duplicates, ${count(it.rejected)} rejected`,
      ],
      ['Differ', count(it.discrepancies)],
      [
        'Not judged',
        it.undecided === 0
          ? count(it.notJudged)
          : `${count(it.notJudged)}; ${count(it.undecided)} could hide a wrong position`,
      ],
      ['Took', millis(it.tookMillis)],
    ]),
  ];
}

function lag({ groups }: Lag): Node[] {
  const found = Object.entries(groups);
  if (found.length === 0) {
    return [h('p', {}, 'No job has committed yet.')];
  }
  return [
    h(
      'table',
      {},
      h('caption', {}, 'Messages that are not committed; a job commits at its checkpoints'),
      h(
        'tbody',
        {},
        ...found.flatMap(([group, topics]) => [
          h('tr', {}, h('th', { scope: 'rowgroup', colspan: '2' }, group)),
          ...Object.entries(topics).map(([topic, n]) =>
            h('tr', {}, h('th', { scope: 'row', class: 'quiet' }, topic), h('td', { class: 'number' }, count(n))),
          ),
        ]),
      ),
    ),
  ];
}

function jobs({ jobs: all }: Flink): Node[] {
  if (all.length === 0) {
    return [h('p', {}, 'The cluster has no job.')];
  }
  return all.map(({ name, state, started, checkpoints }) =>
    h(
      'div',
      { class: 'job' },
      h('strong', {}, name),
      ` ${state.toLowerCase()}, started ${age(started)}`,
      checkpoints &&
        rows([
          [
            'Checkpoints',
            `${count(checkpoints.completed)} completed, ${count(checkpoints.failed)} failed`,
          ],
          ...(checkpoints.newest
            ? [
                [
                  'Newest',
                  [
                    `${age(checkpoints.newest.triggered)}, took ${millis(checkpoints.newest.tookMillis)}, ${bytes(checkpoints.newest.bytes)}`,
                    h('br'),
                    time(checkpoints.newest.triggered),
                  ],
                ] as [string, (Node | string)[]],
              ]
            : []),
          ...(checkpoints.newestFailure
            ? [
                [
                  'Last failure',
                  `${age(checkpoints.newestFailure.failed)}: ${checkpoints.newestFailure.cause}`,
                ] as [string, string],
              ]
            : []),
        ]),
    ),
  );
}
