import type { Usage } from '@dragoman/core';
import type { Chat, ChatSettings } from './chat/chat.ts';
import type { ChatMessage } from './chat/message.ts';
import type { AgentEvent, TaskEnd } from './loop/events.ts';
import type { Model, RequestSettings } from './loop/model.ts';
import { runTask } from './loop/run-task.ts';
import { buildPrompt, type Prompt, type PromptBudgets, type PromptSources } from './prompt/build-prompt.ts';
import { compact, needsCompaction } from './prompt/compact.ts';
import { ChangeLog } from './store/change-log.ts';
import { ChatError } from './store/chat-error.ts';
import type { ChatChange, ChatStore } from './store/chat-store.ts';
import type { Files } from './store/files.ts';
import { ToolRegistry } from './tools/registry.ts';
import type { Tool } from './tools/tool.ts';
import { createVaultTools } from './tools/vault-tools.ts';
import type { AskConsent, Change } from './vault/change.ts';
import { startsWithDot } from './vault/confined-path.ts';
import { createReadView } from './vault/read-view.ts';
import type { Vault } from './vault/vault.ts';
import { WriteGate } from './vault/write-gate.ts';

export interface SessionOptions {
  /** A new chat of `store.create()`, or one that was opened. */
  readonly chat: Chat;
  readonly store: ChatStore;
  /** Where the store has its files; changes are logged there, too. */
  readonly files: Files;
  readonly vault: Vault;
  /** Shows a change to its person, and tells what they say. */
  readonly ask: AskConsent;
  /** Tools beside those over the vault; asked for at the beginning of each task. */
  readonly tools?: readonly Tool[];
  /** What is not open to tools. Default: every name that begins with a dot. */
  readonly isHidden?: (path: string) => boolean;
  /** What prompts are made of; asked for at the beginning of each task. */
  readonly sources?: () => Promise<PromptSources>;
  readonly budgets?: PromptBudgets;
  readonly maxSteps?: number;
}

/** What holds for one task, and may be another for the next. */
export interface TaskRequest {
  readonly model: Model;
  readonly settings: RequestSettings;
  readonly signal: AbortSignal;
  readonly emit?: (event: AgentEvent) => void;
}

/**
 * One open chat over one vault: sends what its person says, runs the tools that the model calls, saves every message, and takes
 * changes back. One task at a time.
 */
export class Session {
  readonly #options: SessionOptions;
  readonly #view;
  readonly #gate: WriteGate;
  readonly #log: ChangeLog;
  #chat: Chat;
  #isBusy = false;
  #kept: Promise<unknown> = Promise.resolve();
  #prompt: Prompt | undefined;
  #usage: Usage | undefined;

  constructor(options: SessionOptions) {
    const { chat, files, vault, ask, isHidden = startsWithDot } = options;
    this.#options = options;
    this.#chat = chat;
    this.#log = new ChangeLog({ files, chatId: chat.id });
    this.#view = createReadView(vault, isHidden);
    this.#gate = new WriteGate({ vault, view: this.#view, ask, log: this.#log });
  }

  get chat(): Chat {
    return this.#chat;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** What the last request was made of, for whoever wants to see it. */
  get lastPrompt(): Prompt | undefined {
    return this.#prompt;
  }

  /** The tokens of the last reply. */
  get lastUsage(): Usage | undefined {
    return this.#usage;
  }

  /** The tools that there are now. Throws a TypeError where two have one name, or one is none. */
  get tools(): ToolRegistry {
    return new ToolRegistry([...createVaultTools(), ...(this.#options.tools ?? [])]);
  }

  /** Whether its person has said yes to all changes of this chat. `askAgain` takes that back. */
  get approvesAll(): boolean {
    return this.#gate.approvesAll;
  }

  askAgain(): void {
    this.#gate.askAgain();
  }

  /** Sends what a person says, and resolves when the task is over. */
  send(text: string, request: TaskRequest): Promise<TaskEnd> {
    return this.#alone(() => this.#send([...this.#chat.messages, { role: 'user', content: text }], request));
  }

  /**
   * Goes back to a message of a person and sends it once more, or other words in its place. What came after it goes from the
   * chat; changes of files stay. Throws a RangeError where no person said something.
   */
  retry(at: number, request: TaskRequest & { readonly text?: string }): Promise<TaskEnd> {
    const message = this.#chat.messages[at];
    if (message?.role !== 'user') throw new RangeError(`Message ${at} is not one of a person.`);
    const content = request.text ?? message.content;
    return this.#alone(() => this.#send([...this.#chat.messages.slice(0, at), { role: 'user', content }], request));
  }

  /** Replaces all but the newest messages by a summary in what is sent. False where there was nothing to replace. */
  compact(request: Pick<TaskRequest, 'model' | 'settings' | 'signal'>): Promise<boolean> {
    return this.#alone(async () => this.#compact(request, await this.#sources()));
  }

  /** Sends the messages themselves again. */
  expand(): Promise<void> {
    return this.#alone(async () => {
      await this.#save(() => ({ compaction: null }));
    });
  }

  /**
   * Gives the chat another title or other settings, also while it is at work. A chat that has no messages keeps them until it is
   * saved with its first one.
   */
  update(change: { readonly title?: string; readonly settings?: ChatSettings }): Promise<Chat> {
    return this.#keep((chat) => {
      if (chat.messages.length > 0) return this.#options.store.save(chat, change);
      return { ...chat, ...change, ...(change.title !== undefined && { titled: true }) };
    });
  }

