type Listener = (event: Event) => void;

/** Attributes and properties of an element: `class`, `aria-label`, `onclick`. What is undefined or false is left out. */
export interface Attributes {
  readonly [name: string]: string | boolean | undefined | Listener;
}

/** Makes an element. Text goes in as text, never as HTML. */
export function el<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children);
  return made;
}

/** Draws an icon by its name in Lucide. */
export type DrawIcon = (name: string) => Element | undefined;

/** An icon that says nothing to a screen reader. */
export function iconOf(name: string, icon: DrawIcon): HTMLElement {
  const drawn = icon(name);
  return el('span', { class: 'dragoman-icon', 'aria-hidden': 'true' }, ...(drawn === undefined ? [] : [drawn]));
}

export interface IconButton extends Attributes {
  readonly icon: string;
  readonly label: string;
}

/** A button that shows only an icon; its label is what it is called. Where there is no such icon it shows the label. */
export function iconButton({ icon: name, label, ...attributes }: IconButton, icon: DrawIcon): HTMLButtonElement {
  const drawn = icon(name);
  const given = attributes.class === undefined ? '' : ` ${String(attributes.class)}`;
  return el(
    'button',
    { type: 'button', 'aria-label': label, ...attributes, class: `clickable-icon dragoman-icon-button${given}` },
    drawn ?? label,
  );
}

/** Whether keys belong to an input method that composes a character. */
export function isComposing(event: KeyboardEvent): boolean {
  // Some engines end the composition before the key that confirms it, and mark that key so.
  return event.isComposing || event.keyCode === 229;
}

/** A text that only screen readers find. */
export function hidden(text: string): HTMLElement {
  return el('span', { class: 'dragoman-hidden' }, text);
}
