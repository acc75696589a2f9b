import type { ChatEvent, StageFactory } from '@dragoman/core';

/**
 * The grammar of chat events as a stage that passes everything on and tells `onViolation` in words what breaks it.
 * Tests insert it between stages.
 *
 * - `message-start` comes first and once; only an `error` may come without it, when nothing was read at all.
 * - Exactly one terminal event, and nothing after it.
 * - Blocks are numbered from zero, one open at a time; every event of a block names the open one of its own kind.
 * - A call has a name and an id that no other call of the reply has. Its slices add up to the `arguments` of its end,
 *   which are JSON text of an object, and no shorter prefix is whole (collectors would stop reading there).
 * - Usage and warnings are anywhere between start and terminal event.
 * - The finish reason `tool-calls` needs a call that is whole.
 */
export function checkEvents(onViolation: (violation: string) => void): StageFactory<ChatEvent, ChatEvent> {
  return (sink) => {
    const grammar = new Grammar(onViolation);
    return {
      push: (event) => {
        grammar.check(event);
        sink(event);
      },
      end: () => grammar.end(),
    };
  };
}

/** Everything in which a finished list of events breaks the grammar. Empty when it keeps it. */
export function violationsOf(events: Iterable<ChatEvent>): string[] {
  const violations: string[] = [];
  const grammar = new Grammar((violation) => violations.push(violation));
  for (const event of events) grammar.check(event);
  grammar.end();
  return violations;
}

type BlockKind = 'text' | 'reasoning' | 'call';

class Grammar {
  readonly #report: (violation: string) => void;
  #started = false;
  #terminal = false;
  #open: BlockKind | undefined;
  #block = -1;
  #position = -1;
  #slices: string[] = [];
  #object = new ObjectProgress();
  #wholeCalls = 0;
  readonly #callIds = new Set<string>();

  constructor(report: (violation: string) => void) {
    this.#report = report;
  }

  check(event: ChatEvent): void {
    this.#position += 1;
    if (this.#terminal) this.#violate(event, 'comes after the terminal event');
    if (!this.#started && event.type !== 'message-start' && event.type !== 'error') {
      this.#violate(event, 'comes before message-start');
    }
    switch (event.type) {
      case 'message-start':
        if (this.#started) this.#violate(event, 'comes a second time');
        this.#started = true;
        break;
      case 'text-start':
        this.#openBlock(event, 'text');
        break;
      case 'reasoning-start':
        this.#openBlock(event, 'reasoning');
        break;
      case 'tool-call-start':
        this.#openBlock(event, 'call');
        this.#startCall(event);
        break;
      case 'text-delta':
        this.#insideBlock(event, 'text');
        break;
      case 'reasoning-delta':
        this.#insideBlock(event, 'reasoning');
        break;
      case 'tool-call-delta':
        this.#insideBlock(event, 'call');
        if (this.#object.whole && event.text !== '') this.#violate(event, 'goes on after the arguments were whole');
        this.#object.push(event.text);
        this.#slices.push(event.text);
        break;
      case 'text-end':
        this.#closeBlock(event, 'text');
        break;
      case 'reasoning-end':
        this.#closeBlock(event, 'reasoning');
        break;
      case 'tool-call-cut':
        this.#closeBlock(event, 'call');
        break;
      case 'tool-call-end':
        this.#closeBlock(event, 'call');
        this.#endCall(event);
        break;
      case 'conversation':
      case 'usage':
      case 'warning':
        break;
      case 'message-end':
        if (event.finishReason === 'tool-calls' && this.#wholeCalls === 0) {
          this.#violate(event, 'says tool-calls without a whole call');
        }
        this.#terminate(event);
        break;
      case 'error':
        this.#terminate(event);
        break;
      default:
        event satisfies never;
    }
  }

  end(): void {
    if (!this.#terminal) this.#report(`after event ${this.#position}: the stream ended without a terminal event`);
  }

  #startCall(event: ChatEvent & { type: 'tool-call-start' }): void {
    this.#slices = [];
    this.#object = new ObjectProgress();
    if (event.name === '') this.#violate(event, 'has no name');
    if (event.callId === '') this.#violate(event, 'has no id');
    if (this.#callIds.has(event.callId)) this.#violate(event, `repeats the id ${event.callId}`);
    this.#callIds.add(event.callId);
  }

  #endCall(event: ChatEvent & { type: 'tool-call-end' }): void {
    this.#wholeCalls += 1;
    if (this.#slices.join('') !== event.arguments) this.#violate(event, 'has other arguments than its slices');
    if (!isObjectText(event.arguments)) this.#violate(event, 'has arguments that are not a JSON object');
    this.#slices = [];
  }

  #openBlock(event: ChatEvent & { block: number }, kind: BlockKind): void {
    if (this.#open !== undefined) this.#violate(event, `opens while block ${this.#block} is open`);
    if (event.block !== this.#block + 1) this.#violate(event, `has number ${event.block} after ${this.#block}`);
    this.#block = event.block;
    this.#open = kind;
  }

  #insideBlock(event: ChatEvent & { block: number }, kind: BlockKind): void {
    if (this.#open !== kind) this.#violate(event, `comes while ${this.#open ?? 'no block'} is open`);
    if (event.block !== this.#block) this.#violate(event, `names block ${event.block} instead of ${this.#block}`);
  }

  #closeBlock(event: ChatEvent & { block: number }, kind: BlockKind): void {
    this.#insideBlock(event, kind);
    this.#open = undefined;
  }

  #terminate(event: ChatEvent): void {
    if (this.#open !== undefined) this.#violate(event, `comes while block ${this.#block} is open`);
    this.#terminal = true;
  }

  #violate(event: ChatEvent, what: string): void {
    this.#report(`event ${this.#position} (${event.type}) ${what}`);
  }
}

/** Follows brackets and strings of JSON text to know when its outermost object has closed. */
class ObjectProgress {
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** True once the outermost bracket has closed. */
  whole = false;

  push(text: string): void {
    for (let at = 0; at < text.length; at += 1) {
      const letter = text[at];
      if (this.#escaped) this.#escaped = false;
      else if (this.#inString) {
        if (letter === '\\') this.#escaped = true;
        else if (letter === '"') this.#inString = false;
      } else if (letter === '"') this.#inString = true;
      else if (letter === '{' || letter === '[') this.#depth += 1;
      else if (letter === '}' || letter === ']') {
        this.#depth -= 1;
        if (this.#depth === 0) this.whole = true;
      }
    }
  }
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
