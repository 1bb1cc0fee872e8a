import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Server } from '../../src/api';
import { Store } from '../../src/store';
import { healthView } from '../../src/views/health';
import { NOW, openPage, pass, serve, text } from '../page';

const AT = new Date(NOW - 60_000).toISOString();

const health = {
  ledger: {
    state: 'ok',
    job: 'lastfix',
    started: AT,
    ageSeconds: 1,
    stale: false,
    recordsIn: 12,
    stored: 9,
    duplicates: 0,
    rejected: 1,
    notRecords: 0,
    waiting: 2,
    difference: 0,
    unlocated: 0,
    messagesPerSecond: 3,
    recordsPerSecond: 3,
    rejectedByReason: { malformed: 1 },
    ledger: {
      checkpoint: 5,
      in: 12,
      stored: 9,
      duplicates: 0,
      erased: 0,
      rejected: 1,
      notRecords: 0,
      waiting: 2,
      unaccounted: 0,
    },
  },
  flink: { state: 'unavailable', problem: 'no answer from 127.0.0.1:8081' },
  lag: { state: 'ok', groups: { lastfix: { location: 4 } } },
  rejected: {
    state: 'ok',
    topic: 'rejected',
    messages: 21,
    contents: true,
    newest: [{ at: AT, reason: 'malformed', topic: 'location', partition: '0', offset: '7', bytes: 5, text: '{"ts"' }],
  },
  gateway: { state: 'off', problem: '' },
  mongodb: { state: 'ok', devices: 3, partitions: 2, lastKnownLocation: 'last', history: 'history' },
  audit: { state: 'ok', job: 'lastfix' },
};

beforeEach(() => {
  openPage();
  vi.useFakeTimers({ now: NOW });
});
afterEach(() => void vi.useRealTimers());

describe('the health', () => {
  const open = async (answer: () => unknown = () => health) => {
    const asked = serve({ 'v1/health': answer });
    const store = new Store({ tab: 'health' });
    const element = healthView(store, new Server(store));
    document.body.append(element);
    await pass();
    const part = (title: string): HTMLElement | undefined =>
      [...element.querySelectorAll<HTMLElement>('.part')].find((it) => text(it, 'h3').startsWith(title));
    return { asked, store, element, part };
  };

  it('accounts for all records', async () => {
    const { part } = await open();
    expect([...(part('Records')?.querySelectorAll('tr') ?? [])].map((it) => it.textContent)).toEqual([
      'Records in12',
      'Stored in History9',
      'Duplicates0',
      'Rejected1',
      '– malformed1',
      'No record, by their profile0',
      'Waiting for their cell2',
    ]);
    expect(text(part('Records') ?? document, '.balance')).toBe('Every record is accounted for.');
    expect(text(part('Records') ?? document, '[data-verdict=clean]')).toMatch(/^All 12 records since the ledger began/);
  });

  it('has each part with its own state', async () => {
    const { part } = await open();
    expect(part('Jobs')?.dataset['state']).toBe('unavailable');
    expect(text(part('Jobs') ?? document, 'p')).toBe('No answer from 127.0.0.1:8081.');
    expect(text(part('Gateway') ?? document, '.state')).toBe('not known');
    expect(part('Lag')?.textContent).toContain('lastfixlocation4');
    expect(part('MongoDB')?.textContent).toContain('3 in last');
    expect(part('Last audit')?.textContent).toContain('None of lastfix is known');
  });

  it('keeps a rejected message open, and the focus on it, while it is loaded again', async () => {
    const { asked, element } = await open();
    const details = element.querySelector('details');
    details!.open = true;
    details!.dispatchEvent(new Event('toggle'));
    details!.querySelector('summary')?.focus();
    await pass(5_000);

    expect(asked).toHaveLength(2);
    expect(element.querySelector('details')).not.toBe(details);
    expect(element.querySelector('details')?.open).toBe(true);
    expect(text(element, 'pre')).toBe('{"ts"');
    expect(document.activeElement).toBe(element.querySelector('summary'));
  });

  it('is not loaded while it is not shown, and says if it cannot be', async () => {
    const { asked, store, element } = await open(() => {
      throw new TypeError('gone');
    });
    expect(text(element, '[role=status]')).toBe(
      'The console’s server does not answer. What is shown was known before.',
    );

    store.set({ tab: 'area' });
    await pass(60_000);
    expect(asked).toHaveLength(1);
  });
});
