import { byId, button } from '../dom';
import type { Store, Tab } from '../store';

const TABS: readonly [Tab, string][] = [
  ['view', 'In view'],
  ['device', 'Device'],
  ['area', 'Area'],
  ['numbers', 'Numbers'],
  ['health', 'Health'],
];

/** The panel beside the map: one of these is in it. */
export function tabsView(store: Store, panels: Record<Tab, HTMLElement>): void {
  const list = byId('tabs');
  const body = byId('tab-body');
  const buttons = TABS.map(([tab, title]) =>
    button(title, () => store.set({ tab }), { role: 'tab', id: `tab-${tab}`, 'aria-controls': 'tab-body' }),
  );
  list.append(...buttons);
  list.addEventListener('keydown', ({ key }) => {
    const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
    if (step !== 0) {
      const at = TABS.findIndex(([tab]) => tab === store.state.tab);
      store.set({ tab: TABS[(at + step + TABS.length) % TABS.length]?.[0] ?? 'view' });
    }
  });
  store.watch(['tab'], ({ tab }) => {
    const hasFocus = list.contains(document.activeElement);
    for (const it of buttons) {
      const isChosen = it.id === `tab-${tab}`;
      it.setAttribute('aria-selected', String(isChosen));
      it.tabIndex = isChosen ? 0 : -1;
    }
    body.setAttribute('aria-labelledby', `tab-${tab}`);
    body.replaceChildren(panels[tab]);
    if (hasFocus) {
      byId(`tab-${tab}`).focus();
    }
  });
}
