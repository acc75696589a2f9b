import type { FoundChat, ListedChat } from '@dragoman/agent';
import { type DrawIcon, el, iconButton, isComposing } from './dom.ts';
import { placeholder, Sheet, searchField } from './sheet.ts';

export interface ChatListOptions {
  readonly icon: DrawIcon;
  /** The one that is shown. */
  readonly current: string;
  /** How a chat stands that is at work while another one is shown. */
  readonly stateOf: (id: string) => 'asking' | 'busy' | undefined;
  readonly list: () => Promise<readonly ListedChat[]>;
  readonly search: (words: string) => Promise<readonly FoundChat[]>;
  readonly open: (id: string) => void;
  readonly create: () => void;
  readonly rename: (id: string, title: string) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
  readonly exportChat: (id: string) => Promise<void>;
  readonly closed: () => void;
}

/** A search reads all chats, so it waits until its person has stopped typing. Milliseconds. */
const pause = 150;

/** All chats: to go to one, find it by what was said, rename, delete or export it. */
export class ChatList {
  readonly #options: ChatListOptions;
  readonly #sheet: Sheet;
  readonly #rows = el('ul', { class: 'dragoman-rows' });
  #words = '';
  #asked = 0;
  #pause: number | undefined;

  constructor(options: ChatListOptions) {
    const { icon, create, closed } = options;
    this.#options = options;
    this.#sheet = new Sheet({ title: 'Chats', icon, closed });
    const begin = () => {
      this.#sheet.close();
      create();
    };
    const search = searchField('Search chats', (words) => {
      this.#words = words.trim();
      window.clearTimeout(this.#pause);
      this.#pause = window.setTimeout(() => void this.#show(), pause);
    });
    const button = el('button', { type: 'button', class: 'dragoman-button', onclick: begin }, 'New chat');
    this.#sheet.body.append(el('div', { class: 'dragoman-sheet-tools' }, search, button), this.#rows);
    this.#rows.append(placeholder('Reading chats…'));
  }

  open(parent: HTMLElement): void {
    this.#sheet.open(parent);
    void this.#show();
  }

  close(): void {
    this.#sheet.close();
  }

  async #show(): Promise<void> {
    const { list, search } = this.#options;
    this.#asked += 1;
    const asked = this.#asked;
    const chats: readonly (ListedChat & Partial<FoundChat>)[] =
      this.#words === '' ? await list() : await search(this.#words);
    // An answer that is late must not hide a newer one.
    if (asked !== this.#asked) return;
    this.#rows.replaceChildren(...chats.map((chat) => this.#draw(chat)));
    if (chats.length > 0) return;
    this.#rows.append(placeholder(this.#words === '' ? 'There are no chats yet.' : `No chat has “${this.#words}”.`));
  }

  #draw(chat: ListedChat & Partial<FoundChat>): HTMLElement {
    const { icon, current, stateOf, open, exportChat } = this.#options;
    const { id, title, updated, fault, excerpt } = chat;
    const state = stateOf(id);
    const about = [
      ...(state === 'asking' ? ['waits for you'] : state === 'busy' ? ['at work'] : []),
      ...(updated > 0 ? [sinceThen(updated)] : []),
    ].join(' · ');
    const go = () => {
      this.#sheet.close();
      open(id);
    };
    const main = el(
      'button',
      {
        type: 'button',
        class: 'dragoman-row-main',
        disabled: fault !== undefined,
        ...(id === current && { 'aria-current': 'true' }),
        onclick: go,
      },
      el('span', { class: 'dragoman-row-title' }, title),
      ...(excerpt === undefined ? [] : [el('span', { class: 'dragoman-row-more' }, excerpt)]),
      el('span', { class: 'dragoman-row-more', ...(state !== undefined && { 'data-state': state }) }, about),
    );
    const row = el('li', { class: 'dragoman-row' }, main);
    const button = (name: string, label: string, onclick: () => void) =>
      iconButton({ icon: name, label: `${label}: ${title}`, onclick }, icon);
    const change = fault === undefined ? [button('pencil', 'Rename', () => this.#rename(chat, row))] : [];
    const write = fault === undefined ? [button('download', 'Export', () => void exportChat(id))] : [];
    row.append(
      el(
        'span',
        { class: 'dragoman-row-buttons' },
        ...change,
        ...write,
        button('trash', 'Delete', () => this.#confirm(chat, row)),
      ),
    );
    return row;
  }

  #rename(chat: ListedChat, row: HTMLElement): void {
    const field = el('input', {
      type: 'text',
      'aria-label': 'Title',
      class: 'dragoman-rename',
      'data-keeps-arrows': true,
    });
    field.value = chat.title;
    const leave = () => this.#put(row, chat, 'Rename');
    const save = () => {
      const title = field.value.trim();
      if (title === '' || title === chat.title) return leave();
      void this.#options.rename(chat.id, title).then(() => this.#put(row, { ...chat, title }, 'Rename'));
    };
    field.addEventListener('keydown', (event) => {
      if (isComposing(event) || (event.key !== 'Enter' && event.key !== 'Escape')) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === 'Enter') save();
      else leave();
    });
    const button = (text: string, kind: string, onclick: () => void) =>
      el('button', { type: 'button', class: `dragoman-button ${kind}`, onclick }, text);
    row.replaceChildren(
      field,
      el('div', { class: 'dragoman-buttons' }, button('Save', 'mod-cta', save), button('Leave', '', leave)),
    );
    field.select();
  }

  #confirm(chat: ListedChat, row: HTMLElement): void {
    const leave = () => this.#put(row, chat, 'Delete');
    const remove = () => void this.#options.remove(chat.id).then(() => this.#show().then(() => this.#focusFirst()));
    const keep = el('button', { type: 'button', class: 'dragoman-button', onclick: leave }, 'Keep it');
    row.replaceChildren(
      el(
        'div',
        { class: 'dragoman-confirm', role: 'group', 'aria-label': `Delete ${chat.title}?` },
        el('p', {}, `Delete “${chat.title}”? Its messages go, and its changes of notes can no longer be undone.`),
        el(
          'div',
          { class: 'dragoman-buttons' },
          el('button', { type: 'button', class: 'dragoman-button mod-warning', onclick: remove }, 'Delete'),
          keep,
        ),
      ),
    );
    keep.focus();
  }

  /** The row as it was, with the focus on the button that was pressed. */
  #put(row: HTMLElement, chat: ListedChat, label: string): void {
    const drawn = this.#draw(chat);
    row.replaceWith(drawn);
    drawn.querySelector<HTMLElement>(`button[aria-label^="${label}"]`)?.focus();
  }

  #focusFirst(): void {
    this.#sheet.element.querySelector<HTMLElement>('.dragoman-row-main, input')?.focus();
  }
}

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** `3 hours ago`, for a time in milliseconds since 1970. */
function sinceThen(time: number): string {
  const seconds = Math.max(0, (Date.now() - time) / 1000);
  const [unit, length] = units.find(([, each]) => seconds >= each) ?? ['minute', 60];
  const count = Math.floor(seconds / length);
  return count === 0 ? 'just now' : new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-count, unit);
}
