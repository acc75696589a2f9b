import { callSignature, type Usage } from '@dragoman/core';
import {
  type AssistantChatMessage,
  type ChatCall,
  type ChatMessage,
  type ToolChatMessage,
  toolMessage,
} from '../chat/message.ts';
import { freshId } from '../chat/pair-calls.ts';
import { withoutStateLines } from '../chat/state-lines.ts';
import type { AgentEvent, TaskEnd } from './events.ts';
import { type Model, type RequestSettings, requestOf } from './model.ts';
import { type Reply, readReply } from './read-reply.ts';
import { type CallResult, runCall, type Workshop } from './run-call.ts';

export interface TaskOptions extends Workshop {
  readonly model: Model;
  readonly settings: RequestSettings;
  /** The history with the request that is to be done. */
  readonly messages: readonly ChatMessage[];
  /** What the model is sent of a history. */
  readonly prompt: (messages: readonly ChatMessage[]) => {
    readonly system: string;
    readonly messages: readonly ChatMessage[];
  };
  /** Replies that may call tools. Default: 24. */
  readonly maxSteps?: number;
  readonly signal: AbortSignal;
  /** Keeps a message for good. Each comes once, in order; calls run only when theirs is kept. */
  readonly save: (message: ChatMessage) => Promise<void>;
  readonly emit: (event: AgentEvent) => void;
  readonly usage?: (usage: Usage) => void;
}

const defaultMaxSteps = 24;
/** Calls that only read run side by side, so many at once. */
const mostAtOnce = 8;

/**
 * Does what its person asked for: asks the model, runs what it calls, tells it the results, until it answers. Rejects only
 * where `save` does.
 */
export async function runTask(options: TaskOptions): Promise<TaskEnd> {
  return new Task(options).run();
}

class Task {
  readonly #options: TaskOptions;
  readonly #messages: ChatMessage[];
  readonly #ids: Set<string>;
  readonly #guard = new RepeatGuard();
  #corrected = false;

  constructor(options: TaskOptions) {
    this.#options = options;
    this.#messages = [...options.messages];
    const calls = this.#messages.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : []));
    this.#ids = new Set(calls.map(({ id }) => id));
  }

  async run(): Promise<TaskEnd> {
    const { maxSteps = defaultMaxSteps, signal } = this.#options;
    for (let step = 1; step <= maxSteps; step += 1) {
      const reply = await this.#ask();
      if (signal.aborted) return this.#breakOff(reply, { reason: 'cancelled' });
      if (reply.error !== undefined) return this.#breakOff(reply, { reason: 'error', error: reply.error });
      if (reply.calls.length === 0) {
        if (await this.#corrects(reply)) continue;
        return this.#finish(reply);
      }
      const message = this.#messageOf(reply);
      await this.#keep(message);
      await this.#runCalls(message.tool_calls ?? []);
      if (signal.aborted) return { reason: 'cancelled' };
      if (this.#guard.isOver) return this.#lastWords('repeats');
    }
    return this.#lastWords('steps');
  }

  #ask(lastWords?: string): Promise<Reply> {
    const { model, settings, prompt, tools, signal, emit, usage } = this.#options;
    const { system, messages } = prompt(this.#messages);
    const note: readonly ChatMessage[] = lastWords === undefined ? [] : [{ role: 'system', content: lastWords }];
    const question = {
      system,
      messages: [...messages, ...note],
      tools: tools.definitions,
      mayCall: lastWords === undefined,
    };
    emit({ type: 'reply' });
    const events = model.ask(requestOf(question, settings), { signal });
    const reading = readReply(events, emit);
    return reading.then((reply) => {
      if (reply.usage !== undefined) usage?.(reply.usage);
      return reply;
    });
  }

  #messageOf({ text, think, calls }: Reply): AssistantChatMessage {
    const own = calls.map((call): ChatCall => ({ ...call, id: freshId(call.id, this.#ids) }));
    return {
      role: 'assistant',
      content: withoutStateLines(text),
      ...(own.length > 0 && { tool_calls: own }),
      ...(think !== '' && { think }),
    };
  }

  async #keep(message: ChatMessage): Promise<void> {
    this.#messages.push(message);
    await this.#options.save(message);
    this.#options.emit({ type: 'message', message });
  }

  /** What came of a reply stays, without its calls: none of them runs. */
  async #breakOff(reply: Reply, end: TaskEnd): Promise<TaskEnd> {
    if (reply.text !== '' || reply.think !== '') await this.#keep(this.#messageOf({ ...reply, calls: [] }));
    return end;
  }

  async #finish(reply: Reply): Promise<TaskEnd> {
    const message = this.#messageOf(reply);
    if (message.content !== '' || message.think !== undefined) await this.#keep(message);
    if (reply.finishReason === 'length') return { reason: 'length' };
    return { reason: message.content.trim() === '' ? 'empty' : 'answer' };
  }

  /** A call that could not be read is told to the model, once in a task. */
  async #corrects(reply: Reply): Promise<boolean> {
    const warning = reply.warnings.find(({ code }) => code === 'call-cut');
    if (warning === undefined || this.#corrected || reply.finishReason === 'length') return false;
    this.#corrected = true;
    await this.#keep(this.#messageOf(reply));
    const content = `Your last call could not be read: ${warning.message} Nothing was run. Write the call again, in the form that you were told.`;
    await this.#keep({ role: 'system', content });
    return true;
  }

  /** The loop is over: the model is asked for an answer in words. */
  async #lastWords(reason: 'steps' | 'repeats'): Promise<TaskEnd> {
    const reply = await this.#ask(
      `${reason === 'steps' ? 'The limit of steps for one request is reached' : 'You have made the same call three times'}. No tool can be called any more. Answer now in words: what you have found out and done, and what is left to do.`,
    );
    const end: TaskEnd = reply.error === undefined ? { reason } : { reason: 'error', error: reply.error };
    return this.#breakOff(reply, this.#options.signal.aborted ? { reason: 'cancelled' } : end);
  }

