import { type DrawIcon, el, iconButton, isComposing } from './dom.ts';
import { copyText, drawMarkdown } from './markdown.ts';

export interface UserOptions {
  readonly icon: DrawIcon;
  /** Sends these words in place of the message. */
  readonly again: (text: string) => void;
  /** Nothing comes after it: then it changes where it stands. */
  readonly isLast: () => boolean;
}

const whatStays = 'What came after it stays in the chat as it is now; this goes on in a new one.';

/** What a person said, with what they can do with it: copy it, change it, or ask it again. */
export class UserEntry {
  readonly element = el('article', { class: 'dragoman-message dragoman-user', 'aria-label': 'You' });
  readonly #text: string;
  readonly #options: UserOptions;

  constructor(text: string, options: UserOptions) {
    this.#text = text;
    this.#options = options;
    this.#show();
  }

  edit(): void {
    const input = el('textarea', { class: 'dragoman-edit', 'aria-label': 'Change the message', rows: '3' });
    input.value = this.#text;
    const send = () => {
      if (input.value.trim() === '') return;
      this.#show();
      this.#options.again(input.value);
    };
    const leave = () => {
      this.#show();
      this.element.querySelector<HTMLElement>('.dragoman-edit-button')?.focus();
    };
    input.addEventListener('keydown', (event) => {
      if (isComposing(event)) return;
      if (event.key === 'Escape') leave();
      else if (event.key === 'Enter' && !event.shiftKey) send();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    const button = (words: string, kind: string, onclick: () => void) =>
      el('button', { type: 'button', class: `dragoman-button ${kind}`, onclick }, words);
    this.element.replaceChildren(
      input,
      el('div', { class: 'dragoman-buttons' }, button('Send', 'mod-cta', send), button('Leave as it was', '', leave)),
      ...(this.#options.isLast() ? [] : [el('p', { class: 'dragoman-keys' }, whatStays)]),
    );
    input.focus();
    input.setSelectionRange(input.value.length, input.value.length);
  }

  #show(): void {
    const { icon, again } = this.#options;
    const copy = iconButton(
      { icon: 'copy', label: 'Copy message', onclick: () => void copyText(this.#text, copy) },
      icon,
    );
    const change = iconButton(
      {
        icon: 'pencil',
        label: 'Edit message',
        class: 'dragoman-when-idle dragoman-edit-button',
        onclick: () => this.edit(),
      },
      icon,
    );
    const retry = iconButton(
      { icon: 'refresh-cw', label: 'Ask again', class: 'dragoman-when-idle', onclick: () => again(this.#text) },
      icon,
    );
    const text = el('div', { class: 'dragoman-text markdown-rendered' });
    text.append(drawMarkdown(this.#text, icon));
    this.element.replaceChildren(text, el('div', { class: 'dragoman-actions' }, copy, change, retry));
  }
}
