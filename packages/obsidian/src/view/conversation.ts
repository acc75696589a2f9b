import {
  type AgentEvent,
  activityText,
  Batch,
  type Change,
  type Chat,
  type ChatMessage,
  cureOf,
  type Decision,
  endText,
  errorText,
  type Proposal,
  type Session,
  type TaskEnd,
  type TaskRequest,
  withoutStateLines,
} from '@dragoman/agent';
import { drawConsent, wordsOf } from './consent-card.ts';
import { el } from './dom.ts';
import type { ModelChoice, PanelHost } from './host.ts';
import { noteOf } from './markdown.ts';
import { MessageLog } from './message-log.ts';
import { drawNote, type Note } from './note.ts';
import { ReplyEntry } from './reply-entry.ts';
import { UserEntry } from './user-entry.ts';

export interface ConversationOptions {
  readonly host: PanelHost;
  readonly chat: Chat;
  /** Something that is outside the messages is another now: the title, whether it is at work, what it was sent. */
  readonly changed: () => void;
  /** Says something to a screen reader, at once where it has to be answered. */
  readonly announce: (text: string, options?: { readonly urgent: true }) => void;
  /** Sends other words in place of a message, in a chat that begins as this one does. */
  readonly branch: (at: number, text: string) => void;
  /** Whether a question may have the focus: nobody is writing anything. */
  readonly mayTakeFocus: () => boolean;
  readonly pickModel: () => void;
  /** A question that had the focus is answered. */
  readonly giveBackFocus: () => void;
}

/** A message as it is drawn. Results of calls, and what is too far back, have no element of their own. */
interface Entry {
  readonly message: ChatMessage;
  readonly element?: HTMLElement;
  readonly reply?: ReplyEntry;
}

/** So many messages are drawn when a chat opens, and each time that earlier ones are wanted. */
const pageSize = 60;
/** So much of an answer a screen reader is told by itself. UTF-16 units. */
const longestSpoken = 1_000;

