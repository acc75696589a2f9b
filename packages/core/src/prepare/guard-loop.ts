import { type AssistantMessage, type Message, type ToolCallPart, type ToolMessage, textOf } from '../chat/message.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { Warning } from '../chat/warning.ts';
import { callSignature } from '../json/long-numbers.ts';
import type { GuardRule } from '../plan/rules.ts';

/** The rule with everything filled in; 0 switches a guard off. */
export interface GuardLimits {
  readonly rounds: number;
  readonly note: number;
  readonly stop: number;
}

/** Nothing is guarded. */
export const noGuards: GuardLimits = { rounds: 0, note: 0, stop: 0 };

/** What the guards found in a history, and what they made of it. */
export interface LoopDecision {
  readonly limits: GuardLimits;
  /** Rounds since somebody last asked for something. */
  readonly rounds: number;
  /** So many of the last ones were the same. */
  readonly repeats: number;
  /** `stop`: the model is asked once more, without tools. `note`: it is told that it repeats itself. */
  readonly decision: 'go on' | 'note' | 'stop';
}

/** A request that the guards have looked at: the very same one when they have nothing to say. */
export interface GuardedRequest {
  readonly request: ChatRequest;
  readonly loop: LoopDecision;
  /** The loop ends here: what the client is told behind the model's last words. */
  readonly notice?: string;
  readonly warnings: readonly Warning[];
}

/**
 * The guards of a model. Agents run hundreds of rounds and ask the same thing again while they wait, so by default
 * nothing is ended, and a native model hears nothing from us. One that reads its tools as text repeats itself more
 * easily and is told. Platforms that keep the conversation are the exception: every round is a message in an account of
 * somebody's, and there a loop ends.
 */
export function guardLimits(
  { rounds, repeats }: GuardRule,
  model: { readonly readsText: boolean; readonly keepsConversation: boolean },
): GuardLimits {
  return {
    rounds: rounds ?? (model.keepsConversation ? 20 : 0),
    note: (repeats ?? model.readsText) ? 3 : 0,
    stop: (repeats ?? model.keepsConversation) ? 6 : 0,
  };
}

/**
 * Looks for loops in a request's history. Notes come after the results that they speak of: the same ones in every later
 * request, so that prompt caches go on to work. Where a loop ends, the model is asked once more, and whatever it calls
 * then is held back; the tools stay in its prompt for the caches' sake.
 */
export function guardLoop(
  request: ChatRequest,
  { limits, readsText }: { readonly limits: GuardLimits; readonly readsText: boolean },
): GuardedRequest {
  if (Math.max(limits.rounds, limits.note, limits.stop) === 0) {
    return { request, loop: { limits, rounds: 0, repeats: 0, decision: 'go on' }, warnings: [] };
  }
  const { all, current } = readToolRounds(request.messages);
  const found = { limits, rounds: current?.number ?? 0, repeats: current?.repeats ?? 0 };
  const notes = repeatNotes(all, limits);
  const reason = request.tools.length === 0 ? undefined : reasonToStop(found);
  if (reason === undefined || current === undefined) {
    const tells = current !== undefined && notes.has(current.lastResult);
    return {
      request: withNotes(request, notes),
      loop: { decision: tells ? 'note' : 'go on', ...found },
      warnings: tells ? [{ code: 'loop-noted', message: `${repeated(found.repeats)}; the model was told.` }] : [],
    };
  }
  notes.set(current.lastResult, `[Note: ${reason}. ${lastWords}]`);
  const toolChoice = readsText ? 'auto' : 'none';
  return {
    request: { ...withNotes(request, notes), toolChoice },
    loop: { decision: 'stop', ...found },
    notice: `[${reason}, so no further tool was called. Send a message to go on.]`,
    warnings: [{ code: 'loop-stopped', message: `${reason}; the model was asked for its last words.` }],
  };
}

const lastWords =
  'No tool can be called any more. Answer now in words: what you have found out and done, and what is left to do.';

const repeated = (times: number) => `The same calls were made ${times} times in a row with the same results`;

function reasonToStop({ limits, rounds, repeats }: Omit<LoopDecision, 'decision'>): string | undefined {
  if (limits.stop > 0 && repeats >= limits.stop) return repeated(repeats);
  if (limits.rounds > 0 && rounds >= limits.rounds) {
    return `The limit of ${limits.rounds} rounds of tool calls for one request is reached`;
  }
  return undefined;
}

/** By the index of the message that they stand after. */
function repeatNotes(rounds: readonly ToolRound[], { note }: GuardLimits): Map<number, string> {
  const told = note === 0 ? [] : rounds.filter(({ repeats }) => repeats >= note);
  return new Map(
    told.map(({ lastResult, repeats }) => [
      lastResult,
      `[Note: ${repeated(repeats)}. Do not make them again: use what is above, or do something else.]`,
    ]),
  );
}

/** Where a round has no result to come after, the note is the last message. */
function withNotes(request: ChatRequest, notes: ReadonlyMap<number, string>): ChatRequest {
  if (notes.size === 0) return request;
  const messages = request.messages.map((message, at): Message => {
    const note = notes.get(at);
    return note === undefined || message.role !== 'tool' ? message : { ...message, note };
  });
  const astray = notes.get(-1);
  if (astray !== undefined) messages.push({ role: 'user', content: [{ type: 'text', text: astray }] });
  return { ...request, messages };
}

