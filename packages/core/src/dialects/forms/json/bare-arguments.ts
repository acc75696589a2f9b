import type { ToolDefinition } from '../../../chat/tool.ts';
import { ArgumentsReader } from '../../../json/arguments-reader.ts';
import { SchemaView } from '../../../json/schema.ts';
import type { CallWriter } from '../../parser/calls/call-writer.ts';
import type { CallOpener, CallsForm } from '../../parser/create-grammar.ts';
import type { CallReader, Open, Opening, Progress } from '../../parser/grammar.ts';
import { behindFenceOpener, ticks } from '../../parser/markers/fence.ts';
import { type Look, lookBehindSpace, type Scanner } from '../../parser/scanner.ts';
import { BehindArguments } from './after-arguments.ts';
import { commonKeys, nameAliases } from './call-keys.ts';
import { readKey } from './json-key.ts';

/** Where nothing but the arguments of one tool is expected. */
export interface BareArgumentsForm {
  readonly tool: ToolDefinition;
  /** What may stand in front of the object at the start of a reply, and behind it; it means nothing. */
  readonly strays: readonly string[];
}

/**
 * A reply that is the arguments of one tool is a call of it: a JSON object at the start of the reply whose first key is a
 * parameter of the tool. A code fence or a stray marker may stand around it; where a form
 * before this one looks for them anywhere, so does this one.
 */
export function bareArguments({ tool, strays }: BareArgumentsForm): CallsForm {
  const schema = SchemaView.of(tool.inputSchema);
  const closers = [...strays, ticks];
  const opening = (end: number): Opening => ({ end, read: (call) => new BareArguments(call, tool.name, closers) });
  const opens = (scanner: Scanner, object: number): Opening | 'no' | 'more' => {
    const look = looksLikeArguments(scanner, object, schema);
    return look === 'yes' ? opening(object) : look;
  };
  const behindStray: Open = (scanner, index, length) => {
    const next = scanner.behindSpace(index + length);
    const object = typeof next === 'number' ? behindFenceOpener(scanner, next) : next;
    return typeof object === 'string' ? object : opens(scanner, object);
  };
  const behindFence: Open = (scanner, index) => {
    const object = behindFenceOpener(scanner, index);
    return typeof object === 'string' ? object : opens(scanner, object);
  };
  const openers: readonly Omit<CallOpener, 'place'>[] = [
    { literal: '{', open: opens },
    // The longer literal hides the shorter one.
    ...[`${ticks}json`, ticks].map((literal) => ({ literal, open: behindFence })),
    ...strays.map((literal) => ({ literal, open: behindStray })),
  ];
  return () => ({
    openers: openers.map((opener): CallOpener => ({ ...opener, place: 'reply-start' })),
    closers: [],
  });
}

/** Where no parameter is declared, such a key is the name of a tool: perhaps of another one. */
const nameKeys: readonly string[] = [commonKeys.name, ...nameAliases];

/** Does an object open at `index` whose first key is a parameter; or an empty one, where no parameter is required? */
function looksLikeArguments(scanner: Scanner, index: number, schema: SchemaView): Look {
  if (scanner.text[index] !== '{') return 'no';
  const first = scanner.behindSpace(index + 1);
  if (typeof first === 'string') return first;
  if (scanner.text[first] === '}') return schema.required.length === 0 ? 'yes' : 'no';
  const key = readKey(scanner, first);
  if (typeof key === 'string') return key;
  const isParameter = schema.propertyNames.length > 0 ? schema.known(key.text) : !nameKeys.includes(key.text);
  if (!isParameter) return 'no';
  const colon = scanner.behindSpace(key.end);
  if (typeof colon === 'string') return colon;
  return scanner.text[colon] === ':' ? 'yes' : 'no';
}

class BareArguments implements CallReader {
  readonly #reader: ArgumentsReader;
  readonly #behind: BehindArguments;
  readonly #strays: readonly string[];

  constructor(call: CallWriter, tool: string, strays: readonly string[]) {
    this.#strays = strays;
    this.#behind = new BehindArguments({ closers: strays }, call);
    this.#reader = new ArgumentsReader({
      schema: call.named(tool),
      behind: this.#behind,
      emit: (json) => call.arguments(json),
      issue: (code, message) => call.issue(code, message),
    });
  }

  read(scanner: Scanner): Progress {
    if (this.#reader.state === 'open') this.#behind.read(scanner, this.#reader);
    if (this.#reader.state === 'open') return 'more';
    if (this.#reader.state === 'broken') return 'broken';
    for (;;) {
      const end = lookBehindSpace(scanner, this.#strays);
      if (typeof end === 'string') return end === 'more' ? 'more' : 'done';
      scanner.at = end;
    }
  }
}