/** One open chat: its session, and what is seen of it. It goes on while another one is shown. */
export class Conversation {
  readonly log: MessageLog;
  readonly session: Session;
  readonly #options: ConversationOptions;
  readonly #expanded = new Set<string>();
  readonly #batch: Batch<AgentEvent>;
  readonly #status = el('div', { class: 'dragoman-status', hidden: true });
  readonly #notes = el('div', { class: 'dragoman-notes' });
  readonly #questions = new Set<HTMLElement>();
  #entries: Entry[] = [];
  /** The first message that is drawn. */
  #from = 0;
  #changes: readonly Change[] = [];
  #live: ReplyEntry | undefined;
  #task: AbortController | undefined;
  #model: ModelChoice | undefined;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(options: ConversationOptions) {
    const { host, chat } = options;
    this.#options = options;
    this.log = new MessageLog((name) => host.icon(name));
    this.session = host.openSession(chat, (proposal, { signal }) => this.#ask(proposal, signal));
    const view = () => this.log.element.ownerDocument.defaultView ?? window;
    this.#batch = new Batch(
      (flush) => void view().requestAnimationFrame(flush),
      (events) => this.log.grow(() => this.#draw(events)),
    );
    this.log.content.append(this.#notes, this.#status);
    this.log.element.addEventListener('click', (event) => this.#openNote(event));
    this.#from = firstOf(chat.messages);
    this.#sync();
    void this.#readChanges();
  }

  get chat(): Chat {
    return this.session.chat;
  }

  get isBusy(): boolean {
    return this.#task !== undefined;
  }

  /** Its person is asked something. */
  get isAsking(): boolean {
    return this.#questions.size > 0;
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Sends what a person says. False where it could not be kept: then it is still theirs. */
  async send(text: string, choice: ModelChoice): Promise<boolean> {
    const end = await this.#run(choice, (request) => {
      this.#append({ role: 'user', content: text });
      return this.session.send(text, request);
    });
    return this.#showEnd(end, choice);
  }

  /** Sends the last message of a person again, or other words in its place. */
  async retry(at: number, { text, choice }: { readonly text: string; readonly choice: ModelChoice }): Promise<boolean> {
    const end = await this.#run(choice, (request) => {
      this.#cutTo(at);
      this.#append({ role: 'user', content: text });
      return this.session.retry(at, { ...request, text });
    });
    return this.#showEnd(end, choice);
  }

  /** Replaces what is sent of all but the newest messages by a summary. */
  async compact(choice: ModelChoice): Promise<void> {
    const end = await this.#run(choice, async (request) => {
      this.#showStatus('Summarising earlier messages…');
      const isDone = await this.session.compact(request);
      return { reason: isDone ? 'answer' : request.signal.aborted ? 'cancelled' : 'empty' };
    });
    if (end?.reason !== 'empty') return;
    this.note({ kind: 'info', text: 'There is nothing to summarise yet, or the model gave no summary.' });
  }

  async expand(): Promise<void> {
    await this.#attempt(() => this.session.expand());
    this.#drawCompaction();
    this.#options.changed();
  }

  /** Keeps what was written, and ends the task. */
  cancel(): void {
    this.#task?.abort(new Error('Cancelled.'));
  }

  /** Asked questions are answered by no; nothing runs any more when it resolves. */
  async close(): Promise<void> {
    this.cancel();
    await this.#ended;
    this.log.close();
  }

  /** Puts the focus on what its person is asked. */
  focusQuestion(): void {
    const [question] = this.#questions;
    question?.scrollIntoView({ block: 'nearest' });
    question?.focus({ preventScroll: true });
  }

  /** The last message of its person becomes one to be changed. */
  editLast(): void {
    const entry = this.#entries.findLast(({ message }) => message.role === 'user');
    entry?.element?.querySelector<HTMLElement>('.dragoman-edit-button')?.click();
  }

  note(note: Note): void {
    this.log.grow(() => this.#notes.append(drawNote(note, (name) => this.#options.host.icon(name))));
    if (note.kind === 'info') this.#options.announce(note.text);
  }

  /** Undefined: it did not come to an end, since the chat could not be kept or is at work. */
  #run(choice: ModelChoice, work: (request: TaskRequest) => Promise<TaskEnd>): Promise<TaskEnd | undefined> {
    if (this.#task !== undefined) return Promise.resolve(undefined);
    const done = this.#runTask(choice, work);
    this.#ended = done;
    return done;
  }

  async #runTask(choice: ModelChoice, work: (request: TaskRequest) => Promise<TaskEnd>): Promise<TaskEnd | undefined> {
    const { host, changed } = this.#options;
    const task = new AbortController();
    this.#task = task;
    this.#model = choice;
    this.#notes.replaceChildren();
    this.log.setBusy(true);
    let end: TaskEnd | undefined;
    try {
      const emit = (event: AgentEvent) => this.#batch.push(event);
      this.#showStatus(`Waiting for ${choice.name}…`);
      const working = work({ ...host.connect(choice), signal: task.signal, emit });
      this.log.jump();
      this.#update();
      changed();
      end = await working;
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#batch.flush();
      this.#task = undefined;
      this.#live?.element.remove();
      this.#live = undefined;
      this.#showStatus(undefined);
      this.log.setBusy(false);
    }
    this.log.grow(() => this.#sync());
    await this.#readChanges();
    changed();
    return end;
  }

  #showEnd(end: TaskEnd | undefined, choice: ModelChoice): boolean {
    if (end === undefined) return false;
    const { host, announce } = this.#options;
    const text = endText(end, { server: choice.server, model: choice.name });
    if (text === undefined) {
      announce(`Answer: ${this.#entries.at(-1)?.reply?.spoken.slice(0, longestSpoken) ?? ''}`);
      return true;
    }
    const hasFailed = end.reason === 'error' || end.reason === 'empty';
    const again = { label: 'Try again', run: () => this.#again(choice, { hasFailed }) };
    const chosen = () => host.chosen(this.chat.settings) ?? choice;
    const goOn = { label: 'Go on', run: () => void this.send('Go on.', chosen()) };
    if (end.reason === 'error') {
      const cures = {
        model: { label: 'Choose a model', run: () => this.#options.pickModel() },
        summary: { label: 'Summarise earlier messages', run: () => void this.compact(chosen()) },
        server: { label: 'Open settings', run: () => host.openSettings() },
      };
      const cure = cureOf(end.error);
      this.note({ kind: 'error', text, actions: [again, ...(cure === undefined ? [] : [cures[cure]])] });
    } else if (end.reason === 'length' || end.reason === 'steps') this.note({ kind: 'info', text, actions: [goOn] });
    else this.note({ kind: 'info', text, actions: [again] });
    return true;
  }

  /** Sends what was asked last once more: in its place where only an answer that failed would go. */
  #again(choice: ModelChoice, { hasFailed }: { readonly hasFailed: boolean }): void {
    const at = this.#entries.findLastIndex(({ message }) => message.role === 'user');
    const text = this.#entries[at]?.message.content;
    if (text === undefined || this.isBusy) return;
    const after = this.#entries.slice(at + 1).map(({ message }) => message);
    const isBare = after.every((message) => message.role === 'assistant' && message.tool_calls === undefined);
    if (hasFailed && isBare)
      void this.retry(at, { text, choice: this.#options.host.chosen(this.chat.settings) ?? choice });
    else this.#options.branch(at, text);
  }

  #fail(error: unknown): void {
    const place = { server: this.#model?.server ?? '', model: this.#model?.name ?? '' };
    this.note({ kind: 'error', text: errorText(error, place) });
  }

  async #attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#fail(error);
    }
  }

  #draw(events: readonly AgentEvent[]): void {
    for (const event of gathered(events)) {
      switch (event.type) {
        case 'reply':
          this.#drawCompaction();
          this.#showStatus(`Waiting for ${this.#model?.name ?? 'the model'}…`);
          this.#options.changed();
          break;
        case 'compacting':
          this.#showStatus('The chat is nearly full: summarising earlier messages…');
          break;
        case 'think':
          this.#liveReply().addThink(event.text);
          this.#showStatus('Thinking…');
          break;
        case 'text':
          this.#liveReply().addText(event.text);
          this.#showStatus('Writing…');
          break;
        case 'call-start':
          this.#showStatus(`Preparing: ${activityText({ name: event.name, arguments: {} }, 'running')}…`);
          break;
        case 'running':
          this.#showStatus(`${sentence(activityText(event.call, 'running'))}…`);
          break;
        case 'message':
          this.#append(event.message, this.#take(event.message));
          this.#update();
          break;
        default:
          event satisfies never;
      }
    }
  }

  #liveReply(): ReplyEntry {
    if (this.#live === undefined) {
      this.#live = this.#makeReply(this.#entries.length);
      this.#notes.before(this.#live.element);
    }
    return this.#live;
  }

  /** What was shown of a message while it came. */
  #take(message: ChatMessage): ReplyEntry | undefined {
    if (message.role !== 'assistant') return undefined;
    const reply = this.#live;
    this.#live = undefined;
    return reply;
  }

  #makeReply(at: number): ReplyEntry {
    const { host, branch } = this.#options;
    const again = () => {
      const asked = this.#entries.findLastIndex(
        ({ message }: Entry, each: number) => each < at && message.role === 'user',
      );
      const content = this.#entries[asked]?.message.content;
      if (!this.isBusy && content !== undefined) branch(asked, content);
    };
    return new ReplyEntry({
      key: `think ${at}`,
      icon: (name) => host.icon(name),
      expanded: this.#expanded,
      undo: (change) => void this.#undo(change),
      again,
    });
  }

  #append(message: ChatMessage, live?: ReplyEntry): void {
    const entry = this.#makeEntry(message, live);
    this.#entries.push(entry);
    if (entry.element === undefined || live !== undefined) return;
    (this.#live?.element ?? this.#notes).before(entry.element);
  }

  #makeEntry(message: ChatMessage, live: ReplyEntry | undefined): Entry {
    const { host, branch } = this.#options;
    const at = this.#entries.length;
    const icon = (name: string) => host.icon(name);
    if (at < this.#from || message.role === 'tool') return { message };
    if (message.role === 'user') {
      const again = (text: string) => {
        if (!this.isBusy) branch(at, text);
      };
      return {
        message,
        element: new UserEntry(message.content, { icon, again, isLast: () => at === this.#entries.length - 1 }).element,
      };
    }
    if (message.role === 'system') {
      return { message, element: drawNote({ kind: 'info', text: withoutStateLines(message.content) }, icon) };
    }
    const reply = live ?? this.#makeReply(at);
    reply.finish(message);
    return { message, element: reply.element, reply };
  }

  #cutTo(at: number): void {
    for (const { element } of this.#entries.splice(at)) element?.remove();
  }

  /** Draws the chat as it is kept: from the first message that is another one. */
  #sync(): void {
    const { messages } = this.chat;
    let same = 0;
    while (same < messages.length && isSame(this.#entries[same]?.message, messages[same])) same += 1;
    this.#cutTo(same);
    for (const message of messages.slice(same)) this.#append(message);
    this.#drawEarlier();
    this.#drawCompaction();
    this.#update();
  }

  #update(): void {
    for (const [at, { message, reply }] of this.#entries.entries()) {
      if (reply === undefined || message.role !== 'assistant' || message.tool_calls === undefined) continue;
      const rest = this.#entries.slice(at + 1, at + 1 + message.tool_calls.length).map((entry) => entry.message);
      reply.update({ rest, changes: this.#changes, isBusy: this.isBusy });
    }
  }

  #drawEarlier(): void {
    this.log.content.querySelector(':scope > .dragoman-earlier')?.remove();
    if (this.#from === 0) return;
    const show = () => {
      const messages = this.#entries.map(({ message }) => message);
      this.#from = firstOf(messages.slice(0, this.#from));
      this.log.growAbove(() => {
        this.#cutTo(0);
        for (const message of messages) this.#append(message);
        this.#drawEarlier();
        this.#drawCompaction();
        this.#update();
      });
    };
    const words = `Show earlier messages (${this.#from})`;
    const button = el('button', { type: 'button', class: 'dragoman-button dragoman-earlier', onclick: show }, words);
    this.log.content.prepend(button);
  }

  /** A line where what is sent begins: above it a summary is sent in place of the messages. */
  #drawCompaction(): void {
    this.log.content.querySelector(':scope > .dragoman-compaction')?.remove();
    const { compaction } = this.chat;
    if (compaction === undefined) return;
    const button = el(
      'button',
      { type: 'button', class: 'dragoman-link dragoman-when-idle', onclick: () => void this.expand() },
      'Send them in full again',
    );
    const line = el(
      'div',
      { class: 'dragoman-compaction', role: 'group', 'aria-label': 'Summary' },
      el('p', {}, 'The messages above are kept, and sent to the model as a summary.'),
      el('details', {}, el('summary', {}, 'Show the summary'), el('div', {}, compaction.summary)),
      button,
    );
    const next = this.#entries
      .slice(Math.max(compaction.upTo, this.#from))
      .find(({ element }) => element !== undefined);
    (next?.element ?? this.#live?.element ?? this.#notes).before(line);
  }

  #ask(proposal: Proposal, signal: AbortSignal): Promise<Decision> {
    const { host, changed, announce, mayTakeFocus, giveBackFocus } = this.#options;
    return new Promise((resolve) => {
      const answer = (decision: Decision) => {
        signal.removeEventListener('abort', stop);
        const hadFocus = card.contains(document.activeElement);
        card.remove();
        this.#questions.delete(card);
        resolve(decision);
        if (hadFocus) giveBackFocus();
        changed();
      };
      const stop = () => answer('reject');
      const card = drawConsent({ proposal, icon: (name) => host.icon(name), answer });
      this.#batch.flush();
      signal.addEventListener('abort', stop, { once: true });
      this.#questions.add(card);
      this.log.grow(() => {
        this.#showStatus(undefined);
        this.#status.before(card);
      });
      announce(`${wordsOf(proposal).title} Approve or reject.`, { urgent: true });
      if (mayTakeFocus()) card.focus({ preventScroll: true });
      changed();
    });
  }

  async #undo(change: Change): Promise<void> {
    if (this.isBusy) return;
    await this.#attempt(async () => {
      await this.session.undo(change.id);
      this.#options.announce('The change was taken back.');
    });
    this.log.grow(() => this.#sync());
    await this.#readChanges();
    this.#options.changed();
  }

  async #readChanges(): Promise<void> {
    await this.#attempt(async () => {
      this.#changes = await this.session.changes();
      this.#update();
    });
  }

  #showStatus(text: string | undefined): void {
    this.#status.hidden = text === undefined;
    if (text !== undefined && this.#status.textContent !== text) this.#status.textContent = text;
  }

  #openNote(event: Event): void {
    const note = noteOf(event);
    if (note === undefined) return;
    event.preventDefault();
    this.#options.host.openNote(note);
  }
}

