import { type Chat, type ChatSettings, type ChatSummary, type Compaction, chatVersion, titleOf } from '../chat/chat.ts';
import type { ChatMessage } from '../chat/message.ts';
import { readChat } from '../chat/migrate-chat.ts';
import { pairCalls } from '../chat/pair-calls.ts';
import { isObject } from '../chat/read-message.ts';
import { ChangeLog, chatIds } from './change-log.ts';
import { ChatError } from './chat-error.ts';
import type { Files } from './files.ts';
import { writeAtomically } from './files.ts';

export interface ChatStoreOptions {
  readonly files: Files;
  /** What the model thought is kept, too; asked for at each save. Default: false. */
  readonly keepThink?: boolean;
  /** Milliseconds since 1970. Default: the clock. */
  readonly now?: () => number;
  /** Makes the id of a new chat. Default: a random one. */
  readonly newId?: () => string;
}

/** A line of the list. `fault`: the file is damaged, or a later version wrote it; it is left as it is. */
export type ListedChat = ChatSummary & { readonly fault?: 'unreadable' | 'newer' };

/** A place where a search has found something. */
export interface FoundChat extends ChatSummary {
  /** What is around the first place. */
  readonly excerpt: string;
}

/** What of a chat can be saved; the rest follows from it. */
export interface ChatChange {
  readonly messages?: readonly ChatMessage[];
  readonly title?: string;
  readonly settings?: ChatSettings;
  /** `null` takes it back. */
  readonly compaction?: Compaction | null;
}

/** Another window that writes all the time must not keep this one from it for ever. */
const mostAttempts = 8;

const chats = 'chats';
const index = 'index.json';

/** The parts of a file that a store compares before it writes. */
interface Known {
  readonly version: string;
  /** How many messages of the file this window has seen, and their text. */
  readonly messages: readonly string[];
}

/**
 * The chats of a folder: one file each in `chats/`, and `index.json` with their titles. The files count: an index that is
 * damaged, missing or behind is made anew, and a damaged file hides no other.
 *
 * Two windows may have one folder: each writes only what it has changed. Where both have added to one chat, what the other
 * one has added stays before it in the file. Rejections are `ChatError`s, or what `files` throws.
 */
