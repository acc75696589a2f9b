import type { ToolDefinition } from '../../../chat/tool.ts';
import { isPlainCharacter, isSpace } from '../../../json/json-characters.ts';
import { SchemaView } from '../../../json/schema.ts';
import type { CallWriter } from '../../parser/calls/call-writer.ts';
import type { CallOpener, CallReader, CallsForm, Opening, OpenValue, Progress } from '../../parser/grammar.ts';
import { type Closer, closes, type Resume } from '../../parser/markers/closers.ts';
import { type Found, MarkerTrie } from '../../parser/markers/marker-trie.ts';
import { type Look, longestGap, look, lookFor, type Scanner } from '../../parser/scanner.ts';
import { ObjectWriter } from '../tags/object-writer.ts';
import { attributes, type HeaderReader } from '../tags/tag-header.ts';
import { lookValue } from '../tags/tagged-form.ts';
import type { ValueReader } from '../tags/text-value.ts';
import type { ValueEndPlace } from '../tags/value-end.ts';

/** Text before the first parameter that is tolerated: without white space, at most this long. */
const longestStray = 80;
/** A forgotten closer is looked for after a first value that is one word, at most this long. */
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

/** Decides whether what ends at `end` opens a call: one of the tool's parameters or its closer comes after it. */
function openNamedTag(found: NamedTagOpening, scanner: Scanner, end: number): Opening | 'no' | 'more' {
  const { tools, tool } = found;
  const opening: Opening = { end, read: (call) => new NamedTagCall(found, call) };
  const body = tools.lookBody(tool, scanner, end);
  if (body !== 'no') return body === 'yes' ? opening : 'more';
  return openAfterStray(tool, scanner, opening);
}

/** Some models write a word between the tool's tag and its first parameter; prose about the tool has no parameter near. */
function openAfterStray(tool: NamedTagTool, scanner: Scanner, opening: Opening): Opening | 'no' | 'more' {
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

  get inside(): OpenValue | undefined {
    return this.#value?.inside;
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
   * The closers of a first value and of its tool were forgotten: a whole call after it still counts, if the value is a
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
    const opensNext = (reply: Scanner, place: ValueEndPlace) => this.#lookNext(reply, place);
    const form = { closer: parameter.closer, padded: this.#padded, opensNext, endsCall };
    const value = this.#object.parameter(parameter.name, form);
    if (parameter.empty) value.finishWhole('');
    else this.#value = value;
    return 'on';
  }

  /** Does a parameter open here that the call still awaits, with a short value, on a line of its own or after a word? */
  #lookNext(scanner: Scanner, { index, line, glued }: ValueEndPlace): Look {
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
    const next = scanner.afterSpace(closer);
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

  /** Text inside the call but outside its parameters is reported and not delivered. */
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

/** A parameter after its opener. */
interface NamedTagParameter {
  readonly name: string;
  readonly closer: Closer;
  /** It was written as `<name/>`: an empty value. */
  readonly empty: boolean;
  /** Attributes follow, which mean nothing. */
  readonly attributes?: true;
}

/** A declared tool of a grammar whose tags are the names of tools and parameters. */
interface NamedTagTool {
  readonly name: string;
  readonly opener: string;
  /** It counts wherever a parameter may stand. */
  readonly closer: string;
  readonly tables: Tables;
}

/** What may be in a call of the tool. */
interface Tables {
  readonly parameters: MarkerTrie<NamedTagParameter>;
  /** What may come after a value: parameters, the closer, or another tool when the closer was forgotten. */
  readonly followers: MarkerTrie<boolean>;
  /** What reading stops at inside a value. */
  readonly stops: MarkerTrie<unknown>;
  /** The same for a parameter that is not declared, which has a closer of its own. */
  readonly anyStops: MarkerTrie<unknown>;
}

/** The markup around a call whose parameters are tags of their names. */
export interface CallTag {
  readonly opener: string;
  readonly header: HeaderReader;
  /** What comes after the opener for the tool of this name. */
  readonly headerOf: (tool: string) => string;
  readonly closer: string;
}

/** How names become tags. */
interface TagOptions {
  /** Writes a name as a tag name. */
  readonly tagOf: (name: string) => string;
  /** Tags match in either case. */
  readonly fold: boolean;
  /** How every call opens and closes, with the tool's name in a header: `<call name="read">`. Default: that name is the tag. */
  readonly callTag?: CallTag;
  /** One newline on each side of a value belongs to the markup. Default true. */
  readonly padded?: boolean;
}

/** An undeclared parameter is looked for this far. */
const longestUnknown = 512;

/** The tables of the declared tools. */
class NamedTagTools {
  readonly all: readonly NamedTagTool[];
  /** By opener, such as `<read>`. */
  readonly openers: MarkerTrie<NamedTagTool>;

  constructor(tools: readonly ToolDefinition[], options: TagOptions) {
    this.openers = new MarkerTrie<NamedTagTool>([], options);
    this.all = tools.map((tool) => this.#table(tool, tools, options));
    for (const tool of this.all) this.openers.add(tool.opener, tool);
  }

  /** Stands a body after a tool's opener, after white space: one of its parameters, or its closer? */
  lookBody(tool: NamedTagTool, scanner: Scanner, end: number): Look {
    const next = scanner.afterSpace(end);
    if (typeof next === 'string') return next;
    const closing = look(scanner, tool.closer, next);
    return closing === 'no' ? lookOf(findParameter(tool, scanner, next)) : closing;
  }

  #table(definition: ToolDefinition, tools: readonly ToolDefinition[], options: TagOptions): NamedTagTool {
    const { opener, closer } = tagsOf(definition.name, options);
    const fill = (): Tables => {
      const parameters = new MarkerTrie<NamedTagParameter>([], options);
      const followers = new MarkerTrie<boolean>([[closer, true]], options);
      const closers: string[] = [];
      for (const { name } of tools) followers.add(tagsOf(name, options).opener, true);
      for (const name of SchemaView.of(definition.inputSchema).propertyNames) {
        const parameter = options.tagOf(name);
        const closer = this.#closer(tool, parameter);
        const found = { name, closer };
        closers.push(...closer.literals);
        for (const [literal, how] of [
          [`<${parameter}>`, { empty: false }],
          [`<${parameter}/>`, { empty: true }],
          [`<${parameter} `, { empty: false, attributes: true }],
        ] as const) {
          followers.add(literal, true);
          parameters.add(literal, { ...found, ...how });
        }
      }
      const tags = followers.entries().flatMap(([literal]) => (literal.startsWith('<') ? [literal] : []));
      const stopsAt = (closers: readonly string[]) =>
        new MarkerTrie<true>(
          [...tags, ...closers].map((literal) => [literal, true] as const),
          options,
        );
      const names = [...tools.map(({ name }) => tagsOf(name, options).closer), ...closers];
      return { parameters, followers, stops: stopsAt(names), anyStops: stopsAt(['</']) };
    };
    // Filled at the first call of the tool: a request declares dozens of tools, and its reply calls a few.
    let tables: Tables | undefined;
    const tool: NamedTagTool = {
      name: definition.name,
      opener,
      closer,
      get tables() {
        tables ??= fill();
        return tables;
      },
    };
    return tool;
  }

  #closer(tool: NamedTagTool, parameter: string): Closer {
    return {
      literals: [`</${parameter}>`],
      get stops() {
        return tool.tables.stops;
      },
      get followers() {
        return tool.tables.followers;
      },
      alsoFollows: (scanner, index) => lookOf(findUnknownParameter(tool, scanner, index)),
      nestedCall: (scanner, index) => this.#findNestedCall(scanner, index),
    };
  }

  #findNestedCall(scanner: Scanner, index: number): readonly string[] | 'no' | 'more' {
    const found = this.openers.find(scanner.text, index, scanner.ended);
    if (typeof found === 'string') return found;
    const body = this.lookBody(found.value, scanner, index + found.length);
    return body === 'yes' ? [found.value.closer] : body;
  }
}

