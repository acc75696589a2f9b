import type { Departures } from '../departures.ts';
import { isPlainId } from '../plain-id.ts';
import { type Fields, isFields, isObjectText, isWellFormed } from '../read-json.ts';

interface SeenCall {
  readonly id: string;
  arguments: string;
}

/** The calls of a Chat Completions stream: their indices, ids and arguments, fragment by fragment. */
export class OpenaiChatCalls {
  readonly #out: Departures;
  readonly #used = new Set<string>();
  /** By their index. */
  readonly #calls = new Map<number, SeenCall>();

  constructor(out: Departures) {
    this.#out = out;
  }

  get count(): number {
    return this.#calls.size;
  }

  /** The value of `tool_calls` in a delta. */
  read(calls: unknown): void {
    if (!Array.isArray(calls)) {
      this.#out.violate('tool_calls is not a list');
      return;
    }
    if (calls.length !== 1) this.#out.form('tool_calls is not a list of one call');
    for (const call of calls) {
      if (isFields(call) && (call.function === undefined || isFields(call.function))) this.#fragment(call);
      else this.#out.violate('a fragment of tool_calls has no function');
    }
  }

  /** The reply is over and claims that its calls are whole. */
  end(): void {
    for (const { id, arguments: text } of this.#calls.values()) {
      if (text === '') this.#out.note(`call ${id} has no arguments, not even {}`);
      else if (!isObjectText(text)) this.#out.violate(`call ${id} is broken`);
    }
  }

  #fragment(call: Fields): void {
    const about = isFields(call.function) ? call.function : {};
    const keys = Object.keys(call).sort().join();
    const aboutKeys = Object.keys(about).sort().join();
    const opens = keys === 'function,id,index,type' && aboutKeys === 'arguments,name';
    const continues = keys === 'function,index' && aboutKeys === 'arguments';
    if (!opens && !continues) this.#out.form(`a fragment has the fields ${keys} and function.${aboutKeys}`);
    if (typeof call.index !== 'number') this.#out.violate('a fragment has no index');
    const index = typeof call.index === 'number' ? call.index : this.#guess(call, about);
    const open = this.#calls.get(index);
    if (open === undefined) this.#open(call, about, index);
    else this.#continue(call, about, { open, isLast: open === [...this.#calls.values()].at(-1) });
  }

  /** Which call a fragment without an index means: a new one when it names a tool. */
  #guess(call: Fields, about: Fields): number {
    const known = [...this.#calls].find(([, { id }]) => id === call.id)?.[0];
    const names = typeof about.name === 'string' && about.name !== '';
    return known ?? (names ? this.#calls.size : this.#calls.size - 1);
  }

  #open(call: Fields, about: Fields, index: number): void {
    const out = this.#out;
    if (index !== this.#calls.size) out.violate(`a call opens with index ${index}`);
    const { id } = call;
    if (typeof id !== 'string' || id === '') out.violate('the id of a call is empty or missing');
    else if (!isPlainId(id, 64)) out.note('the id of a call is long or odd');
    if (typeof id === 'string' && this.#used.has(id)) out.violate('the id of a call was used before');
    this.#used.add(String(id));
    if (call.type === undefined || call.type === null) out.note('a call has no type');
    else if (call.type !== 'function') out.violate('the type of a call is not function');
    if (typeof about.name !== 'string' || about.name === '') out.violate('a call has no name');
    const { arguments: text = '' } = about;
    if (text !== '') out.form('a call opens with arguments');
    this.#wellFormed(text);
    this.#calls.set(index, { id: String(id), arguments: String(text) });
  }

  #continue(call: Fields, about: Fields, { open, isLast }: { readonly open: SeenCall; readonly isLast: boolean }) {
    const out = this.#out;
    if (!isLast) out.note(`a fragment has index ${call.index}, which is not the open call`);
    for (const [field, value] of Object.entries({ id: call.id, type: call.type, 'function.name': about.name })) {
      if (value === null) out.note(`${field} is null in a later fragment`);
    }
    if (typeof call.id === 'string' && call.id !== '' && call.id !== open.id) out.violate('the id of a call changes');
    if (typeof about.name === 'string' && about.name !== '') out.note('the name of a call comes again');
    const { arguments: text } = about;
    if (text === undefined) return;
    this.#wellFormed(text);
    if (text === '') {
      out.form('a fragment is empty');
      return;
    }
    if (open.arguments.endsWith('}') && isObjectText(open.arguments)) out.note('a prefix of the arguments is whole');
    open.arguments += String(text);
  }

  #wellFormed(text: unknown): void {
    if (typeof text !== 'string') this.#out.violate('a text is not a string');
    else if (!isWellFormed(text)) this.#out.violate('a text holds half a character');
  }
}