export class ChatStore {
  readonly #files: Files;
  readonly #options: ChatStoreOptions;
  readonly #now: () => number;
  readonly #newId: () => string;
  readonly #known = new Map<string, Known>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ChatStoreOptions) {
    const { files, now = Date.now, newId = randomId } = options;
    this.#options = options;
    this.#files = files;
    this.#now = now;
    this.#newId = newId;
  }

  /** All chats, the one that was used last first. */
  list(): Promise<readonly ListedChat[]> {
    return this.#inTurn(async () => {
      const indexed = await this.#readIndex();
      const listed: ListedChat[] = [];
      let isAfter = false;
      for (const id of await chatIds(this.#files)) {
        const stat = await this.#files.stat(fileOf(id));
        if (stat === undefined) continue;
        const entry = indexed.get(id);
        if (entry !== undefined && entry.version === stat.version) {
          listed.push({ id, title: entry.title, updated: entry.updated });
          continue;
        }
        const reading = await this.#tryRead(id);
        if ('fault' in reading) {
          listed.push({ id, title: `${id} (${faultWords[reading.fault]})`, updated: 0, fault: reading.fault });
          continue;
        }
        isAfter = true;
        listed.push(summaryOf(reading.chat));
      }
      if (isAfter || indexed.size !== listed.filter(({ fault }) => fault === undefined).length) {
        await this.#writeIndex(listed);
      }
      return listed.sort((one, other) => other.updated - one.updated);
    });
  }

  /** A chat without messages. It gets its file at the first save, so that nobody is left with empty chats. */
  create(settings: ChatSettings = {}): Chat {
    const now = this.#now();
    return { id: this.#newId(), title: titleOf([]), created: now, updated: now, settings, messages: [] };
  }

  /**
   * Opens a chat. One of an older form becomes one of this form, and the old file stays beside it, its name ending in
   * `.old`. Rejects with a ChatError `missing`, `unreadable` or `newer`.
   */
  open(id: string): Promise<Chat> {
    return this.#inTurn(() => this.#open(id));
  }

  /**
   * Saves what has changed, and gives the chat as it is in its file now. Rejects with a
   * ChatError `newer` for a file that a later version wrote, and `unreadable` for one that is damaged: neither is written to.
   */
  save(chat: Chat, change: ChatChange): Promise<Chat> {
    return this.#inTurn(async () => {
      for (let attempt = 1; ; attempt += 1) {
        const stat = await this.#files.stat(fileOf(chat.id));
        const known = this.#known.get(chat.id);
        // A file that has gone since this window saw it was deleted by another one; the chat that goes on is written anew.
        const stored = stat === undefined || stat.version === known?.version ? undefined : await this.#read(chat.id);
        const next = changed(stored === undefined ? chat : merged(chat, stored, known), {
          ...change,
          messages: withOthers(change.messages ?? chat.messages, stored, known),
          now: this.#now(),
        });
        if (await this.#write(next, { over: stat?.version, last: attempt === mostAttempts })) return next;
      }
    });
  }

  /**
   * A new chat that begins as this one does, with its messages up to `at`: to go another way from there. The changes that it shows can
   * be taken back from both.
   */
  async branch(chat: Chat, at: number): Promise<Chat> {
    const { title, titled, settings, compaction } = chat;
    const messages = chat.messages.slice(0, at);
    const begun: Chat = { ...this.create(settings), title, ...(titled === true && { titled }) };
    const calls = messages.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : []));
    await this.#changesOf(chat.id).share(begun.id, new Set(calls.map(({ id }) => id)));
    return this.save(begun, { messages, ...(compaction !== undefined && { compaction }) });
  }

  rename(chat: Chat, title: string): Promise<Chat> {
    return this.save(chat, { title });
  }

  /**
   * Deletes a chat, also a damaged one, and what is known of its changes; the files stay as they are. Of one that is not there it does
   * nothing.
   */
  delete(id: string): Promise<void> {
    return this.#inTurn(async () => {
      this.#known.delete(id);
      if ((await this.#files.stat(fileOf(id))) !== undefined) await this.#files.delete(fileOf(id));
      await this.#changesOf(id).clear();
      const indexed = await this.#readIndex();
      if (indexed.delete(id)) await this.#writeIndex([...indexed.values()]);
    });
  }

  /** The chats that have these words in their title or in what was said, in any case. */
  async search(words: string): Promise<readonly FoundChat[]> {
    const wanted = words.trim().toLowerCase();
    if (wanted === '') return [];
    const found: FoundChat[] = [];
    for (const { id, fault } of await this.list()) {
      const reading = fault === undefined ? await this.#inTurn(() => this.#tryRead(id)) : { fault };
      if (!('chat' in reading)) continue;
      const said = reading.chat.messages.filter(({ role }) => role === 'user' || role === 'assistant');
      const text = [reading.chat.title, ...said.map(({ content }) => content)].find((each) =>
        each.toLowerCase().includes(wanted),
      );
      if (text !== undefined) found.push({ ...summaryOf(reading.chat), excerpt: excerptOf(text, wanted) });
    }
    return found;
  }

  /** One after the other: a list, a save and a deletion of one window never mix. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work, work);
    this.#last = done.catch(() => {});
    return done;
  }

  #changesOf(chatId: string): ChangeLog {
    return new ChangeLog({ files: this.#files, chatId });
  }

  async #tryRead(id: string) {
    try {
      return readChat(await this.#files.read(fileOf(id)), { id, now: this.#now() });
    } catch {
      return { fault: 'unreadable' } as const;
    }
  }

  async #read(id: string): Promise<Chat> {
    const reading = readChat(await this.#files.read(fileOf(id)), { id, now: this.#now() });
    if ('fault' in reading) throw new ChatError(reading.fault, `The chat "${id}" ${faultWords[reading.fault]}.`);
    return { ...reading.chat, messages: reading.written };
  }

  async #open(id: string): Promise<Chat> {
    const stat = await this.#files.stat(fileOf(id));
    if (stat === undefined) throw new ChatError('missing', `There is no chat "${id}".`);
    const json = await this.#files.read(fileOf(id));
    const reading = readChat(json, { id, now: this.#now() });
    if ('fault' in reading) throw new ChatError(reading.fault, `The chat "${id}" ${faultWords[reading.fault]}.`);
    if (reading.isOld) {
      await writeAtomically(this.#files, { path: `${fileOf(id)}.old`, text: json });
      await this.#write(reading.chat, { over: stat.version, last: true });
    } else {
      // A call without a result may be under way in another window, so nothing is written for it.
      this.#remember(reading.written, { id, version: stat.version });
    }
    return reading.chat;
  }

  /** False: another window was quicker, and nothing was written. */
  async #write(
    chat: Chat,
    { over, last }: { readonly over: string | undefined; readonly last: boolean },
  ): Promise<boolean> {
    const messages = this.#options.keepThink === true ? chat.messages : chat.messages.map(withoutThink);
    const { id, ...rest } = { ...chat, messages };
    const path = fileOf(id);
    const isStill = async () => last || (await this.#files.stat(path))?.version === over;
    const text = JSON.stringify({ version: chatVersion, id, ...rest });
    if (!(await writeAtomically(this.#files, { path, text, isStill }))) return false;
    const stat = await this.#files.stat(path);
    // Another window may have written since: then its version is not the one that is known here.
    const isOurs = stat !== undefined && (await this.#files.read(path)) === text;
    this.#remember(chat.messages, { id, version: isOurs ? stat.version : '' });
    const indexed = await this.#readIndex();
    indexed.set(id, { ...summaryOf(chat), version: stat?.version ?? '' });
    await this.#writeIndex([...indexed.values()]);
    return true;
  }

  #remember(
    messages: readonly ChatMessage[],
    { id, version }: { readonly id: string; readonly version: string },
  ): void {
    this.#known.set(id, { version, messages: messages.map(textOfMessage) });
  }

  async #readIndex(): Promise<Map<string, ChatSummary & { readonly version: string }>> {
    const entries = new Map<string, ChatSummary & { readonly version: string }>();
    try {
      const file: unknown = JSON.parse(await this.#files.read(index));
      const listed: readonly unknown[] = isObject(file) && Array.isArray(file.chats) ? file.chats : [];
      for (const entry of listed.filter(isObject)) {
        const { id, title, updated, version } = entry;
        if (typeof id !== 'string' || typeof title !== 'string') continue;
        if (typeof updated !== 'number' || typeof version !== 'string') continue;
        entries.set(id, { id, title, updated, version });
      }
    } catch {
      // Without an index the files tell everything.
    }
    return entries;
  }

  async #writeIndex(listed: readonly ListedChat[]): Promise<void> {
    const entries = [];
    for (const { id, title, updated, fault } of listed) {
      const stat = fault === undefined ? await this.#files.stat(fileOf(id)) : undefined;
      if (stat !== undefined) entries.push({ id, title, updated, version: stat.version });
    }
    const text = JSON.stringify({ version: chatVersion, chats: entries });
    await writeAtomically(this.#files, { path: index, text });
  }
}

const faultWords = {
  unreadable: 'is damaged and cannot be read',
  newer: 'was written by a later version of this program',
} as const;

function fileOf(id: string): string {
  // Ids come from file names, too: none leads elsewhere.
  if (id === '' || id.includes('/') || id.includes('\\') || id.startsWith('.')) {
    throw new ChatError('missing', `There is no chat "${id}".`);
  }
  return `${chats}/${id}.json`;
}

function summaryOf({ id, title, updated }: Chat): ChatSummary {
  return { id, title, updated };
}

/** What another window has changed beside messages stays, unless this window changes it now. */
function merged(chat: Chat, stored: Chat, known: Known | undefined): Chat {
  return known === undefined ? chat : { ...stored, created: chat.created };
}

function changed(
  chat: Chat,
  change: ChatChange & { readonly messages: readonly ChatMessage[]; readonly now: number },
): Chat {
  const messages = pairCalls(change.messages, { running: true });
  const { compaction: before, ...rest } = chat;
  const compaction = change.compaction === undefined ? before : (change.compaction ?? undefined);
  const isTitled = change.title !== undefined || chat.titled === true;
  return {
    ...rest,
    title: isTitled ? (change.title ?? chat.title) : titleOf(messages),
    ...(isTitled && { titled: true }),
    updated: change.now,
    settings: change.settings ?? chat.settings,
    messages,
    ...(compaction !== undefined && compaction.upTo <= messages.length && { compaction }),
  };
}

/** After what both windows know, first what the other one has added, then what this one has. */
function withOthers(
  messages: readonly ChatMessage[],
  stored: Chat | undefined,
  known: Known | undefined,
): readonly ChatMessage[] {
  if (stored === undefined) return messages;
  const theirs = stored.messages.map(textOfMessage);
  const ours = messages.map(textOfMessage);
  const before = known?.messages ?? [];
  const isAppended = (list: readonly string[]) => before.every((text, at) => list[at] === text);
  // Where one of them went back and took another way, the way of whoever saves last counts.
  if (!isAppended(theirs) || !isAppended(ours)) return messages;
  let common = before.length;
  while (common < ours.length && ours[common] === theirs[common]) common += 1;
  return [...messages.slice(0, common), ...stored.messages.slice(common), ...messages.slice(common)];
}

function withoutThink(message: ChatMessage): ChatMessage {
  if (message.role !== 'assistant' || message.think === undefined) return message;
  const { think: _, ...rest } = message;
  return rest;
}

const textOfMessage = (message: ChatMessage) => JSON.stringify(withoutThink(message));

function excerptOf(text: string, wanted: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(wanted));
  const from = Math.max(0, at - 40);
  const to = Math.min(text.length, at + wanted.length + 40);
  return `${from > 0 ? '…' : ''}${text.slice(from, to).split('\n').join(' ').trim()}${to < text.length ? '…' : ''}`;
}

/** Sorts by time, so that files are in the order of their chats. */
function randomId(): string {
  const random = crypto.getRandomValues(new Uint32Array(2));
  const time = new Date().toISOString().slice(0, 19).split(':').join('').split('-').join('');
  return `${time}-${[...random].map((word) => word.toString(36)).join('')}`;
}
