import type { Chat, ChatSettings } from '@dragoman/agent';
import { ChatList } from './chat-list.ts';
import { Composer } from './composer.ts';
import { fillOf, isCut, openContext } from './context-view.ts';
import { Conversation } from './conversation.ts';
import { type DrawIcon, el, iconButton, iconOf } from './dom.ts';
import { drawEmpty } from './empty-state.ts';
import type { ModelChoice, ModelList, PanelHost } from './host.ts';
import { ModelSheet } from './model-list.ts';
import { drawNote, type Note } from './note.ts';

/** The panel that people chat in. `open` shows a chat; `close` ends everything that it has begun. */
export class Panel {
  readonly element: HTMLElement;
  readonly #host: PanelHost;
  readonly #icon: DrawIcon;
  readonly #title = el('span', { class: 'dragoman-title-text' });
  readonly #titleButton: HTMLButtonElement;
  readonly #body = el('div', { class: 'dragoman-body' });
  readonly #news = el('div', { class: 'dragoman-news' });
  readonly #polite = el('div', { class: 'dragoman-hidden', role: 'status', 'aria-live': 'polite' });
  readonly #urgent = el('div', { class: 'dragoman-hidden', role: 'alert' });
  readonly #composer: Composer;
  /** The chat that is shown, and those that were left while they were at work. */
  readonly #conversations = new Map<string, Conversation>();
  readonly #drafts = new Map<string, string>();
  readonly #unwatch: () => void;
  #current: Conversation | undefined;
  #sheet: { close(): void } | undefined;
  #shown = '';
  /** What the servers have said; undefined while they are asked. */
  #found: ModelList | undefined;
  #looking: Promise<unknown> = Promise.resolve();
  #empty: { readonly of: string; readonly element: HTMLElement } | undefined;

