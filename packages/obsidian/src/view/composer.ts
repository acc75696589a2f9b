import { type DrawIcon, el, iconButton, iconOf, isComposing } from './dom.ts';
import type { Attachment } from './host.ts';

export interface ComposerOptions {
  readonly icon: DrawIcon;
  /** Resolves with false where the words were not taken: then they are in the field again. */
  readonly send: (text: string) => Promise<boolean>;
  readonly cancel: () => void;
  readonly editLast: () => void;
  readonly pickModel: () => void;
  readonly showContext: () => void;
  readonly attach: (kind: Attachment['kind'], isOn: boolean) => void;
  /** Changes are to be asked for again. */
  readonly askAgain: () => void;
  readonly review: () => void;
}

export interface ComposerState {
  readonly isBusy: boolean;
  readonly isAsking: boolean;
  readonly approvesAll: boolean;
  readonly model: string | undefined;
  readonly attachments: readonly Attachment[];
  /** How full the context was, from 0 to 1. */
  readonly fill: number | undefined;
  readonly isCut: boolean;
}

const attachmentIcons = { 'active-note': 'file-text', selection: 'text-cursor' } as const;

/** Where a person writes, with what goes along and where it goes. */
export class Composer {
  readonly element: HTMLElement;
  readonly #options: ComposerOptions;
  readonly #input: HTMLTextAreaElement;
  readonly #chips = el('div', { class: 'dragoman-chips' });
  readonly #model: HTMLButtonElement;
  readonly #modelName = el('span', {});
  readonly #meter: HTMLButtonElement;
  readonly #send: HTMLButtonElement;
  readonly #cancel: HTMLButtonElement;
  #isBusy = false;
  #chipsKey = '';

  constructor(options: ComposerOptions) {
    const { icon } = options;
    this.#options = options;
    this.#input = el('textarea', {
      class: 'dragoman-input',
      rows: '1',
      'aria-label': 'Message',
      placeholder: 'Ask about your notes…',
      enterkeyhint: 'send',
      oninput: () => this.#changed(),
      onkeydown: (event) => this.#key(event),
    });
    this.#model = el(
      'button',
      { type: 'button', class: 'dragoman-model', 'aria-haspopup': 'dialog', onclick: options.pickModel },
      this.#modelName,
      iconOf('chevron-down', icon),
    );
    this.#meter = el('button', {
      type: 'button',
      class: 'dragoman-meter',
      'aria-haspopup': 'dialog',
      hidden: true,
      onclick: options.showContext,
    });
    this.#meter.append(
      el('span', { class: 'dragoman-ring', 'aria-hidden': 'true' }),
      el('span', { 'aria-hidden': 'true' }),
    );
    this.#send = iconButton(
      { icon: 'arrow-up', label: 'Send', class: 'dragoman-send', disabled: true, onclick: () => this.#submit() },
      icon,
    );
    this.#cancel = iconButton(
      { icon: 'square', label: 'Cancel', class: 'dragoman-cancel', hidden: true, onclick: options.cancel },
      icon,
    );
    this.element = el(
      'div',
      { class: 'dragoman-composer' },
      this.#chips,
      el(
        'div',
        { class: 'dragoman-field' },
        this.#input,
        el(
          'div',
          { class: 'dragoman-field-bar' },
          this.#model,
          this.#meter,
          el('span', { class: 'dragoman-space' }),
          this.#cancel,
          this.#send,
        ),
      ),
    );
  }

  get isEmpty(): boolean {
    return this.#input.value.trim() === '';
  }

  focus(): void {
    this.#input.focus();
  }

  /** What is half written. Each chat has its own. */
  get draft(): string {
    return this.#input.value;
  }

  set draft(text: string) {
    this.#input.value = text;
    this.#changed();
  }

  update(state: ComposerState): void {
    const { isBusy, isAsking, model, fill, isCut } = state;
    this.#isBusy = isBusy;
    // A button that goes must not take the focus with it.
    const hadFocus = isBusy ? this.#send.matches(':focus') : this.#cancel.matches(':focus');
    this.#cancel.hidden = !isBusy;
    this.#send.hidden = isBusy;
    if (hadFocus) this.#input.focus();
    this.#send.disabled = isBusy || this.isEmpty;
    this.#modelName.textContent = model ?? 'Choose a model';
    this.#model.setAttribute('aria-label', model === undefined ? 'Choose a model' : `Model: ${model}`);
    this.#model.classList.toggle('is-missing', model === undefined);
    this.#meter.hidden = fill === undefined;
    if (fill !== undefined) {
      const percent = Math.round(fill * 100);
      this.#meter.style.setProperty('--fill', String(fill));
      this.#meter.classList.toggle('is-cut', isCut);
      this.#meter.setAttribute('aria-label', `Context: ${percent}% full${isCut ? ', something was left out' : ''}`);
      const [, words] = this.#meter.children;
      if (words !== undefined) words.textContent = `${percent}%`;
    }
    this.#input.placeholder = isAsking
      ? 'Decide above first…'
      : isBusy
        ? 'Write the next message…'
        : 'Ask about your notes…';
    this.#showChips(state);
  }

  #showChips({ attachments, approvesAll, isAsking }: ComposerState): void {
    const key = JSON.stringify([attachments, approvesAll, isAsking]);
    if (key === this.#chipsKey) return;
    this.#chipsKey = key;
    const { icon, attach, askAgain, review } = this.#options;
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.chip : undefined;
    const chips = attachments.map(({ kind, label, isOn }) =>
      el(
        'button',
        {
          type: 'button',
          class: 'dragoman-chip',
          'aria-pressed': String(isOn),
          'aria-label': `${kind === 'selection' ? 'Send the selection' : 'Send the active note'}: ${label}`,
          'data-chip': kind,
          onclick: () => attach(kind, !isOn),
        },
        iconOf(attachmentIcons[kind], icon),
        el('span', { class: 'dragoman-chip-text' }, label),
      ),
    );
    if (isAsking) {
      chips.unshift(
        el(
          'button',
          { type: 'button', class: 'dragoman-chip is-asking', 'data-chip': 'review', onclick: review },
          'Waits for your decision: show it',
        ),
      );
    }
    if (approvesAll) {
      chips.push(
        el(
          'button',
          { type: 'button', class: 'dragoman-chip is-open', 'data-chip': 'ask', onclick: askAgain },
          iconOf('shield-off', icon),
          el('span', { class: 'dragoman-chip-text' }, 'Allowed without asking. Ask again'),
        ),
      );
    }
    this.#chips.replaceChildren(...chips);
    if (focused !== undefined) chips.find(({ dataset }) => dataset.chip === focused)?.focus();
  }

  #changed(): void {
    this.#send.disabled = this.#isBusy || this.isEmpty;
    // It grows with its text, up to what the style allows.
    this.#input.style.height = 'auto';
    this.#input.style.height = `${this.#input.scrollHeight}px`;
  }

  #key(event: Event): void {
    if (!(event instanceof KeyboardEvent) || isComposing(event)) return;
    const { cancel, editLast } = this.#options;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      this.#submit();
    } else if (event.key === 'Escape' && this.#isBusy) {
      event.preventDefault();
      event.stopPropagation();
      cancel();
    } else if (event.key === 'ArrowUp' && this.#input.value === '' && !this.#isBusy) {
      event.preventDefault();
      editLast();
    }
  }

  #submit(): void {
    const text = this.#input.value.trim();
    if (this.#isBusy || text === '') return;
    this.draft = '';
    void this.#options.send(text).then((isTaken) => {
      if (!isTaken && this.isEmpty) this.draft = text;
    });
  }
}
