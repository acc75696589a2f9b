import type { ToolDefinition } from '../../chat/tool.ts';
import type { CallWriter } from './call-writer.ts';
import type { Kernel } from './create-grammar.ts';
import type { CallReader, Open, Opening, Progress } from './grammar.ts';
import {
  findUnknownParameter,
  type NamedTagParameter,
  type NamedTagTool,
  NamedTagTools,
  type TagOptions,
} from './named-tag-tools.ts';
import { ObjectWriter } from './object-writer.ts';
import type { Resume } from './pair-markers.ts';
import { type Closer, closes } from './positional-closer.ts';
import { isSpace, longestGap, lookFor, type Scanner } from './scanner.ts';
import type { TextValue } from './text-value.ts';

/** Text in front of the first parameter that is tolerated: without white space, at most this long. */
const longestStray = 80;
/** A forgotten closer is looked for behind a first value that is one word, at most this long. */
const longestForgotten = 128;

/** Kernel X3: the tags are the names of the declared tools and of their parameters. */
export function namedTagCalls(declared: readonly ToolDefinition[], options: TagOptions): Kernel {
  const tools = new NamedTagTools(declared, options);
  return () => ({
    openers: tools.all.flatMap((tool) => [
      { literal: `<${tool.tag}>`, open: openNamedTag(tools, tool) },
      { literal: `<${tool.tag}/>`, open: openEmptyTag(tool) },
      { literal: `<${tool.tag} />`, open: openEmptyTag(tool) },
    ]),
    closers: tools.all.map(({ closer }) => closer),
  });
}

/** Decides whether `<tool>` opens a call: one of the tool's parameters or its closer stands behind it. */
function openNamedTag(tools: NamedTagTools, tool: NamedTagTool): Open {
  return (scanner, index, length) => {
    const end = index + length;
    const written = scanner.text.slice(index + 1, end - 1);
    const opening: Opening = { end, read: (call) => new NamedTagCall({ tools, tool, call, written }) };
    const body = tools.lookBody(tool, scanner, end);
    if (body !== 'no') return body === 'yes' ? opening : 'more';
    return openBehindStray(tool, scanner, opening);
  };
}

/** Some models write a word between the tool's tag and its first parameter; prose about the tool has no parameter near. */
function openBehindStray(tool: NamedTagTool, scanner: Scanner, opening: Opening): Opening | 'no' | 'more' {
  const { text } = scanner;
  for (let index = opening.end; index < opening.end + longestStray; index += 1) {
    if (scanner.wantsMore(index)) return 'more';
    const code = text.charCodeAt(index);
    if (index >= text.length || isSpace(code)) return 'no';
    if (code !== 60) continue;
    const parameter = tool.parameters.find(text, index, scanner.ended);
    if (typeof parameter === 'string') return parameter;
    const closing = closesNear(scanner, index + parameter.length, parameter.value.closer);
    return closing === 'yes' ? opening : closing;
  }
  return 'no';
}

/** The value's closer must be near too: then it is no prose. */
function closesNear(scanner: Scanner, from: number, closer: Closer): 'yes' | 'no' | 'more' {
  const { text } = scanner;
  for (let index = from; index < from + longestGap; index += 1) {
    if (scanner.wantsMore(index)) return 'more';
    if (index >= text.length) return 'no';
    if (text.charCodeAt(index) !== 60) continue;
    const end = closes(scanner, index, closer);
    if (end !== 'no') return end === 'more' ? 'more' : 'yes';
  }
  return 'no';
}

/** `<tool/>`: a call without parameters. */
function openEmptyTag(tool: NamedTagTool): Open {
  return (_scanner, index, length) => ({
    end: index + length,
    read: (call) => {
      const object = new ObjectWriter(call, call.named(tool.name));
      return {
        read: () => {
          object.finish();
          return 'done';
        },
      };
    },
  });
}

interface CallOptions {
  readonly tools: NamedTagTools;
  readonly tool: NamedTagTool;
  readonly call: CallWriter;
  /** The tag as the model wrote it. */
  readonly written: string;
}

