import {
  type ChatMessage,
  ChatStore,
  MemoryFiles,
  MemoryVault,
  type Model,
  type PromptSources,
  Session,
  type Tool,
} from '@dragoman/agent';
import { type ChatEvent, DragomanError, type ErrorCode } from '@dragoman/core';
import { ScriptedModel, type ScriptedReply } from '../../../packages/agent/test/scripted-model.ts';
import { GrowingMarkdown } from '../../../packages/obsidian/src/view/growing-markdown.ts';
import type { Attachment, ModelChoice, PanelHost } from '../../../packages/obsidian/src/view/host.ts';
import { drawMarkdown } from '../../../packages/obsidian/src/view/markdown.ts';
import { Panel } from '../../../packages/obsidian/src/view/panel.ts';
import { lucideIcon } from './lucide-icons.ts';

// Runs in a page: the panel over a vault and chats in memory. What the tests do, they do with the functions of `World`.

/** A reply that is written out. An error is made of its code. */
export type PageReply = Omit<ScriptedReply, 'during' | 'error'> & { readonly error?: ErrorCode };

export interface PageOptions {
  readonly notes?: Readonly<Record<string, string>>;
  readonly active?: string;
  /** What the model says. Without them it says what `deltas` gives it, until `end`. */
  readonly replies?: readonly PageReply[];
  readonly chats?: readonly { readonly title?: string; readonly messages: readonly ChatMessage[] }[];
  readonly models?: readonly ModelChoice[];
  readonly problems?: readonly string[];
  readonly chosen?: string;
  readonly attachments?: readonly Attachment[];
  readonly context?: number;
  readonly sources?: PromptSources;
  readonly keepThink?: boolean;
  /** With a tool that somebody else runs. */
  readonly withForeignTool?: boolean;
}

export interface World {
  readonly panel: Panel;
  readonly store: ChatStore;
  readonly vault: MemoryVault;
  /** What was opened, written or asked for beside the chat. */
  readonly done: string[];
  readonly asked: number;
  /** The next pieces of the reply that is being written. */
  give(...events: readonly ChatEvent[]): void;
  text(text: string): void;
  end(): void;
  /** The elements of a text that comes in pieces, and of the same text as a whole. */
  drawBoth(text: string, piece: number): readonly [coming: string, whole: string];
  /** From now on no chat can be kept. */
  breakDisk(): void;
}

const foreign: Tool = {
  name: 'weather',
  description: 'Tells the weather.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
  reads: true,
  source: 'MCP server "sky"',
  run: async () => 'Rain.',
};

/** Files that can no longer be written when they are broken. */
class BreakableFiles extends MemoryFiles {
  isBroken = false;

  override async write(path: string, text: string): Promise<void> {
    if (this.isBroken) throw new Error('The disk is full.');
    return super.write(path, text);
  }
}

const usual: readonly ModelChoice[] = [
  { key: 'a', name: 'qwen3:8b', server: 'http://127.0.0.1:11434', window: 8_192 },
  { key: 'b', name: 'gemma3:27b', server: 'http://127.0.0.1:11434' },
  { key: 'c', name: 'gpt-oss-120b', server: 'http://127.0.0.1:8080 (gateway)', window: 131_072 },
];

/** A model that says what it is given, when it is given. */
class SteeredModel implements Model {
  asked = 0;
  #waiting: ChatEvent[] = [];
  #wake = () => {};

  give(events: readonly ChatEvent[]): void {
    this.#waiting.push(...events);
    this.#wake();
  }

  async *ask(_: unknown, { signal }: { readonly signal: AbortSignal }): AsyncGenerator<ChatEvent> {
    this.asked += 1;
    for (;;) {
      const events = this.#waiting;
      this.#waiting = [];
      for (const event of events) {
        yield event;
        if (event.type === 'message-end' || event.type === 'error') return;
      }
      signal.throwIfAborted();
      if (this.#waiting.length > 0) continue;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }
}

export async function startPage(options: PageOptions): Promise<World> {
  const { notes = {}, active, replies, chats = [], models = usual, problems = [], attachments = [] } = options;
  const done: string[] = [];
  const files = new BreakableFiles();
  let time = Date.now() - 3 * 86_400_000;
  const store = new ChatStore({ files, keepThink: options.keepThink === true, now: () => (time += 40_000) });
  for (const { title, messages } of chats)
    await store.save(store.create(), { messages, ...(title !== undefined && { title }) });
  time = Date.now();
  const vault = new MemoryVault(notes, active === undefined ? {} : { active });
  const steered = new SteeredModel();
  const told = replies?.map(({ error, ...reply }) => ({
    ...reply,
    ...(error !== undefined && { error: new DragomanError(error, 'The server said so.') }),
  }));
  const model: Model = told === undefined ? steered : new ScriptedModel(...told);
  const listeners = new Set<() => void>();
  let shown = attachments;
  let chosen = options.chosen ?? (models[0]?.key || undefined);
  const host: PanelHost = {
    store,
    openSession: (chat, ask) =>
      new Session({
        chat,
        ask,
        store,
        files,
        vault,
        sources: async () => options.sources ?? {},
        tools: options.withForeignTool === true ? [foreign] : [],
        ...(options.context !== undefined && { budgets: { context: options.context } }),
      }),
    exportChat: async ({ title }) => {
      done.push(`export ${title}`);
      return `${title}.md`;
    },
    models: async () => ({ choices: models, problems }),
    chosen: ({ model: own }) => models.find(({ name }) => name === own) ?? models.find(({ key }) => key === chosen),
    choose: async ({ key, name }) => {
      chosen = key;
      return { model: name };
    },
    connect: ({ name }) => ({ model, settings: { model: name } }),
    attachments: () => shown,
    attach: (kind, isOn) => {
      shown = shown.map((each) => (each.kind === kind ? { ...each, isOn } : each));
      for (const listener of listeners) listener();
    },
    openNote: (link) => void done.push(`open ${link}`),
    openSettings: () => void done.push('settings'),
    icon: lucideIcon,
    shown: ({ title }) => {
      document.title = title;
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const parent = document.querySelector<HTMLElement>('.view-content');
  if (parent === null) throw new Error('The page has no place for the panel.');
  const panel = new Panel({ host, parent });
  await panel.open();
  panel.focus();
  return {
    panel,
    store,
    vault,
    done,
    get asked() {
      return model instanceof ScriptedModel ? model.asked.length : steered.asked;
    },
    give: (...events) => steered.give(events),
    text: (text) => steered.give([{ type: 'text-delta', block: 0, text }]),
    end: () => steered.give([{ type: 'message-end', finishReason: 'stop' }]),
    drawBoth: (text, piece) => {
      const coming = document.createElement('div');
      const growing = new GrowingMarkdown(coming, lucideIcon);
      for (let at = 0; at < text.length; at += piece) growing.add(text.slice(at, at + piece));
      growing.end(text);
      const whole = document.createElement('div');
      whole.append(drawMarkdown(text, lucideIcon));
      return [coming.innerHTML, whole.innerHTML];
    },
    breakDisk: () => {
      files.isBroken = true;
    },
  };
}