  /** Runs calls in their order; those in a row that only read side by side. Each has its result at the end. */
  async #runCalls(calls: readonly ChatCall[]): Promise<void> {
    let at = 0;
    while (at < calls.length) {
      let to = at + 1;
      if (this.#reads(calls[at])) while (to < calls.length && to - at < mostAtOnce && this.#reads(calls[to])) to += 1;
      const group = calls.slice(at, to);
      const results = await Promise.all(group.map((call) => this.#runOne(call)));
      for (const message of results) await this.#keep(message);
      at = to;
    }
  }

  #reads(call: ChatCall | undefined): boolean {
    if (call === undefined) return false;
    const found = this.#options.tools.find(call.name, call.arguments);
    // A person is asked one thing at a time.
    return !('tool' in found) || (found.tool.reads && found.tool.source === undefined);
  }

  async #runOne(call: ChatCall): Promise<ToolChatMessage> {
    const { emit, signal } = this.#options;
    const run = (): Promise<CallResult> => {
      emit({ type: 'running', call });
      return runCall(call, this.#options, { signal, changed: () => this.#guard.changed() });
    };
    return toolMessage(call.id, await this.#guard.answer(call, run));
  }
}

/** What is known of a call that was made before. */
interface Known {
  readonly result: Promise<CallResult>;
  /** How many changes had been made when it was over. */
  changes: number;
  repeats: number;
}

/**
 * The calls of one task. One that comes again with the same arguments is answered from what is known, with a note; a second
 * time, and the loop is over. A change that was made in between makes every call another one, except itself.
 */
class RepeatGuard {
  readonly #known = new Map<string, Known>();
  #changes = 0;
  #isOver = false;

  /** Whether the model has made the same call a third time. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Something was changed. */
  changed(): void {
    this.#changes += 1;
  }

  /** Runs a call, or answers it from what is known. */
  async answer({ name, arguments: values }: ChatCall, run: () => Promise<CallResult>): Promise<CallResult> {
    const signature = callSignature(name, JSON.stringify(values));
    const known = this.#known.get(signature);
    if (known !== undefined && known.changes === this.#changes) {
      known.repeats += 1;
      if (known.repeats > 1) this.#isOver = true;
      const { status, content } = await known.result;
      return { status, content: `${repeated}\n${content}` };
    }
    const entry: Known = { result: run(), changes: this.#changes, repeats: 0 };
    this.#known.set(signature, entry);
    const result = await entry.result;
    entry.changes = this.#changes;
    return result;
  }
}

const repeated =
  '[You have made this very call before, and nothing has changed since. This is its result again; go on with it.]';
