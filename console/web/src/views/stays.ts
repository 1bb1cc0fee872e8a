import { Refusal, type Server } from '../api';
import { h, quiet, rows, select } from '../dom';
import { count, localTime, type Missing, missing, type ResultState, STATE_NAMES, utcTime } from '../format';
import { Latest } from '../load';
import type { LiveMap } from '../map';
import type { Store } from '../store';
import { placeButton, PLACES } from './places';

interface Stay {
  k: string;
  begin: string;
  end?: string;
  ended: 'open' | 'left' | 'absent';
  state: ResultState;
}

interface Stays extends Missing {
  stays: Stay[];
  more: boolean;
}

interface Trip {
  from: string;
  to: string;
  begin: string;
  end: string;
  via: number;
  state: ResultState;
}

const ENDS: Record<Stay['ended'], string> = {
  open: 'has not ended',
  left: 'then left',
  absent: 'then absent',
};
const MOST_STAYS = 100;

const SPANS = ['24h', '7d', '30d', '366d'].map((span) => [span, `last ${span}`] as const);

/** Where the chosen device stayed, and its trips between. */
export function staysView(store: Store, server: Server, map: LiveMap): HTMLElement {
  const change = (): void => void load();
  const by = select({ 'aria-label': 'What the places of stays are', change }, PLACES);
  const span = select({ 'aria-label': 'Time before its newest stay', change }, SPANS);
  span.value = '7d';
  const body = h('div', { class: 'table', role: 'status' });
  const latest = new Latest();
  let user: string | null = null;

  store.watch(['device'], ({ device }) => {
    if (device?.is === 'known' && device.user !== user) {
      user = device.user;
      body.replaceChildren();
      void load();
    }
  });

  async function load(): Promise<void> {
    if (user === null) {
      return;
    }
    const query = `${encodeURIComponent(user)}?by=${by.value}&last=${span.value}&limit=${MOST_STAYS}`;
    await latest.run(
      async (signal) => {
        const answer = await server.get<Stays>(`v1/stays/${query}`, signal);
        const trips = await tripsOf(server, query, signal);
        const lacks = missing(answer, 'stays');
        body.replaceChildren(...content(map, answer, trips), ...(lacks === '' ? [] : [quiet(lacks)]));
      },
      (failure) =>
        body.replaceChildren(
          quiet(
            failure instanceof Refusal
              ? failure.detail
              : 'The stays cannot be shown: the console’s server does not answer.',
          ),
        ),
    );
  }

  return h(
    'section',
    { 'aria-label': 'Stays' },
    h('h3', {}, 'Stays and trips'),
    h('div', { class: 'row' }, by, span),
    body,
  );
}

/** None if the server has no trips at all. */
async function tripsOf(server: Server, query: string, signal: AbortSignal): Promise<Trip[]> {
  try {
    return (await server.get<{ trips: Trip[] }>(`v1/trips/${query}`, signal)).trips;
  } catch (failure) {
    if (failure instanceof Refusal && failure.status === 404) {
      return [];
    }
    throw failure;
  }
}

function content(map: LiveMap, { stays, more }: Stays, trips: Trip[]): Node[] {
  if (stays.length === 0) {
    return [quiet('No stay in that time.')];
  }
  const after = new Map(trips.map((trip) => [trip.begin, trip]));
  return [
    h(
      'ul',
      { class: 'stays' },
      ...[...stays].reverse().map((stay) => {
        const trip = stay.end === undefined ? undefined : after.get(stay.end);
        return h(
          'li',
          {},
          placeButton(map, stay.k),
          rows([
            ['From', [localTime(stay.begin), h('br'), h('small', {}, utcTime(stay.begin))]],
            [
              'To',
              stay.end === undefined
                ? ENDS.open
                : [`${localTime(stay.end)}, ${ENDS[stay.ended]}`, h('br'), h('small', {}, utcTime(stay.end))],
            ],
            ...(trip
              ? [
                  [
                    'Trip',
                    [
                      'to ',
                      placeButton(map, trip.to),
                      `, ${minutes(trip)}, by ${count(trip.via)} ${trip.via === 1 ? 'place' : 'places'}`,
                    ],
                  ] as [string, (Node | string)[]],
                ]
              : []),
            ['State', STATE_NAMES[stay.state]],
          ]),
        );
      }),
    ),
    ...(more ? [quiet(`The first ${MOST_STAYS} of that time.`)] : []),
  ];
}

const minutes = ({ begin, end }: Trip): string =>
  `${count(Math.round((Date.parse(end) - Date.parse(begin)) / 60_000))} min`;
