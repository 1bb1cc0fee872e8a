/** Small helpers for the page's elements. */

type Child = Node | string | null | undefined | false;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | EventListener> = {},
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