  constructor({ host, parent }: { readonly host: PanelHost; readonly parent: HTMLElement }) {
    this.#host = host;
    this.#icon = (name) => host.icon(name);
    this.#composer = new Composer({
      icon: this.#icon,
      send: (text) => this.#send(text),
      cancel: () => this.cancel(),
      editLast: () => this.#current?.editLast(),
      pickModel: () => this.pickModel(),
      showContext: () => this.showContext(),
      attach: (kind, isOn) => {
        host.attach(kind, isOn);
        this.#update();
      },
      askAgain: () => {
        this.#current?.session.askAgain();
        this.#update();
      },
      review: () => this.#current?.focusQuestion(),
    });
    this.#titleButton = el(
      'button',
      { type: 'button', class: 'dragoman-title', 'aria-haspopup': 'dialog', onclick: () => this.showChats() },
      this.#title,
      iconOf('chevron-down', this.#icon),
    );
    const create = iconButton({ icon: 'plus', label: 'New chat', onclick: () => this.newChat() }, this.#icon);
    this.element = el(
      'div',
      { class: 'dragoman-panel' },
      el('div', { class: 'dragoman-header' }, this.#titleButton, create),
      this.#body,
      this.#news,
      this.#composer.element,
      this.#polite,
      this.#urgent,
    );
    parent.append(this.element);
    this.#unwatch = host.onChange((what) => (what === 'servers' ? void this.#look() : this.#update()));
    // So that a model is there before the first question.
    void this.#look();
  }

  /** The chat that is shown. */
  get chat(): Chat | undefined {
    return this.#current?.chat;
  }

  /** Shows a chat, by default a new one. One that cannot be opened is told of, and the chat that is shown stays. */
  async open(id?: string): Promise<void> {
    const { store } = this.#host;
    const known = id === undefined ? undefined : this.#conversations.get(id);
    try {
      this.#show(known ?? this.#begin(id === undefined ? store.create() : await store.open(id)));
    } catch (error) {
      if (this.#current === undefined) this.#show(this.#begin(store.create()));
      this.#fail(error);
    }
  }

  newChat(): void {
    if (this.#current?.isEmpty !== true) this.#show(this.#begin(this.#host.store.create()));
    this.focus();
  }

  focus(): void {
    if (this.#current?.isAsking === true) this.#current.focusQuestion();
    else this.#composer.focus();
  }

  cancel(): void {
    this.#current?.cancel();
  }

  /** Ends all tasks, and resolves when nothing runs any more. */
  async close(): Promise<void> {
    this.#unwatch();
    this.#sheet?.close();
    await Promise.all([...this.#conversations.values()].map((conversation) => conversation.close()));
    this.element.remove();
  }

  showChats(): void {
    const { store } = this.#host;
    this.#openSheet((closed) => {
      const list = new ChatList({
        icon: this.#icon,
        current: this.chat?.id ?? '',
        stateOf: (id) => {
          const conversation = this.#conversations.get(id);
          return conversation?.isAsking === true ? 'asking' : conversation?.isBusy === true ? 'busy' : undefined;
        },
        list: () => store.list(),
        search: (words) => store.search(words),
        open: (id) => void this.open(id).then(() => this.focus()),
        create: () => this.newChat(),
        rename: (id, title) => this.#attempt(() => this.#rename(id, title)),
        remove: (id) => this.#attempt(() => this.#remove(id)),
        exportChat: (id) => this.#attempt(() => this.#export(id)),
        closed,
      });
      list.open(this.#body);
      return list;
    });
  }

  pickModel(): void {
    this.#openSheet((closed) => {
      const sheet = new ModelSheet({
        icon: this.#icon,
        current: this.#chosen,
        list: () => this.#look(),
        choose: (choice) => void this.#attempt(() => this.#choose(choice)),
        openSettings: () => this.#host.openSettings(),
        closed,
      });
      sheet.open(this.#body);
      return sheet;
    });
  }

  /** What the model was sent at the last request of this chat. */
  showContext(): void {
    const current = this.#current;
    if (current === undefined) return;
    const choice = this.#chosen;
    this.#openSheet((closed) =>
      openContext(this.#body, {
        icon: this.#icon,
        session: current.session,
        window: choice?.window,
        isBusy: current.isBusy,
        compact: () => (choice === undefined ? this.pickModel() : void current.compact(choice)),
        expand: () => void current.expand(),
        closed,
      }),
    );
  }

  get #chosen(): ModelChoice | undefined {
    return this.#host.chosen(this.chat?.settings ?? {});
  }

  /** One at a time: a button that is pressed again closes its own. */
  #openSheet(open: (closed: () => void) => { close(): void }): void {
    this.#sheet?.close();
    const sheet = open(() => {
      if (this.#sheet === sheet) this.#sheet = undefined;
      this.#update();
    });
    this.#sheet = sheet;
  }

  #begin(chat: Chat): Conversation {
    const conversation: Conversation = new Conversation({
      host: this.#host,
      chat,
      changed: () => this.#update(),
      announce: (text, options) => this.#announce(text, options?.urgent === true),
      branch: (at, text) => void this.#attempt(() => this.#branch(conversation, { at, text })),
      pickModel: () => this.pickModel(),
      mayTakeFocus: () => conversation === this.#current && this.#mayTakeFocus(),
      giveBackFocus: () => this.#composer.focus(),
    });
    return conversation;
  }

  #show(conversation: Conversation): void {
    const before = this.#current;
    if (before === conversation) return;
    this.#sheet?.close();
    if (before !== undefined) {
      this.#drafts.set(before.chat.id, this.#composer.draft);
      if (!before.isBusy) {
        this.#conversations.delete(before.chat.id);
        void before.close();
      }
    }
    this.#current = conversation;
    this.#conversations.set(conversation.chat.id, conversation);
    this.#body.replaceChildren(conversation.log.element);
    this.#news.replaceChildren();
    conversation.log.restore();
    this.#composer.draft = this.#drafts.get(conversation.chat.id) ?? '';
    this.#shown = '';
    this.#update();
  }

  #update(): void {
    const current = this.#current;
    if (current === undefined) return;
    const { session, chat } = current;
    const prompt = session.lastPrompt;
    this.#composer.update({
      isBusy: current.isBusy,
      isAsking: current.isAsking,
      approvesAll: session.approvesAll,
      model: this.#chosen?.name,
      attachments: this.#host.attachments(),
      fill: fillOf(prompt),
      isCut: isCut(prompt),
    });
    this.element.classList.toggle('is-busy', current.isBusy);
    const others = [...this.#conversations.values()].filter((each) => each !== current);
    const isAsking = others.some((other) => other.isAsking);
    const state = isAsking ? 'asking' : others.some(({ isBusy }) => isBusy) ? 'busy' : 'quiet';
    this.#titleButton.dataset.others = state;
    const about = state === 'asking' ? ' (another chat waits for you)' : '';
    this.#titleButton.setAttribute('aria-label', `Chats. This one: ${chat.title}${about}`);
    this.#title.textContent = chat.title;
    this.#showEmpty(current);
    const shown = `${chat.id} ${chat.title}`;
    if (shown !== this.#shown) this.#host.shown(chat);
    this.#shown = shown;
  }

  /** Asks the servers for their models anew. */
  #look(): Promise<ModelList> {
    this.#found = undefined;
    this.#update();
    const looking = this.#host.models().then((found) => {
      this.#found = found;
      this.#update();
      return found;
    });
    this.#looking = looking;
    return looking;
  }

  #showEmpty(current: Conversation): void {
    const hasModel = this.#chosen !== undefined;
    const hasNote = this.#host.attachments().some(({ kind, isOn }) => kind === 'active-note' && isOn);
    const found = this.#found;
    const state = JSON.stringify([current.chat.id, hasModel ? hasNote : (found ?? 'looking')]);
    const isWanted = current.isEmpty && !current.isBusy;
    if (isWanted && this.#empty?.of === state) return;
    this.#empty?.element.remove();
    this.#empty = undefined;
    if (!isWanted) return;
    const element = drawEmpty({
      icon: this.#icon,
      hasModel,
      hasNote,
      found,
      suggest: (text) => {
        this.#composer.draft = text;
        this.#composer.focus();
      },
      lookAgain: () => void this.#look(),
      openSettings: () => this.#host.openSettings(),
    });
    this.#empty = { of: state, element };
    current.log.content.prepend(element);
  }

  async #send(text: string): Promise<boolean> {
    if (this.#chosen === undefined) await this.#looking;
    const current = this.#current;
    const choice = this.#chosen;
    if (current === undefined || current.isBusy) return false;
    if (choice === undefined) {
      this.pickModel();
      return false;
    }
    this.#news.replaceChildren();
    this.#drafts.delete(current.chat.id);
    return current.send(text, choice);
  }

  /** Goes another way from a message on. Where something comes after it, that stays in the chat as it was. */
  async #branch(from: Conversation, { at, text }: { readonly at: number; readonly text: string }): Promise<void> {
    const choice = this.#host.chosen(from.chat.settings);
    if (choice === undefined) return this.pickModel();
    if (at === from.chat.messages.length - 1) {
      await from.retry(at, { text, choice });
      return;
    }
    const { id } = from.chat;
    this.#show(this.#begin(await this.#host.store.branch(from.chat, at)));
    const back = { label: 'Go back to it', run: () => void this.open(id) };
    this.#report({
      kind: 'info',
      text: 'This is a new chat. The one that it came from is as it was.',
      actions: [back],
    });
    await this.#current?.send(text, choice);
  }

  async #choose(choice: ModelChoice): Promise<void> {
    const settings: ChatSettings = await this.#host.choose(choice);
    await this.#current?.session.update({ settings });
    this.#update();
    this.#composer.focus();
  }

  async #rename(id: string, title: string): Promise<void> {
    const { store } = this.#host;
    const conversation = this.#conversations.get(id);
    if (conversation !== undefined) await conversation.session.update({ title });
    else await store.rename(await store.open(id), title);
    this.#update();
  }

  async #remove(id: string): Promise<void> {
    const conversation = this.#conversations.get(id);
    // What is at work would save the chat once more.
    await conversation?.close();
    this.#conversations.delete(id);
    this.#drafts.delete(id);
    await this.#host.store.delete(id);
    if (conversation !== undefined && conversation === this.#current) {
      const sheet = this.#sheet;
      this.#sheet = undefined;
      this.#current = undefined;
      this.#show(this.#begin(this.#host.store.create()));
      if (sheet instanceof ChatList) this.showChats();
    }
    this.#announce('The chat was deleted.', false);
  }

  async #export(id: string): Promise<void> {
    const { store } = this.#host;
    const path = await this.#host.exportChat(this.#conversations.get(id)?.chat ?? (await store.open(id)));
    const open = { label: 'Open it', run: () => this.#host.openNote(path) };
    this.#report({ kind: 'info', text: `The chat was written to ${path}.`, actions: [open] });
  }

  /** A question takes the focus only from whoever waits for an answer with an empty field. */
  #mayTakeFocus(): boolean {
    const active = this.element.ownerDocument.activeElement;
    return this.#sheet === undefined && this.#composer.isEmpty && this.#composer.element.contains(active);
  }

  #report(note: Note): void {
    const drawn = drawNote(note, this.#icon);
    const close = iconButton({ icon: 'x', label: 'Close', onclick: () => drawn.remove() }, this.#icon);
    drawn.append(close);
    this.#news.replaceChildren(drawn);
    if (note.kind === 'info') this.#announce(note.text, false);
  }

  #fail(error: unknown): void {
    this.#report({ kind: 'error', text: error instanceof Error ? error.message : String(error) });
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#fail(error);
    }
  }

  #announce(text: string, isUrgent: boolean): void {
    (isUrgent ? this.#urgent : this.#polite).textContent = text;
  }
}
