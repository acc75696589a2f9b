import { createHash } from 'node:crypto';
import {
  answer,
  type ChatEvent,
  type ChatRequest,
  collect,
  type DragomanError,
  decodeNdjson,
  decodeSse,
  type EngineSetup,
  type ErrorCode,
  type ExchangeWatch,
  findModel,
  type Message,
  type PreparedRequest,
  planRequest,
  prepareRequest,
  type Receiver,
  runStage,
  through,
} from '@dragoman/core';
import { chatRequestOf, mostTokens, usualTokens } from './chat-request-of.ts';
import { type Decision, mostReplies, type ProbeTask, type ToldReply } from './task.ts';

/** Where a task is asked. */
export interface AskingPlace {
  readonly model: string;
  /** With the mode in the model's rule. */
  readonly setup: EngineSetup;
}

/** What came of asking a task once. */
export interface AskedTask {
  readonly decision: Decision;
  /** The last reply as the model wrote it. */
  readonly written: string;
  /** Milliseconds until something of the first reply came; absent where nothing did, or it was not streamed. */
  readonly firstToken?: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The server answered with an error, which is the decision's reason. */
  readonly refused?: true;
}

/** An error that says nothing of the model: nobody answered, or not this time. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  readonly code: ErrorCode;

  constructor(error: DragomanError) {
    super(error.message, { cause: error });
    this.code = error.code;
  }
}

/** Errors by which a server says what it makes of this very request, or of the reply of its model. All others interrupt. */
const aboutThis: ReadonlySet<ErrorCode> = new Set([
  'upstream-refused',
  'upstream-failed',
  'upstream-unreadable',
  'reply-too-large',
  'bad-request',
  'unsupported-field',
]);

export interface AskOptions {
  readonly signal: AbortSignal;
  /** Milliseconds since any fixed point. */
  readonly now: () => number;
}

/**
 * Asks a task once, as a client would, with the results that its world has, and judges. Throws Interruption, and the signal's reason
 * when it aborts, which also ends the upstream's work.
 */
export async function askTask(task: ProbeTask, place: AskingPlace, options: AskOptions): Promise<AskedTask> {
  const replies: ToldReply[] = [];
  const messages: Message[] = [...task.messages];
  const spent = { inputTokens: 0, outputTokens: 0 };
  let firstToken: number | undefined;
  let maxTokens = task.writes ?? usualTokens;
  for (;;) {
    const request = requestOf(task, { model: place.model, messages, maxTokens });
    const { message, written, first } = await replyTo(request, place, options);
    if (replies.length === 0 && task.stream) firstToken ??= first;
    spent.inputTokens += message.usage?.inputTokens ?? 0;
    spent.outputTokens += message.usage?.outputTokens ?? 0;
    if (maxTokens < mostTokens && isCutInThought(message)) {
      maxTokens = mostTokens;
      continue;
    }
    const asked = { written, ...(firstToken === undefined ? {} : { firstToken }), ...spent };
    const { error, finishReason } = message;
    if (error !== undefined) {
      if (!aboutThis.has(error.code)) throw new Interruption(error);
      return {
        decision: { ok: false, why: `The server answered with an error: ${error.message}` },
        ...asked,
        refused: true,
      };
    }
    const { text, calls } = message;
    replies.push({ text, calls: calls.map(({ name, arguments: json }) => ({ name, arguments: json })) });
    const results = calls.map((call) => task.world?.(call));
    const goesOn = calls.length > 0 && replies.length < mostReplies && results.every((each) => each !== undefined);
    if (!goesOn) {
      const isCut = finishReason === 'length';
      return {
        decision: isCut ? { ok: false, why: 'It came to no end, and was cut.' } : task.judge(replies),
        ...asked,
      };
    }
    messages.push({ role: 'assistant', content: message.content });
    for (const [at, { callId, name }] of calls.entries()) {
      messages.push({ role: 'tool', callId, name, content: [{ type: 'text', text: results[at] ?? '' }] });
    }
  }
}

/**
 * Changes when something changes that a result hangs on: what the model is told, how it is judged, its address, or, where the server
 * says so, the model itself.
 */
