import type { Message, ToolCallPart, ToolMessage } from '../../chat/message.ts';

/**
 * Gives every call an id, and every result the id of its call. Clients of this API may know only names and order.
 *
 * - An id that stands on a call stays, and a result that names it keeps it.
 * - A result with an id that no call has belongs to the first open call of its name that has none. The call takes that
 *   id: it is the one that the client was once given.
 * - A result without an id belongs to the first open call of its name; one without a name to the first open call.
 * - A call that is left without an id gets one that follows from its place, so it is the same in every request.
 *
 * Results belong to the latest calls before them. One that fits nowhere stays as it came. The input is never changed;
 * the work is linear in it.
 */
export function fillCallIds(messages: readonly Message[]): readonly Message[] {
  const known = idsOf(messages);
  const rounds = new Map<number, Round>();
  const resultIds = new Map<number, string>();
  let round = new Round([], { at: 0, known });
  messages.forEach((message, at) => {
    if (message.role === 'tool') resultIds.set(at, round.answer(message));
    if (message.role !== 'assistant') return;
    const calls = message.content.filter((part) => part.type === 'tool-call');
    if (calls.length === 0) return;
    round = new Round(calls, { at, known });
    rounds.set(at, round);
  });
  return messages.map((message, at): Message => {
    if (message.role === 'tool') return { ...message, callId: resultIds.get(at) ?? message.callId };
    const ids = rounds.get(at)?.ids();
    if (message.role !== 'assistant' || ids === undefined) return message;
    let place = -1;
    const content = message.content.map((part) => {
      if (part.type !== 'tool-call') return part;
      place += 1;
      return { ...part, callId: ids[place] ?? part.callId };
    });
    return { ...message, content };
  });
}

function idsOf(messages: readonly Message[]): Set<string> {
  const ids = new Set<string>();
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const part of message.content) if (part.type === 'tool-call' && part.callId !== '') ids.add(part.callId);
  }
  return ids;
}

interface OpenCall {
  readonly name: string;
  /** What it is called if nobody names it. */
  readonly placeId: string;
  id: string;
  answered: boolean;
}

/** The calls of one assistant message, and which of them still wait for a result. */
class Round {
  readonly #known: Set<string>;
  readonly #calls: readonly OpenCall[];
  readonly #byId = new Map<string, OpenCall>();
  readonly #open: Waiting;
  readonly #nameless: Waiting;

  constructor(calls: readonly ToolCallPart[], place: { readonly at: number; readonly known: Set<string> }) {
    this.#known = place.known;
    this.#calls = calls.map(({ name, callId }, index) => {
      const placeId = freeId(`call_${place.at}_${index}`, place.known);
      return { name, placeId, id: callId, answered: false };
    });
    for (const call of this.#calls) if (call.id !== '') this.#byId.set(call.id, call);
    this.#open = new Waiting(this.#calls, (call) => !call.answered);
    this.#nameless = new Waiting(this.#calls, (call) => !call.answered && call.id === '');
  }

  /** The id that a result belongs to, which its call has from now on. */
  answer({ callId, name }: ToolMessage): string {
    if (callId !== '' && this.#known.has(callId)) {
      const call = this.#byId.get(callId);
      if (call !== undefined) call.answered = true;
      return callId;
    }
    const call = (callId === '' ? this.#open : this.#nameless).first(name);
    if (call === undefined) return callId;
    call.answered = true;
    if (call.id === '') call.id = callId === '' ? call.placeId : callId;
    this.#known.add(call.id);
    return call.id;
  }

  ids(): readonly string[] {
    return this.#calls.map((call) => (call.id === '' ? call.placeId : call.id));
  }
}

/** Finds the first call that still waits. A call that has stopped to wait never begins again, so no search starts over. */
class Waiting {
  readonly #waits: (call: OpenCall) => boolean;
  readonly #all: { readonly calls: OpenCall[]; from: number };
  readonly #byName = new Map<string, { readonly calls: OpenCall[]; from: number }>();

  constructor(calls: readonly OpenCall[], waits: (call: OpenCall) => boolean) {
    this.#waits = waits;
    this.#all = { calls: [...calls], from: 0 };
    for (const call of calls) {
      const queue = this.#byName.get(call.name);
      if (queue === undefined) this.#byName.set(call.name, { calls: [call], from: 0 });
      else queue.calls.push(call);
    }
  }

  /** `name` undefined: whatever it is called. */
  first(name: string | undefined): OpenCall | undefined {
    const queue = name === undefined ? this.#all : this.#byName.get(name);
    if (queue === undefined) return undefined;
    for (; queue.from < queue.calls.length; queue.from += 1) {
      const call = queue.calls[queue.from];
      if (call !== undefined && this.#waits(call)) return call;
    }
    return undefined;
  }
}

function freeId(wanted: string, known: ReadonlySet<string>): string {
  let id = wanted;
  while (known.has(id)) id += '_';
  return id;
}
