import { type AssistantMessage, type Message, type ToolCallPart, type ToolMessage, textOf } from '../chat/message.ts';
import { signatureOf } from '../json/call-signature.ts';

/** A reply of the model that called tools, and its place in the loop that it belongs to. */
export interface ToolRound {
  /** Counts the rounds since somebody last asked for something, from one. */
  readonly number: number;
  /** So many rounds in a row, this one included, made the same calls and got the same results. */
  readonly repeats: number;
  /** The index of the message that brought its last result; -1 if none came. */
  readonly lastResult: number;
}

/** The rounds of a history. */
export interface ToolRounds {
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
    return call.arguments === other || signatureOf(call.name, call.arguments) === signatureOf(call.name, other);
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
