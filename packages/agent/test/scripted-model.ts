import type { ChatEvent, ChatRequest } from '@dragoman/core';
import {
  type AgentEvent,
  ChatStore,
  type Decision,
  MemoryFiles,
  MemoryVault,
  type Model,
  Session,
} from '../src/index.ts';

/** One reply of a scripted model: words, calls, or events as they are. */
export interface ScriptedReply {
  readonly think?: string;
  readonly text?: string;
  readonly calls?: readonly (readonly [name: string, values: object, id?: string])[];
  /** Before the end. */
  readonly events?: readonly ChatEvent[];
  /** Runs between the parts of the text, such as to cancel. */
  readonly during?: (piece: number) => void;
  readonly error?: Extract<ChatEvent, { readonly type: 'error' }>['error'];
}

/** A model that says what it is told to, and keeps what it was asked. After its last reply it answers `Done.`. */
export class ScriptedModel implements Model {
  readonly asked: ChatRequest[] = [];
  readonly #replies: (ScriptedReply | ((request: ChatRequest) => ScriptedReply))[];
  #calls = 0;

  constructor(...replies: readonly (ScriptedReply | ((request: ChatRequest) => ScriptedReply))[]) {
    this.#replies = [...replies];
  }

  async *ask(request: ChatRequest, { signal }: { readonly signal: AbortSignal }): AsyncGenerator<ChatEvent> {
    this.asked.push(request);
    const next = this.#replies.shift() ?? { text: 'Done.' };
    const reply = typeof next === 'function' ? next(request) : next;
    let block = 0;
    yield { type: 'message-start', id: 'm', model: request.model };
    if (reply.think !== undefined) {
      yield { type: 'reasoning-start', block };
      yield { type: 'reasoning-delta', block, text: reply.think };
      yield { type: 'reasoning-end', block };
      block += 1;
    }
    if (reply.text !== undefined) {
      yield { type: 'text-start', block };
      for (const [piece, text] of reply.text.split('|').entries()) {
        signal.throwIfAborted();
        yield { type: 'text-delta', block, text };
        reply.during?.(piece + 1);
      }
      signal.throwIfAborted();
      yield { type: 'text-end', block };
      block += 1;
    }
    for (const [name, values, id] of reply.calls ?? []) {
      this.#calls += 1;
      const json = JSON.stringify(values);
      yield { type: 'tool-call-start', block, callId: id ?? `call_${this.#calls}`, name };
      yield { type: 'tool-call-delta', block, text: json };
      yield { type: 'tool-call-end', block, arguments: json };
      block += 1;
    }
    yield* reply.events ?? [];
    if (reply.error !== undefined) yield { type: 'error', error: reply.error };
    else yield { type: 'message-end', finishReason: (reply.calls ?? []).length > 0 ? 'tool-calls' : 'stop' };
  }

  /** What the model was told last of a result. */
  get lastResult(): string {
    const told = this.asked.at(-1)?.messages.findLast(({ role }) => role === 'tool');
    return told?.content.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? '';
  }
}

/** A vault that counts what is asked of it. */
export class CountedVault extends MemoryVault {
  readonly reads: string[] = [];
  readonly writes: string[] = [];

  override async read(path: string): Promise<string> {
    this.reads.push(path);
    return super.read(path);
  }

  override async write(path: string, text: string): Promise<void> {
    this.writes.push(`write ${path}`);
    return super.write(path, text);
  }

  override async rename(from: string, to: string): Promise<void> {
    this.writes.push(`rename ${from} ${to}`);
    return super.rename(from, to);
  }

  override async delete(path: string): Promise<void> {
    this.writes.push(`delete ${path}`);
    return super.delete(path);
  }
}

export interface World {
  readonly session: Session;
  readonly vault: CountedVault;
  readonly store: ChatStore;
  readonly files: MemoryFiles;
  readonly events: AgentEvent[];
  /** The paths, and the tools of others, that a person was asked about. */
  readonly proposed: string[];
  send(text: string, options?: { readonly signal?: AbortSignal }): ReturnType<Session['send']>;
}

/** A session over a vault in memory, whose person says `decision` to everything. */
export function startWorld(
  model: Model,
  {
    notes = {},
    active,
    decision = 'approve',
    ...more
  }: {
    readonly notes?: Readonly<Record<string, string>>;
    readonly active?: string;
    readonly decision?: Decision;
  } & Partial<ConstructorParameters<typeof Session>[0]> = {},
): World {
  const files = new MemoryFiles();
  let time = 1_000;
  const tick = () => {
    time += 1;
    return time;
  };
  const store = new ChatStore({ files, now: tick, newId: () => `chat-${tick()}` });
  const vault = new CountedVault(notes, active === undefined ? {} : { active });
  const events: AgentEvent[] = [];
  const proposed: string[] = [];
  const session = new Session({
    chat: store.create(),
    store,
    files,
    vault,
    ask: async (proposal) => {
      proposed.push(proposal.kind === 'call' ? proposal.tool : proposal.path);
      return decision;
    },
    ...more,
  });
  const emit = (event: AgentEvent) => void events.push(event);
  return {
    session,
    vault,
    store,
    files,
    events,
    proposed,
    send: (text, { signal = new AbortController().signal } = {}) =>
      session.send(text, { model, settings: { model: 'm' }, signal, emit }),
  };
}
