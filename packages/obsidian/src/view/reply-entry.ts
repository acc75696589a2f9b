import { type AssistantChatMessage, withoutStateLines } from '@dragoman/agent';
import { ActivityLines, type ActivityOptions, type ActivityState } from './activity-lines.ts';
import { el, iconButton } from './dom.ts';
import { GrowingMarkdown } from './growing-markdown.ts';
import { copyText, drawMarkdown } from './markdown.ts';

export interface ReplyOptions extends ActivityOptions {
  /** Tells this message from others of the chat, while the view is open. */
  readonly key: string;
  readonly again: () => void;
}

/** What the model thought, said and called in one message, while it comes and when it is whole. */
export class ReplyEntry {
  readonly element = el('article', { class: 'dragoman-message dragoman-reply', 'aria-label': 'Answer' });
  readonly #options: ReplyOptions;
  #text: { readonly element: HTMLElement; readonly growing: GrowingMarkdown } | undefined;
  #think: { readonly summary: HTMLElement; readonly words: Text } | undefined;
  #activities: ActivityLines | undefined;
  #said = '';

  constructor(options: ReplyOptions) {
    this.#options = options;
  }

  /** What it says, without the marks of Markdown. */
  get spoken(): string {
    return this.element.querySelector('.dragoman-text')?.textContent ?? '';
  }

  addThink(text: string): void {
    this.#think ??= this.#makeThink('Thinking…');
    this.#think.words.appendData(text);
  }

  addText(text: string): void {
    this.#said += text;
    this.#text ??= this.#makeText();
    this.#text.growing.add(text);
  }

  /** The message is whole: what it says counts. */
  finish(message: AssistantChatMessage): void {
    const { content, think, tool_calls: calls } = message;
    if (think === undefined) this.#think?.summary.closest('details')?.remove();
    else {
      this.#think ??= this.#makeThink('');
      if (this.#think.words.data !== think) this.#think.words.data = think;
      this.#think.summary.textContent = 'Thought';
    }
    if (this.#text !== undefined && this.#said === content) this.#text.growing.end(content);
    else {
      this.#text?.element.remove();
      const said = withoutStateLines(content);
      if (said.trim() !== '') this.#makeText().element.append(drawMarkdown(said, this.#options.icon));
    }
    if (calls !== undefined) {
      this.#activities = new ActivityLines(message, this.#options);
      this.element.append(this.#activities.element);
    } else if (content.trim() !== '') this.element.append(this.#makeActions(content));
  }

  update(state: ActivityState): void {
    this.#activities?.update(state);
  }

  #makeText() {
    const element = el('div', { class: 'dragoman-text markdown-rendered' });
    this.element.append(element);
    return { element, growing: new GrowingMarkdown(element, this.#options.icon) };
  }

  /** Whether it is open is kept by the view alone. */
  #makeThink(label: string) {
    const { expanded, key } = this.#options;
    const summary = el('summary', {}, label);
    const words = document.createTextNode('');
    const details = el(
      'details',
      { class: 'dragoman-think' },
      summary,
      el('div', { class: 'dragoman-think-text' }, words),
    );
    details.open = expanded.has(key);
    details.addEventListener('toggle', () => {
      if (details.open) expanded.add(key);
      else expanded.delete(key);
    });
    this.element.prepend(details);
    return { summary, words };
  }

  #makeActions(content: string): HTMLElement {
    const { icon, again } = this.#options;
    const copy = iconButton({ icon: 'copy', label: 'Copy answer', onclick: () => void copyText(content, copy) }, icon);
    const retry = iconButton(
      { icon: 'refresh-cw', label: 'Ask again', class: 'dragoman-when-idle', onclick: again },
      icon,
    );
    return el('div', { class: 'dragoman-actions' }, copy, retry);
  }
}