class NamedTagCall implements CallReader {
  readonly #tools: NamedTagTools;
  readonly #tool: NamedTagTool;
  readonly #object: ObjectWriter;
  readonly #closers: readonly string[];
  #value: TextValue | undefined;
  #values = 0;
  #cut = false;

  constructor({ tools, tool, call, written }: CallOptions) {
    this.#tools = tools;
    this.#tool = tool;
    this.#object = new ObjectWriter(call, call.named(written === tool.tag ? tool.name : written));
    this.#closers = written === tool.tag ? [tool.closer] : [tool.closer, `</${written}>`];
  }

  read(scanner: Scanner): Progress {
    this.#cut = scanner.cut;
    while (true) {
      if (this.#value !== undefined) {
        if (this.#value.read(scanner) === 'more') return 'more';
        this.#value = undefined;
      }
      const progress = this.#readStructure(scanner);
      if (progress !== 'on') return progress;
    }
  }

  /**
   * The closers of a first value and of its tool were forgotten: a whole call behind it still counts, if the value is a
   * single word. Anything longer may be a document about calls, and nothing in it may run.
   */
  readonly resume = (raw: string): Resume => {
    if (this.#cut || this.#value === undefined || this.#values > 1) return { open: 1 };
    let index = raw.indexOf('>', raw.indexOf('>') + 1) + 1;
    const start = index;
    const end = index + longestForgotten;
    while (index < raw.length && index < end && !isSpace(raw.charCodeAt(index)) && raw[index] !== '<') index += 1;
    // No word at all: the value begins with the call, as a document does that shows one.
    if (index === start) return { open: 1 };
    while (index < raw.length && index < end && isSpace(raw.charCodeAt(index))) index += 1;
    return typeof this.#tools.openers.find(raw, index, true) === 'object' ? { at: index } : { open: 1 };
  };

  #readStructure(scanner: Scanner): Progress | 'on' {
    scanner.at = scanner.skipSpace(scanner.at);
    if (scanner.at === scanner.text.length) {
      const whole = scanner.ended && !scanner.cut && this.#object.complete;
      return whole ? this.#finishUnclosed() : 'more';
    }
    const closing = lookFor(scanner, scanner.at, this.#closers);
    if (closing === 'more') return 'more';
    if (closing !== 'no') {
      scanner.at = closing;
      this.#object.finish();
      return 'done';
    }
    const found = this.#tool.parameters.find(scanner.text, scanner.at, scanner.ended);
    if (found === 'more') return 'more';
    if (found !== 'no') return this.#openParameter(scanner, found.value, found.length);
    return this.#readOther(scanner);
  }

  #openParameter(scanner: Scanner, parameter: NamedTagParameter, length: number): 'on' {
    scanner.at += length;
    this.#values += 1;
    const value = this.#object.parameter(parameter.name, { closer: parameter.closer, padded: true });
    if (parameter.empty) value.finishWhole('');
    else this.#value = value;
    return 'on';
  }

  /** Neither a declared parameter nor the closer: another tool, an undeclared parameter, or stray text. */
  #readOther(scanner: Scanner): Progress | 'on' {
    const next = this.#tools.openers.find(scanner.text, scanner.at, scanner.ended);
    if (next === 'more') return 'more';
    if (next !== 'no') return this.#finishUnclosed();
    const unknown = findUnknownParameter(this.#tool, scanner, scanner.at);
    if (unknown === 'more') return 'more';
    return unknown === 'no' ? this.#passStray(scanner) : this.#openParameter(scanner, unknown.value, unknown.length);
  }

  /** Text inside the call but outside its parameters is told and not delivered. */
  #passStray(scanner: Scanner): 'on' {
    this.#object.stray();
    const { text } = scanner;
    scanner.at += 1;
    while (scanner.at < text.length && text[scanner.at] !== '<') scanner.at += 1;
    return 'on';
  }

  #finishUnclosed(): Progress {
    this.#object.finishUnclosed();
    return 'done';
  }
}