/** Where the last page begins: at something that a person said. */
function firstOf(messages: readonly ChatMessage[]): number {
  const at = messages.length - pageSize;
  return at <= 0
    ? 0
    : Math.max(
        0,
        messages.findLastIndex(({ role }, each) => each <= at && role === 'user'),
      );
}

/** The same events, with pieces of text that follow each other as one. */
function gathered(events: readonly AgentEvent[]): readonly AgentEvent[] {
  const all: AgentEvent[] = [];
  let words: { readonly type: 'text' | 'think'; readonly pieces: string[] } | undefined;
  const close = () => {
    if (words !== undefined) all.push({ type: words.type, text: words.pieces.join('') });
    words = undefined;
  };
  for (const event of events) {
    if (event.type !== 'text' && event.type !== 'think') {
      close();
      all.push(event);
    } else if (words?.type === event.type) words.pieces.push(event.text);
    else {
      close();
      words = { type: event.type, pieces: [event.text] };
    }
  }
  close();
  return all;
}

function isSame(drawn: ChatMessage | undefined, kept: ChatMessage | undefined): boolean {
  if (drawn === kept) return true;
  const text = (message: ChatMessage | undefined) =>
    JSON.stringify(message, (key, value) => (key === 'think' ? undefined : value));
  return text(drawn) === text(kept);
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