  /** The changes of this chat, oldest first. */
  changes(): Promise<readonly Change[]> {
    return this.#log.list();
  }

  /** Takes a change back, by default the last one. Rejects with a ChatError `missing` or `conflict`. */
  undo(id?: string): Promise<Change> {
    return this.#alone(async () => {
      const wanted = id ?? (await this.changes()).findLast(({ undone }) => undone !== true)?.id;
      if (wanted === undefined) throw new ChatError('missing', 'There is no change to take back.');
      const change = await this.#gate.undo(wanted);
      const { path, to } = change;
      // So that the model does not go on as if it were there.
      const content = `The user took back the change of "${path}"${to === undefined ? '' : ` to "${to}"`}.`;
      await this.#add({ role: 'system', content });
      return change;
    });
  }

  async #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#isBusy) throw new Error('This chat is at work. Wait for it, or cancel.');
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      this.#isBusy = false;
    }
  }

  async #add(message: ChatMessage): Promise<void> {
    await this.#save(({ messages }) => ({ messages: [...messages, message] }));
  }

  #save(change: (chat: Chat) => ChatChange): Promise<Chat> {
    return this.#keep((chat) => this.#options.store.save(chat, change(chat)));
  }

  /** One after the other, each on what the last one left: a title given in the middle of a task loses no message. */
  #keep(next: (chat: Chat) => Chat | Promise<Chat>): Promise<Chat> {
    const kept = this.#kept.then(async () => {
      this.#chat = await next(this.#chat);
      return this.#chat;
    });
    this.#kept = kept.catch(() => {});
    return kept;
  }

  async #send(messages: readonly ChatMessage[], request: TaskRequest): Promise<TaskEnd> {
    const { maxSteps } = this.#options;
    const { model, settings, signal, emit = () => {} } = request;
    const { tools } = this;
    await this.#save(() => ({ messages }));
    const sources = await this.#sources();
    if (this.#isFull(sources)) {
      emit({ type: 'compacting' });
      await this.#compact(request, sources);
    }
    return runTask({
      model,
      settings,
      signal,
      emit,
      tools,
      view: this.#view,
      gate: this.#gate,
      messages: this.#chat.messages,
      ...(maxSteps !== undefined && { maxSteps }),
      prompt: (history) => {
        const prompt = this.#promptOf(history, sources);
        this.#prompt = prompt;
        return prompt;
      },
      save: (message) => this.#add(message),
      usage: (usage) => {
        this.#usage = usage;
      },
    });
  }

  async #sources(): Promise<PromptSources> {
    return (await this.#options.sources?.()) ?? {};
  }

  #promptOf(messages: readonly ChatMessage[], sources: PromptSources): Prompt {
    const { compaction } = this.#chat;
    const { budgets = {} } = this.#options;
    const { definitions: tools } = this.tools;
    return buildPrompt({ sources, messages, tools, budgets, ...(compaction !== undefined && { compaction }) });
  }

  #isFull(sources: PromptSources): boolean {
    const { messages, compaction } = this.#chat;
    const room = this.#promptOf(messages, sources).historyRoom;
    return needsCompaction(messages, { room, ...(compaction !== undefined && { compaction }) });
  }

  async #compact(
    { model, settings, signal }: Pick<TaskRequest, 'model' | 'settings' | 'signal'>,
    sources: PromptSources,
  ): Promise<boolean> {
    const { messages, compaction } = this.#chat;
    const before = compaction === undefined ? {} : { compaction };
    const room = this.#promptOf(messages, sources).historyRoom;
    const made = await compact({ messages, ...before, model, settings, signal, room });
    if (made === undefined) return false;
    await this.#save(() => ({ compaction: made }));
    return true;
  }
}
