import { byId } from '../dom';
import { count } from '../format';
import type { LiveState, State, Store } from '../store';

const LIVE_TEXTS: Record<LiveState, string> = {
  connecting: '',
  live: 'live',
  stopped: 'every 5 s',
  off: 'every 5 s',
  gone: '',
};

const LACKING = 'every 5 s: what is stored does not come live, so the job may publish to another topic';

type Shown = Pick<
  State,
  'tokenRequest' | 'failure' | 'crowd' | 'inView' | 'live' | 'liveProblem' | 'isLacking'
>;

function statusText({ tokenRequest, failure, crowd, inView, live, liveProblem, isLacking }: Shown): string {
  if (tokenRequest !== null) {
    return 'The token is needed';
  }
  if (failure !== null) {
    return 'No connection';
  }
  if (crowd !== null) {
    return `${count(crowd.devices)} devices in view: numbers instead of points, every 5 s`;
  }
  if (inView === null) {
    return 'Loading …';
  }
  const what = `${count(inView.length)} ${inView.length === 1 ? 'device' : 'devices'} in view`;
  const how = isLacking ? LACKING : [LIVE_TEXTS[live], liveProblem].filter(Boolean).join(': ');
  return [what, how].filter(Boolean).join(', ');
}

/** The status line, and the notices over the map. */
export function statusView(store: Store): void {
  const status = byId('status');
  const notice = byId('notice');
  store.watch(['tokenRequest', 'failure', 'crowd', 'inView', 'live', 'liveProblem', 'isLacking'], (now) => {
    const text = statusText(now);
    // The same text again would be read aloud again.
    if (status.textContent !== text) {
      status.textContent = text;
      status.title = text;
    }
  });
  store.watch(['failure'], ({ failure }) => {
    notice.textContent = failure;
    notice.hidden = failure === null;
  });
  store.watch(['otherServers'], ({ otherServers }) => {
    byId('other').hidden = otherServers === 0;
  });
  byId('reload').addEventListener('click', () => location.reload());
}