/** A declared parameter that opens at `index`, perhaps with attributes. */
function findParameter(
  { tables: { parameters } }: NamedTagTool,
  scanner: Scanner,
  index: number,
): Found<NamedTagParameter> | 'no' | 'more' {
  const found = parameters.find(scanner.text, index, scanner.ended);
  if (typeof found === 'string' || found.value.attributes === undefined) return found;
  const header = passAttributes(scanner, index + found.length - 1);
  if (typeof header === 'string') return header;
  return { value: { ...found.value, empty: header.selfClosing }, length: header.end - index };
}

/** The name is known, and of the attributes none means anything. */
const passAttributes = attributes({ unnamed: 'parameter' });

/**
 * An undeclared parameter: `<name>…</name>`, short, with a declared one or this tool's closer after it. Markup in a
 * file looks alike but is followed by something else.
 */
function findUnknownParameter(
  tool: NamedTagTool,
  scanner: Scanner,
  index: number,
): Found<NamedTagParameter> | 'no' | 'more' {
  const { text } = scanner;
  if (text[index] !== '<') return 'no';
  let end = index + 1;
  while (end < text.length && isNameCharacter(text.charCodeAt(end))) end += 1;
  if (end - index > longestGap) return 'no';
  if (scanner.wantsMore(end)) return 'more';
  if (text[end] !== '>' || end === index + 1) return 'no';
  const name = text.slice(index + 1, end);
  const closer: Closer = {
    literals: [`</${name}>`],
    stops: tool.tables.anyStops,
    followers: tool.tables.followers,
    nestedCall: () => 'no',
  };
  for (let at = end + 1; at - end <= longestUnknown; at += 1) {
    if (scanner.wantsMore(at)) return 'more';
    if (at >= text.length) return 'no';
    const stop = text.charCodeAt(at) === 60 ? closes(scanner, at, closer) : 'no';
    if (stop === 'more') return 'more';
    if (stop !== 'no') return { value: { name, closer, empty: false }, length: end + 1 - index };
  }
  return 'no';
}

/** The tags around a call of the tool. */
function tagsOf(name: string, { tagOf, callTag }: TagOptions): { readonly opener: string; readonly closer: string } {
  if (callTag === undefined) return { opener: `<${tagOf(name)}>`, closer: `</${tagOf(name)}>` };
  return { opener: callTag.opener + callTag.headerOf(name), closer: callTag.closer };
}

function lookOf(found: object | 'no' | 'more'): Look {
  return typeof found === 'object' ? 'yes' : found;
}

/** Letters, digits and `_ - .` */
function isNameCharacter(code: number): boolean {
  return isPlainCharacter(code) || code === 46;
}