/** A reply of the model that called tools, and its place in the loop that it belongs to. */
interface ToolRound {
  /** Counts the rounds since somebody last asked for something, from one. */
  readonly number: number;
  /** So many rounds in a row, this one included, made the same calls and got the same results. */
  readonly repeats: number;
  /** The index of the message that brought its last result; -1 if none came. */
  readonly lastResult: number;
}

/** The rounds of a history. */
interface ToolRounds {
  readonly all: readonly ToolRound[];
  /** The round whose results the model is to hear next; absent where it is to answer a person. */
  readonly current?: ToolRound;
}

/**
 * Reads the loops of a history: one begins with what somebody asks and ends with an answer that calls nothing.
 *
 * Rounds repeat each other only if they follow each other, make the same calls in the same order and get the same
 * results. Whatever comes between, such as a write, may have changed what a call finds, and then it is another one; and
 * one that waits for something ends its row when it finds something new.
 *
 * What a client puts after results by itself is nothing that somebody asks: words in tags, such as `<system-reminder>`,
 * and words that it has put there before. Work is linear.
 */
export function readToolRounds(messages: readonly Message[]): ToolRounds {
  const reader = new RoundReader();
  for (const [at, message] of messages.entries()) reader.read(message, at);
  return reader.finish();
}

/** A reply and what has come after it. Several messages of the model in a row are one reply. */
interface Reply {
  readonly calls: ToolCallPart[];
  readonly results: ToolMessage[];
  lastResult: number;
}

class RoundReader {
  readonly #all: ToolRound[] = [];
  /** The reply that is being read. */
  #reply: Reply | undefined;
  /** The round before it in the same loop. */
  #before: Reply | undefined;
  #beforeRound: ToolRound | undefined;
  /** What the client said last after results. */
  #aside = '';

  read(message: Message, at: number): void {
    switch (message.role) {
      case 'system':
        return;
      case 'assistant':
        this.#readReply(message);
        return;
      case 'tool':
        if (this.#reply === undefined) return;
        this.#reply.results.push(message);
        this.#reply.lastResult = at;
        return;
      case 'user':
        if (!this.#isAside(textOf(message.content).trim())) this.#leaveLoop();
        return;
      default:
        message satisfies never;
    }
  }

  finish(): ToolRounds {
    const current = this.#closeReply();
    return { all: this.#all, ...(current === undefined ? {} : { current }) };
  }

  #readReply({ content }: AssistantMessage): void {
    if (this.#reply === undefined || this.#reply.lastResult >= 0) {
      this.#closeReply();
      this.#reply = { calls: [], results: [], lastResult: -1 };
    }
    for (const part of content) if (part.type === 'tool-call') this.#reply.calls.push(part);
  }

  #isAside(text: string): boolean {
    if (this.#reply === undefined || this.#reply.lastResult < 0) return false;
    const isAside = text === '' || text === this.#aside || (text.startsWith('<') && text.endsWith('>'));
    this.#aside = text;
    return isAside;
  }

  #leaveLoop(): void {
    this.#closeReply();
    this.#before = undefined;
    this.#beforeRound = undefined;
  }

  /** The round that the reply was, if it called anything; otherwise it was an answer, and its loop is over. */
  #closeReply(): ToolRound | undefined {
    const reply = this.#reply;
    this.#reply = undefined;
    if (reply === undefined) return this.#beforeRound;
    const isRound = reply.calls.length > 0;
    const before = this.#beforeRound;
    this.#beforeRound = isRound
      ? {
          number: (before?.number ?? 0) + 1,
          repeats: before !== undefined && isSame(reply, this.#before) ? before.repeats + 1 : 1,
          lastResult: reply.lastResult,
        }
      : undefined;
    this.#before = isRound ? reply : undefined;
    if (this.#beforeRound !== undefined) this.#all.push(this.#beforeRound);
    return this.#beforeRound;
  }
}

/** Arguments are compared last: they have to be read for it, which costs more than all the rest. */
function isSame(reply: Reply, before: Reply | undefined): boolean {
  if (before === undefined || reply.results.length === 0) return false;
  if (reply.calls.length !== before.calls.length || reply.results.length !== before.results.length) return false;
  const names = reply.calls.every(({ name }, at) => name === before.calls[at]?.name);
  if (!names) return false;
  const earlier = inOrderOfCalls(before);
  const results = inOrderOfCalls(reply).every((result, at) => saysTheSame(result, earlier[at]));
  if (!results) return false;
  return reply.calls.every((call, at) => {
    const other = before.calls[at]?.arguments ?? '';
    return call.arguments === other || callSignature(call.name, call.arguments) === callSignature(call.name, other);
  });
}

function inOrderOfCalls({ calls, results }: Reply): readonly ToolMessage[] {
  const places = new Map(calls.map(({ callId }, at) => [callId, at]));
  const placeOf = ({ callId }: ToolMessage) => places.get(callId) ?? calls.length;
  return [...results].sort((one, other) => placeOf(one) - placeOf(other));
}

function saysTheSame(one: ToolMessage, other: ToolMessage | undefined): boolean {
  if (other === undefined || one.status !== other.status || one.content.length !== other.content.length) return false;
  return one.content.every((part, at) => {
    const twin = other.content[at];
    if (part.type === 'text') return twin?.type === 'text' && twin.text === part.text;
    return twin?.type === 'image' && twin.url === part.url;
  });
}
