import { type DrawIcon, el, iconButton } from './dom.ts';

export interface SheetOptions {
  readonly title: string;
  readonly icon: DrawIcon;
  /** Its person is done with it. */
  readonly closed: () => void;
}

/** A sheet over the messages: for chats, models and what was sent. Escape closes it, and the focus goes back to where it was. */
export class Sheet {
  readonly element: HTMLElement;
  readonly body = el('div', { class: 'dragoman-sheet-body' });
  readonly #options: SheetOptions;
  #before: Element | null = null;

  constructor(options: SheetOptions) {
    const { title, icon } = options;
    this.#options = options;
    const close = iconButton({ icon: 'x', label: 'Close', onclick: () => this.close() }, icon);
    this.element = el(
      'div',
      {
        class: 'dragoman-sheet',
        role: 'dialog',
        'aria-label': title,
        tabindex: '-1',
        onkeydown: (event) => this.#key(event),
      },
      el('div', { class: 'dragoman-sheet-head' }, el('h2', {}, title), close),
      this.body,
    );
  }

  /** Shows it in `parent`. The focus goes to its field, where that brings up no keyboard that hides the sheet. */
  open(parent: HTMLElement): void {
    this.#before = parent.ownerDocument.activeElement;
    parent.append(this.element);
    const isTouched = parent.ownerDocument.defaultView?.matchMedia('(pointer: coarse)').matches === true;
    const field = isTouched ? null : this.body.querySelector<HTMLElement>('input');
    (field ?? this.element).focus();
  }

  close(): void {
    if (!this.element.isConnected) return;
    const hadFocus = this.element.contains(this.element.ownerDocument.activeElement);
    this.element.remove();
    const before = this.#before;
    if (hadFocus && before instanceof HTMLElement && before.isConnected) before.focus();
    this.#options.closed();
  }

  #key(event: Event): void {
    if (!(event instanceof KeyboardEvent) || event.isComposing) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      this.close();
    } else if (event.key === 'Tab') this.#keepFocus(event);
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') this.#step(event);
  }

  /** Tab goes round in it. */
  #keepFocus(event: KeyboardEvent): void {
    const all = [...this.element.querySelectorAll<HTMLElement>('input, button, summary, [tabindex="0"]')];
    const usable = all.filter((each) => !each.matches(':disabled') && each.checkVisibility());
    const edge = event.shiftKey ? usable[0] : usable.at(-1);
    if (edge === undefined || edge !== this.element.ownerDocument.activeElement) return;
    event.preventDefault();
    (event.shiftKey ? usable.at(-1) : usable[0])?.focus();
  }

  /** Arrows go from row to row. */
  #step(event: KeyboardEvent): void {
    const rows = [...this.element.querySelectorAll<HTMLElement>('.dragoman-row-main')];
    const active = this.element.ownerDocument.activeElement;
    if (rows.length === 0 || (active instanceof HTMLInputElement && active.dataset.keepsArrows !== undefined)) return;
    const at = rows.findIndex((row) => row === active);
    event.preventDefault();
    rows[Math.min(rows.length - 1, Math.max(0, at + (event.key === 'ArrowDown' ? 1 : -1)))]?.focus();
  }
}

/** A field that narrows a list. */
export function searchField(label: string, input: (words: string) => void): HTMLElement {
  const field = el('input', { type: 'search', placeholder: label, 'aria-label': label, class: 'dragoman-search' });
  field.addEventListener('input', () => input(field.value));
  return field;
}

/** Nothing is there, or something is awaited. */
export function placeholder(text: string): HTMLElement {
  return el('p', { class: 'dragoman-muted dragoman-placeholder' }, text);
}
