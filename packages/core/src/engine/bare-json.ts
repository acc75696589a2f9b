import type { ChatEvent } from '../chat/event.ts';
import type { Sink, Stage, StageFactory } from '../stage.ts';

/** What may stand behind the opening fence of a block of JSON. */
const fenceWords: readonly string[] = ['', 'json', 'jsonc', 'json5', 'javascript'];

const fence = '```';

/** No opening is longer, in UTF-16 units, with the white space before it. */
const longestOpening = 200;

/** Text beyond this many UTF-16 units of a reply is not judged. */
const longestJudged = 4_000_000;

/**
 * For a client that asked for JSON: takes off a code fence that stands around a whole text, and tells when an answer is
 * no JSON after all. A refusal is none and passes. Nothing else is changed. Only what could still be a fence is held back.
 */
export function createBareJson(): StageFactory<ChatEvent, ChatEvent> {
  return (sink) => new BareJson(sink);
}

type TextDelta = Extract<ChatEvent, { readonly type: 'text-delta' }>;

class BareJson implements Stage<ChatEvent> {
  readonly #sink: Sink<ChatEvent>;
  #fence = new FencedText();
  readonly #text: string[] = [];
  #length = 0;
  /** By something that need not be JSON: a call, or a refusal. */
  #answered = false;
  #refuses = false;

  constructor(sink: Sink<ChatEvent>) {
    this.#sink = sink;
  }

  push(event: ChatEvent): void {
    switch (event.type) {
      case 'text-start':
        this.#fence = new FencedText();
        this.#refuses = event.refusal === true;
        this.#answered ||= this.#refuses;
        break;
      case 'text-delta':
        if (this.#refuses) break;
        this.#show({ ...event, text: this.#fence.push(event.text) });
        return;
      case 'text-end':
        if (this.#refuses) break;
        this.#show({ type: 'text-delta', block: event.block, text: this.#fence.end() });
        if (this.#fence.opened) this.#warn('text-dropped', 'The code fence around the JSON was left out.');
        break;
      case 'tool-call-end':
        this.#answered = true;
        break;
      case 'message-end':
        if (event.finishReason === 'stop' && !this.#answered) this.#judge();
        break;
      default:
        break;
    }
    this.#sink(event);
  }

  end(): void {}

  #show(delta: TextDelta): void {
    const { text } = delta;
    if (text === '' && delta.extra === undefined) return;
    this.#length += text.length;
    if (this.#length <= longestJudged) this.#text.push(text);
    this.#sink(delta);
  }

  #judge(): void {
    if (this.#length > longestJudged) return;
    try {
      JSON.parse(this.#text.join(''));
    } catch {
      this.#warn('format-missed', 'The answer is not the JSON that was asked for; it was delivered as it is.');
    }
  }

  #warn(code: 'text-dropped' | 'format-missed', message: string): void {
    this.#sink({ type: 'warning', issue: { code, message } });
  }
}

/**
 * One text that may stand in a fence.
 *
 * - `opening`: nothing has come but white space and what could be an opening line; all of it is held back.
 * - `fenced`: the opening line was taken off. White space, a fence and white space may be the end and are held back.
 * - `plain`: whatever comes leaves.
 */
class FencedText {
  #state: 'opening' | 'fenced' | 'plain' = 'opening';
  #held = '';
  /** The last fence marks that are held back: none, some of three, or all of them. */
  #ticks = 0;

  get opened(): boolean {
    return this.#state === 'fenced';
  }

  push(text: string): string {
    switch (this.#state) {
      case 'opening':
        return this.#open(this.#held + text);
      case 'fenced':
        return this.#holdClosing(text);
      case 'plain':
        return text;
      default:
        return this.#state satisfies never;
    }
  }

  /** The text is over. A closing fence is left out, anything else that was held back leaves. */
  end(): string {
    const held = this.#state === 'fenced' && this.#ticks === fence.length ? '' : this.#held;
    this.#held = '';
    return held;
  }

  #open(text: string): string {
    this.#held = '';
    const begun = text.trimStart();
    const lineEnd = begun.indexOf('\n');
    const line = lineEnd < 0 ? begun : begun.slice(0, lineEnd);
    const couldOpen = line.length < fence.length ? fence.startsWith(line) : line.startsWith(fence);
    if (couldOpen && lineEnd < 0 && text.length <= longestOpening) {
      this.#held = text;
      return '';
    }
    const word = line.slice(fence.length).trim().toLowerCase();
    if (!line.startsWith(fence) || lineEnd < 0 || !fenceWords.includes(word)) {
      this.#state = 'plain';
      return text;
    }
    this.#state = 'fenced';
    return this.#holdClosing(begun.slice(lineEnd + 1));
  }

  /** Looks at each character once: a run of white space, marks and white space waits for what follows it. */
  #holdClosing(text: string): string {
    let out = '';
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      const letter = text[at] ?? '';
      const isMark = letter === '`';
      const isWhole = this.#ticks === 0 || this.#ticks === fence.length;
      if (isMark ? this.#ticks < fence.length : isSpace(letter) && isWhole) {
        if (isMark) this.#ticks += 1;
        continue;
      }
      out += this.#held + text.slice(from, at);
      this.#held = '';
      from = at;
      this.#ticks = isMark ? 1 : 0;
      if (isMark || isSpace(letter)) continue;
      out += letter;
      from = at + 1;
    }
    this.#held += text.slice(from);
    return out;
  }
}

function isSpace(letter: string): boolean {
  return letter === ' ' || letter === '\n' || letter === '\r' || letter === '\t';
}