export function versionOf(task: ProbeTask, { model, setup }: AskingPlace): string {
  const request = requestOf(task, { model, messages: task.messages, maxTokens: task.writes ?? usualTokens });
  // What is drawn for each request is no other prompt.
  let drawn = 0;
  const still: EngineSetup = {
    ...setup,
    randomHex: (length) => {
      drawn += 1;
      return String(drawn).padStart(length, '0');
    },
    conversationDigest: () => '00000000',
  };
  const { messages, tools, toolChoice, sampling } = prepareRequest(request, {
    plan: planRequest(request, still),
    setup: still,
  }).request;
  const { place, listed } = findModel(model, setup);
  const where = { address: place.address, version: listed?.version };
  const { parallelToolCalls } = task;
  const told = { messages, tools, toolChoice, parallelToolCalls, sampling, judges: judgesVersion, ...where };
  return createHash('sha256').update(JSON.stringify(told)).digest('hex').slice(0, 12);
}

/** One more where a judge judges otherwise than before. */
const judgesVersion = 2;

function requestOf(
  { tools, toolChoice = 'auto', parallelToolCalls = true, stream }: ProbeTask,
  {
    model,
    messages,
    maxTokens,
  }: { readonly model: string; readonly messages: readonly Message[]; readonly maxTokens: number },
): ChatRequest {
  return chatRequestOf({ model, messages, tools, toolChoice, parallelToolCalls, stream, sampling: { maxTokens } });
}

/** A model that thinks, in words or in secret, has not had its say. */
function isCutInThought({ content, finishReason }: CollectedMessage): boolean {
  return finishReason === 'length' && (content.length === 0 || content.some(({ type }) => type === 'reasoning'));
}

type CollectedMessage = ReturnType<typeof collect>;

interface OneReply {
  readonly message: CollectedMessage;
  readonly written: string;
  /** Milliseconds until something of it came. */
  readonly first?: number;
}

function replyTo(request: ChatRequest, { setup }: AskingPlace, { signal, now }: AskOptions): Promise<OneReply> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const heard = new HeardReply();
    const events: ChatEvent[] = [];
    const began = now();
    let first: number | undefined;
    const stop = () => {
      reply.abort();
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
    const reply = answer(request, setup, {
      watch: heard,
      event: (event) => {
        if (shows(event)) first ??= now() - began;
        events.push(event);
        if (event.type !== 'message-end' && event.type !== 'error') return;
        signal.removeEventListener('abort', stop);
        const message = collect(events);
        resolve({ message, written: heard.written(), ...(first === undefined ? {} : { first }) });
      },
      flush: () => {},
    });
  });
}

function shows({ type }: ChatEvent): boolean {
  return type === 'text-delta' || type === 'reasoning-delta' || type === 'tool-call-start';
}

/** Bytes of a reply that are kept. */
const mostBytes = 4 * 1024 * 1024;

/** Hears what a model itself wrote, before calls are read in it. Of several exchanges for one reply the last counts. */
class HeardReply implements ExchangeWatch {
  #prepared: PreparedRequest | undefined;
  #contentType = '';
  #status = 0;
  #chunks: Uint8Array[] = [];
  #size = 0;

  prepared(prepared: PreparedRequest): void {
    this.#prepared = prepared;
  }

  sent(): Receiver {
    this.#chunks = [];
    this.#size = 0;
    return {
      start: (status, contentType) => {
        this.#status = status;
        this.#contentType = contentType;
      },
      data: (chunk) => {
        if (this.#size < mostBytes) this.#chunks.push(chunk);
        this.#size += chunk.length;
      },
      end: () => {},
      fail: () => {},
    };
  }

  /** Its text as it was written, with native calls as `name(arguments)`; what cannot be read, as it came. */
  written(): string {
    const bytes = Buffer.concat(this.#chunks);
    const prepared = this.#prepared;
    if (prepared === undefined || this.#status < 200 || this.#status >= 300) return bytes.toString('utf8');
    try {
      return told(eventsOf(bytes, { prepared, isWhole: this.#contentType === 'application/json' }));
    } catch {
      return bytes.toString('utf8');
    }
  }
}

function eventsOf(
  bytes: Buffer,
  { prepared, isWhole }: { readonly prepared: PreparedRequest; readonly isWhole: boolean },
): readonly ChatEvent[] {
  const { wire, request, upstream } = prepared;
  if (isWhole) return wire.readMessage(JSON.parse(bytes.toString('utf8')), request, upstream.quirks);
  const limit = { fail: () => {} };
  const frames = wire.framing === 'sse' ? decodeSse(limit) : decodeNdjson(limit);
  return runStage(through(frames, wire.createStreamReader(request, upstream.quirks)), [bytes]);
}

function told(events: readonly ChatEvent[]): string {
  const { content } = collect(events);
  const parts = content.map((part) => {
    if (part.type === 'text') return part.text;
    return part.type === 'reasoning' ? `(thinks) ${part.text}` : `${part.name}(${part.arguments})`;
  });
  return parts.join('\n');
}
