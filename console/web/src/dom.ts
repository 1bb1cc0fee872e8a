/** Small helpers for the page's elements. */

export type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | EventListener>;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'string') {
      element.setAttribute(name, value);
    } else {
      element.addEventListener(name, value);
    }
  }
  element.append(...children.filter((child): child is Node | string => Boolean(child)));
  return element;
}

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (element === null) {
    throw new Error(`no element ${id}`);
  }
  return element as T;
}

export const button = (name: string, click: () => void, attributes: Attributes = {}): HTMLButtonElement =>
  h('button', { type: 'button', click, ...attributes }, name);

export const quiet = (...children: Child[]): HTMLElement => h('p', { class: 'quiet' }, ...children);

/** A message that is read aloud when it changes. */
export const message = (text = ''): HTMLElement => h('p', { role: 'status', class: 'quiet' }, text);

/** @param options each value and how it is shown */
export const select = (
  attributes: Attributes,
  options: readonly (readonly [value: string, name: string])[],
): HTMLSelectElement => h('select', attributes, ...options.map(([value, name]) => h('option', { value }, name)));

/** A form whose submission stays in the page. */
export const form = (attributes: Attributes, submit: () => void, ...children: Child[]): HTMLFormElement =>
  h(
    'form',
    {
      ...attributes,
      submit: (event) => {
        event.preventDefault();
        submit();
      },
    },
    ...children,
  );

export function dot(colour: readonly number[]): HTMLElement {
  const element = h('span', { class: 'dot' });
  element.style.backgroundColor = `rgb(${colour.join(',')})`;
  return element;
}

export function rows(pairs: [string, Child | Child[]][]): HTMLDListElement {
  return h(
    'dl',
    {},
    ...pairs.flatMap(([name, value]) => [
      h('dt', {}, name),
      h('dd', {}, ...(Array.isArray(value) ? value : [value])),
    ]),
  );
}

export const table = (caption: string, columns: string[], lines: HTMLElement[]): HTMLTableElement =>
  h(
    'table',
    {},
    h('caption', {}, caption),
    columns.length > 0 && h('thead', {}, h('tr', {}, ...columns.map((name) => h('th', { scope: 'col' }, name)))),
    h('tbody', {}, ...lines),
  );

/** Puts other children into an element. The reader's focus stays on what has the same name as before. */
export function refill(element: Element, ...children: Child[]): void {
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  element.replaceChildren(...children.filter((child): child is Node | string => Boolean(child)));
  for (const name of ['data-user', 'data-key']) {
    const value = focused?.getAttribute(name) ?? null;
    if (value !== null) {
      element.querySelector<HTMLElement>(`[${name}="${CSS.escape(value)}"]`)?.focus();
    }
  }
}

const darkness = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)');

export const isDark = (): boolean => darkness().matches;

export const onOtherScheme = (tell: () => void): void =>
  darkness().addEventListener('change', tell);
