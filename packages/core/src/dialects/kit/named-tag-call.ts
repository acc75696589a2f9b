import { SchemaView } from '../../arguments/schema.ts';
import type { ToolDefinition } from '../../chat/tool.ts';
import type { CallWriter } from './call-writer.ts';
import type { CallReader, Open, Opening, Progress } from './grammar.ts';
import { MarkerTrie } from './marker-trie.ts';
import { ObjectWriter } from './object-writer.ts';
import { type Closer, closes } from './positional-closer.ts';
import { isSpace, longestGap, type Scanner } from './scanner.ts';
import type { TextValue } from './text-value.ts';

/** A tool of a grammar whose tags are the names of tools and parameters (kernel X3). */
export interface NamedTagTool {
  readonly name: string;
  readonly tag: string;
  /** Parameter openers, such as `<path>`, with the parameter's name and closer. `<path/>` counts as an empty value. */
  readonly parameters: MarkerTrie<NamedTagParameter>;
  /** The tool's own closer: it counts wherever a parameter may stand. */
  readonly closer: string;
}

interface NamedTagParameter {
  readonly name: string;
  readonly closer: Closer;
  readonly empty: boolean;
}

/** Text in front of the first parameter that is tolerated: one line, at most this long. */
const longestStray = 80;

/** The table of one declared tool. `tagOf` writes a name as a tag name. */
export function namedTagTool(tool: ToolDefinition, tagOf: (name: string) => string): NamedTagTool {
  const tag = tagOf(tool.name);
  const closer = `</${tag}>`;
  const followers = new MarkerTrie<true>([[closer, true]]);
  const parameters = new MarkerTrie<NamedTagParameter>();
  for (const name of SchemaView.of(tool.inputSchema).propertyNames) {
    const parameter = tagOf(name);
    followers.add(`<${parameter}>`, true);
    followers.add(`<${parameter}/>`, true);
    const own: Closer = { literals: [`</${parameter}>`], followers };
    parameters.add(`<${parameter}>`, { name, closer: own, empty: false });
    parameters.add(`<${parameter}/>`, { name, closer: own, empty: true });
  }
  return { name: tool.name, tag, parameters, closer };
}

/** Decides whether `<tool>` opens a call: one of the tool's parameters or its closer stands behind it. */
export function openNamedTag(tool: NamedTagTool): Open {
  return (scanner, index, length) => {
    const end = index + length;
    const opening: Opening = { end, read: (call) => new NamedTagCall(tool, call) };
    const next = scanner.skipSpace(end);
    if (next - end > longestGap) return 'no';
    if (scanner.wantsMore(next)) return 'more';
    const closing = scanner.look(tool.closer, next);
    if (closing !== 'no') return closing === 'yes' ? opening : 'more';
    const parameter = tool.parameters.find(scanner.text, next, scanner.ended);
    if (typeof parameter === 'object') return opening;
    return parameter === 'more' ? 'more' : lookBehindStray(tool, scanner, next, opening);
  };
}

/** Some models write a word between the tool's tag and its first parameter; prose about the tool has no parameter near. */
function lookBehindStray(
  tool: NamedTagTool,
  scanner: Scanner,
  from: number,
  opening: Opening,
): Opening | 'no' | 'more' {
  const { text } = scanner;
  for (let index = from; index < from + longestStray; index += 1) {
    if (scanner.wantsMore(index)) return 'more';
    const code = text.charCodeAt(index);
    if (index >= text.length || isSpace(code)) return 'no';
    if (code !== 60) continue;
    const parameter = tool.parameters.find(text, index, scanner.ended);
    if (typeof parameter === 'string') return parameter;
    return behindValue(scanner, index + parameter.length, parameter.value.closer, opening);
  }
  return 'no';
}

/** The value's closer must be near too: then it is no prose. */
function behindValue(scanner: Scanner, from: number, closer: Closer, opening: Opening): Opening | 'no' | 'more' {
  const { text } = scanner;
  for (let index = from; index < from + longestGap; index += 1) {
    if (scanner.wantsMore(index)) return 'more';
    if (index >= text.length) return 'no';
    if (text.charCodeAt(index) !== 60) continue;
    const end = closes(scanner, index, closer);
    if (end !== 'no') return end === 'more' ? 'more' : opening;
  }
  return 'no';
}

/** `<tool/>`: a call without parameters. */
export function openEmptyTag(tool: NamedTagTool): Open {
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

class NamedTagCall implements CallReader {
  readonly #tool: NamedTagTool;
  readonly #call: CallWriter;
  readonly #object: ObjectWriter;
  #value: TextValue | undefined;
  #strayTold = false;

  constructor(tool: NamedTagTool, call: CallWriter) {
    this.#tool = tool;
    this.#call = call;
    this.#object = new ObjectWriter(call, call.named(tool.name));
  }

  read(scanner: Scanner): Progress {
    while (true) {
      if (this.#value !== undefined) {
        if (this.#value.read(scanner) === 'more') return 'more';
        this.#value = undefined;
      }
      const progress = this.#readStructure(scanner);
      if (progress !== 'on') return progress;
    }
  }

  #readStructure(scanner: Scanner): Progress | 'on' {
    scanner.at = scanner.skipSpace(scanner.at);
    if (scanner.at === scanner.text.length) return scanner.ended ? this.#mendAtEnd(scanner) : 'more';
    const closing = scanner.look(this.#tool.closer);
    if (closing === 'more') return 'more';
    if (closing === 'yes') {
      scanner.at += this.#tool.closer.length;
      this.#object.finish();
      return 'done';
    }
    const found = this.#tool.parameters.find(scanner.text, scanner.at, scanner.ended);
    if (found === 'more') return 'more';
    if (found === 'no') return this.#passStray(scanner);
    scanner.at += found.length;
    const value = this.#object.parameter(found.value.name, found.value.closer, true);
    if (found.value.empty) value.finishEmpty();
    else this.#value = value;
    return 'on';
  }

  #passStray(scanner: Scanner): 'on' {
    if (!this.#strayTold) this.#call.issue('call-text', 'Text between the parameters of a call was not delivered.');
    this.#strayTold = true;
    const { text } = scanner;
    scanner.at += 1;
    while (scanner.at < text.length && text[scanner.at] !== '<') scanner.at += 1;
    return 'on';
  }

  /** At the end of the input a call without its closer is taken only if nothing can be missing. */
  #mendAtEnd(scanner: Scanner): Progress {
    if (scanner.cut || this.#object.missing.length > 0) return 'more';
    this.#call.issue('call-mended', 'The call was not closed.');
    this.#object.finish();
    return 'done';
  }
}
