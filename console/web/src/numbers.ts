import { CountsPanel } from './counts';
import { h } from './dom';
import type { LiveMap } from './map';
import { DensityPanel, FlowsPanel } from './places';

/** A part of the panel that loads while it is shown. */
interface Part {
  readonly element: HTMLElement;
  show(isShown: boolean): void;
}

/** The numbers of the analytics job: one of its kinds at a time. */
export class NumbersPanel implements Part {
  readonly element = h('section', { 'aria-label': 'Numbers' });
  private readonly kinds: [string, string, Part][];
  private readonly what: HTMLSelectElement;
  private readonly body = h('div', {});
  private isShown = false;
  private shown: Part | null = null;

  constructor(map: LiveMap) {
    this.kinds = [
      ['counts', 'Records', new CountsPanel()],
      ['density', 'Density: devices at each place', new DensityPanel(map)],
      ['flows', 'Flows: moves between places', new FlowsPanel(map)],
    ];
    this.what = h(
      'select',
      { 'aria-label': 'Which numbers', change: () => this.render() },
      ...this.kinds.map(([value, name]) => h('option', { value }, name)),
    );
    this.element.append(h('div', { class: 'row' }, this.what), this.body);
  }

  show(isShown: boolean): void {
    this.isShown = isShown;
    this.render();
  }

  private render(): void {
    const part = this.kinds.find(([value]) => value === this.what.value)?.[2] ?? null;
    if (this.shown !== null && (this.shown !== part || !this.isShown)) {
      this.shown.show(false);
    }
    this.shown = part;
    if (part !== null && this.isShown) {
      this.body.replaceChildren(part.element);
      part.show(true);
    }
  }
}
