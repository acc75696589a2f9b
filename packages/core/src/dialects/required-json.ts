import type { ToolChoice, ToolDefinition } from '../chat/tool.ts';
import { SchemaView } from '../json/schema.ts';
import type { StageFactory } from '../stream/stage.ts';
import type { ParseContext, Span } from './dialect.ts';
import { bareCalls, readBetween } from './forms/json/any-json.ts';
import { ArgumentsField } from './forms/json/call-arguments.ts';
import { commonKeys, looksLikeCall, nameAliases, readKey } from './forms/json/call-keys.ts';
import type { Guard } from './forms/json/call-object.ts';
import { jsonCalls } from './forms/json/json-call.ts';
import type { CallWriter } from './parser/calls/call-writer.ts';
import { createGrammar } from './parser/create-grammar.ts';
import { afterFenceOpener, backticks, fence } from './parser/documentation/fenced-code.ts';
import type { CallOpener, CallReader, CallsForm, Open, Opening, OpenValue, Progress } from './parser/grammar.ts';
import { createSpanParser } from './parser/reply-parser.ts';
import { type Look, lookBehindSpace, type Scanner } from './parser/scanner.ts';

/** The name of plain JSON in reports. */
const formName = 'plain JSON';

/** A request that needs a call. */
interface RequiredCall {
  /** `required`, or a tool. */
  readonly choice: ToolChoice;
  /** The markers of the model's own dialect, which it may write around the JSON from habit. */
  readonly strays: readonly string[];
  /** Calls have to say their name: it is what shows that the model means them. Default: the arguments alone may do. */
  readonly onlyNamed?: boolean;
}

/** Markers that every dialect knows, and that no call stands after. */
const reasoningTags: readonly string[] = ['<think>', '</think>', '<thinking>', '</thinking>'];

/**
 * Reads calls that are plain JSON, for a reply that needs one: servers that constrain a model to JSON take away the form
 * that it was taught, and some models fall back to JSON by themselves. An object with the name of a tool and arguments
 * counts at the start of a line, and in a fence; where only one tool can be meant, the reply may also be its arguments.
 */
export function createRequiredJsonParser(context: ParseContext, required: RequiredCall): StageFactory<string, Span> {
  const around = required.strays.filter((literal) => !reasoningTags.includes(literal));
  const shape = { keys: commonKeys, names: context.tools.map(({ name }) => name) };
  const guard: Guard = (scanner, index) => looksLikeCall(scanner, index, shape);
  const only = required.onlyNamed === true ? undefined : onlyTool(context.tools, required.choice);
  const named = jsonCalls({
    openers: [...around, `${backticks}json`, backticks].map((literal) => ({ literal })),
    closers: [...around, backticks],
    closerOptional: true,
    readBetween: readBetween({ fenced: true }),
    fence,
    guard,
    bare: bareCalls(guard),
  });
  const calls = only === undefined ? [named] : [named, bareArguments({ tool: only, strays: around })];
  const frame = createSpanParser(createGrammar({ calls }), context);
  return (sink) => frame((span) => sink(span.kind === 'call' ? { ...span, of: formName } : span));
}

/** The tool that a call can only be of. */
function onlyTool(tools: readonly ToolDefinition[], choice: ToolChoice): ToolDefinition | undefined {
  if (typeof choice === 'object') return tools.find(({ name }) => name === choice.name);
  return tools.length === 1 ? tools[0] : undefined;
}

/** Where nothing but the arguments of one tool is expected. */
interface BareArgumentsForm {
  readonly tool: ToolDefinition;
  /** What may come before the object at the start of a reply, and after it; it means nothing. */
  readonly strays: readonly string[];
}

/**
 * A reply that is the arguments of one tool is a call of it: a JSON object at the start of the reply whose first key is a
 * parameter of the tool. A code fence or a stray marker may be around it; where a form
 * before this one looks for them anywhere, so does this one.
 */
function bareArguments({ tool, strays }: BareArgumentsForm): CallsForm {
  const schema = SchemaView.of(tool.inputSchema);
  const closers = [...strays, backticks];
  const opening = (end: number): Opening => ({ end, read: (call) => new BareArguments(call, tool.name, closers) });
  const opens = (scanner: Scanner, object: number): Opening | 'no' | 'more' => {
    const look = looksLikeArguments(scanner, object, schema);
    return look === 'yes' ? opening(object) : look;
  };
  const afterStray: Open = (scanner, index, length) => {
    const next = scanner.afterSpace(index + length);
    const object = typeof next === 'number' ? afterFenceOpener(scanner, next) : next;
    return typeof object === 'string' ? object : opens(scanner, object);
  };
  const afterFence: Open = (scanner, index) => {
    const object = afterFenceOpener(scanner, index);
    return typeof object === 'string' ? object : opens(scanner, object);
  };
  const openers: readonly Omit<CallOpener, 'place'>[] = [
    { literal: '{', open: opens },
    // The longer literal hides the shorter one.
    ...[`${backticks}json`, backticks].map((literal) => ({ literal, open: afterFence })),
    ...strays.map((literal) => ({ literal, open: afterStray })),
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
  const first = scanner.afterSpace(index + 1);
  if (typeof first === 'string') return first;
  if (scanner.text[first] === '}') return schema.required.length === 0 ? 'yes' : 'no';
  const key = readKey(scanner, first);
  if (typeof key === 'string') return key;
  const isParameter = schema.propertyNames.length > 0 ? schema.known(key.text) : !nameKeys.includes(key.text);
  if (!isParameter) return 'no';
  const colon = scanner.afterSpace(key.end);
  if (typeof colon === 'string') return colon;
  return scanner.text[colon] === ':' ? 'yes' : 'no';
}

class BareArguments implements CallReader {
  readonly #arguments: ArgumentsField;
  readonly #strays: readonly string[];

  constructor(call: CallWriter, tool: string, strays: readonly string[]) {
    this.#strays = strays;
    this.#arguments = new ArgumentsField(call, { schema: call.named(tool), after: { closers: strays } });
  }

  get inside(): OpenValue | undefined {
    return this.#arguments.inside;
  }

  read(scanner: Scanner): Progress {
    const { state } = this.#arguments;
    const now = state === 'open' ? this.#arguments.read(scanner) : state;
    if (now !== 'done') return now === 'open' ? 'more' : 'broken';
    for (;;) {
      const end = lookBehindSpace(scanner, this.#strays);
      if (typeof end === 'string') return end === 'more' ? 'more' : 'done';
      scanner.at = end;
    }
  }
}
