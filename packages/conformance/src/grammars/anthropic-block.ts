import type { Departures } from '../departures.ts';
import { isPlainId } from '../plain-id.ts';
import { type Fields, isFields, isObjectText, isWellFormed } from '../read-json.ts';

/** Which deltas a block of each kind takes, with the field that holds their text. */
const deltasOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  text: { text_delta: 'text' },
  thinking: { thinking_delta: 'thinking', signature_delta: 'signature' },
  tool_use: { input_json_delta: 'partial_json' },
  redacted_thinking: {},
};

interface Around {
  readonly kind: string;
  /** The ids of calls so far; grows. */
  readonly ids: Set<string>;
  readonly out: Departures;
}

/** A block of a Messages stream from its start to its stop. */
export class OpenBlock {
  readonly #kind: string;
  readonly #out: Departures;
  #isEmpty = true;
  #isSigned = false;
  #hasInput = false;
  #json = '';

  constructor(block: Fields, { kind, ids, out }: Around) {
    this.#kind = kind;
    this.#out = out;
    if (deltasOf[kind] === undefined) out.note('a block has no known type');
    if (kind === 'text' && typeof block.text !== 'string') out.violate('a text opens without its field');
    else if (kind === 'text' && block.text !== '') out.note('a text opens with text');
    if (kind === 'thinking' && block.thinking !== '') out.note('thinking opens with text');
    if (kind === 'redacted_thinking' && typeof block.data !== 'string') out.violate('data is missing');
    if (kind === 'tool_use') this.#openCall(block, ids);
  }

  delta(delta: unknown): void {
    const out = this.#out;
    const type = isFields(delta) ? String(delta.type) : '';
    const field = deltasOf[this.#kind]?.[type];
    const text = isFields(delta) && field !== undefined ? delta[field] : undefined;
    if (typeof text !== 'string') {
      // Kinds of deltas, as kinds of blocks, may be added at any time; known ones have their place.
      const isKnown = Object.values(deltasOf).some((each) => each[type] !== undefined);
      const isWrong = isKnown && deltasOf[this.#kind] !== undefined;
      out.report(isWrong ? 'violation' : 'note', `the delta is not one of ${this.#kind}`);
      return;
    }
    if (text === '') out.form('a delta is empty');
    else this.#isEmpty = false;
    if (!isWellFormed(text)) out.violate('a delta cuts a character');
    if (this.#isSigned) out.violate('a delta comes after the signature');
    this.#isSigned = field === 'signature';
    this.#json += text;
  }

  /** The block is over: was it a whole call? One that was taken back is no object, and does not count. */
  close(): 'call' | 'other' {
    if (deltasOf[this.#kind] === undefined) return 'other';
    if (this.#isEmpty && this.#kind !== 'redacted_thinking') this.#out.form('a block is empty');
    if (this.#kind !== 'tool_use') return 'other';
    if (this.#hasInput && this.#json !== '') this.#out.violate('a call has its input twice');
    // Without deltas the input is what it opened with.
    return this.#json === '' || isObjectText(this.#json) ? 'call' : 'other';
  }

  #openCall(block: Fields, ids: Set<string>): void {
    const out = this.#out;
    const { id, input } = block;
    if (typeof id !== 'string' || id === '') out.violate('the id of a call is empty or missing');
    else {
      if (!isPlainId(id, 200)) out.note('the id of a call is long or odd');
      if (ids.has(id)) out.violate('the id of a call was used before');
      ids.add(id);
    }
    if (typeof block.name !== 'string' || block.name === '') out.violate('a call has no name');
    if (!isFields(input)) out.violate('a call opens without an object as its input');
    else if (Object.keys(input).length > 0) {
      this.#hasInput = true;
      out.note('a call opens with input');
    }
  }
}
