import type { ToolDefinition } from '../../../chat/tool.ts';
import type { CallWriter } from '../../parser/calls/call-writer.ts';
import type { CallOpener, CallsForm } from '../../parser/create-grammar.ts';
import type { CallReader, Opening, Progress } from '../../parser/grammar.ts';
import type { Resume } from '../../parser/markers/pair-markers.ts';
import { type Closer, closes } from '../../parser/markers/positional-closer.ts';
import { isSpace, type Look, longestGap, lookFor, type Scanner } from '../../parser/scanner.ts';
import { lookValue } from '../tags/next-parameter.ts';
import { ObjectWriter } from '../tags/object-writer.ts';
import type { ValueReader } from '../tags/text-value.ts';
import type { ValuePlace } from '../tags/value-end.ts';
import {
  type CallTag,
  findParameter,
  findUnknownParameter,
  type NamedTagParameter,
  type NamedTagTool,
  NamedTagTools,
  type TagOptions,
} from './named-tag-tools.ts';

/** Text in front of the first parameter that is tolerated: without white space, at most this long. */
const longestStray = 80;
/** A forgotten closer is looked for behind a first value that is one word, at most this long. */
const longestForgotten = 128;

/** Tags that are the names of the declared tools and of their parameters. */
export function namedTagCalls(declared: readonly ToolDefinition[], options: TagOptions): CallsForm {
  const tools = new NamedTagTools(declared, options);
  const form = { tools, padded: options.padded ?? true };
  const openers = options.callTag === undefined ? tagOpeners(form) : [callTagOpener(form, options.callTag)];
  return () => ({ openers, closers: [...new Set(tools.all.map(({ closer }) => closer))] });
}

/** The tools, and how values are written. */
interface NamedTagForm {
  readonly tools: NamedTagTools;
  readonly padded: boolean;
}

/** `<tool>` and `<tool/>`. In another letter case it is another name, which the policy may bring together. */
function tagOpeners(form: NamedTagForm): readonly CallOpener[] {
  return form.tools.all.flatMap((tool) => [
    {
      literal: tool.opener,
      open: (scanner, index, length) => {
        const written = scanner.text.slice(index, index + length);
        const exact = written === tool.opener;
        const name = exact ? tool.name : written.slice(1, -1);
        const closers = exact ? [tool.closer] : [tool.closer, `</${name}>`];
        return openNamedTag({ ...form, tool, name, closers }, scanner, index + length);
      },
    },
    ...['/>', ' />'].map((end): CallOpener => {
      return {
        literal: tool.opener.slice(0, -1) + end,
        open: (_scanner, index, length) => openEmpty(tool, index + length),
      };
    }),
  ]);
}

/** `<call name="tool">`. */
function callTagOpener(form: NamedTagForm, { opener, header: read }: CallTag): CallOpener {
  return {
    literal: opener,
    open: (scanner, index, length) => {
      const header = read(scanner, index + length, 'tool');
      if (typeof header === 'string') return header;
      const { name, end } = header;
      const tool = form.tools.all.find((each) => each.name === name);
      if (tool === undefined) return 'no';
      if (header.selfClosing) return openEmpty(tool, end);
      return openNamedTag({ ...form, tool, name, closers: [tool.closer] }, scanner, end);
    },
  };
}

/** A call as its opener says. */
interface NamedTagOpening extends NamedTagForm {
  readonly tool: NamedTagTool;
  /** The tool's name as the model wrote it. */
  readonly name: string;
  readonly closers: readonly string[];
}

/** Decides whether what ends at `end` opens a call: one of the tool's parameters or its closer stands behind it. */
function openNamedTag(found: NamedTagOpening, scanner: Scanner, end: number): Opening | 'no' | 'more' {
  const { tools, tool } = found;
  const opening: Opening = { end, read: (call) => new NamedTagCall(found, call) };
  const body = tools.lookBody(tool, scanner, end);
  if (body !== 'no') return body === 'yes' ? opening : 'more';
  return openBehindStray(tool, scanner, opening);
}

/** Some models write a word between the tool's tag and its first parameter; prose about the tool has no parameter near. */
function openBehindStray(tool: NamedTagTool, scanner: Scanner, opening: Opening): Opening | 'no' | 'more' {
  const { text } = scanner;
  for (let index = opening.end; index < opening.end + longestStray; index += 1) {
    if (scanner.wantsMore(index)) return 'more';
    const code = text.charCodeAt(index);
    if (index >= text.length || isSpace(code)) return 'no';
    if (code !== 60) continue;
    const parameter = findParameter(tool, scanner, index);
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

/** A call without parameters, which ends with its opener. */
function openEmpty(tool: NamedTagTool, end: number): Opening {
  return {
    end,
    read: (call) => {
      const object = new ObjectWriter(call, call.named(tool.name));
      return {
        read: () => {
          object.finish();
          return 'done';
        },
      };
    },
  };
}

class NamedTagCall implements CallReader {
  readonly #tools: NamedTagTools;
  readonly #tool: NamedTagTool;
  readonly #object: ObjectWriter;
  readonly #closers: readonly string[];
  readonly #padded: boolean;
  #value: ValueReader | undefined;
  #values = 0;
  #cut = false;

  constructor({ tools, tool, padded, name, closers }: NamedTagOpening, call: CallWriter) {
    this.#tools = tools;
    this.#tool = tool;
    this.#padded = padded;
    this.#object = new ObjectWriter(call, call.named(name));
    this.#closers = closers;
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
    const found = findParameter(this.#tool, scanner, scanner.at);
    if (found === 'more') return 'more';
    if (found !== 'no') return this.#openParameter(scanner, found.value, found.length);
    return this.#readOther(scanner);
  }

  #openParameter(scanner: Scanner, parameter: NamedTagParameter, length: number): 'on' {
    scanner.at += length;
    this.#values += 1;
    const endsCall = (reply: Scanner, index: number) => this.#lookEnd(reply, index);
    const opensNext = (reply: Scanner, place: ValuePlace) => this.#lookNext(reply, place);
    const form = { closer: parameter.closer, padded: this.#padded, opensNext, endsCall };
    const value = this.#object.parameter(parameter.name, form);
    if (parameter.empty) value.finishWhole('');
    else this.#value = value;
    return 'on';
  }

  /** Does a parameter open here that the call still awaits, with a short value, on a line of its own or behind a word? */
  #lookNext(scanner: Scanner, { index, line, glued }: ValuePlace): Look {
    const found = line || glued ? findParameter(this.#tool, scanner, index) : 'no';
    if (typeof found === 'string') return found;
    const { name, closer, empty } = found.value;
    if (empty || !this.#object.awaits(name)) return 'no';
    const opensAgain = (next: number): Look => {
      const again = findParameter(this.#tool, scanner, next);
      return typeof again === 'string' ? again : again.value.name === name ? 'yes' : 'no';
    };
    const value = lookValue(scanner, { start: index + found.length, closer, opensAgain });
    return value === 'long' ? 'no' : value;
  }

  /** Does the call end at `index`, inside a value: its closer, and then nothing or another call? */
  #lookEnd(scanner: Scanner, index: number): Look {
    const closer = lookFor(scanner, index, this.#closers);
    if (typeof closer === 'string') return closer;
    const next = scanner.behindSpace(closer);
    if (typeof next === 'string') return next;
    if (next === scanner.text.length) return 'yes';
    const other = this.#tools.openers.find(scanner.text, next, scanner.ended);
    return typeof other === 'string' ? other : 'yes';
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
