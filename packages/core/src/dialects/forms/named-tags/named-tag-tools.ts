import type { ToolDefinition } from '../../../chat/tool.ts';
import { SchemaView } from '../../../json/schema.ts';
import { type Found, MarkerTrie } from '../../parser/markers/marker-trie.ts';
import { type Closer, closes } from '../../parser/markers/positional-closer.ts';
import { type Look, longestGap, type Scanner } from '../../parser/scanner.ts';
import { attributes, type HeaderReader } from '../tags/tag-header.ts';

/** A parameter behind its opener. */
export interface NamedTagParameter {
  readonly name: string;
  readonly closer: Closer;
  /** It was written as `<name/>`: an empty value. */
  readonly empty: boolean;
  /** Attributes follow, which mean nothing. */
  readonly attributes?: true;
}

/** A declared tool of a grammar whose tags are the names of tools and parameters. */
export interface NamedTagTool {
  readonly name: string;
  readonly opener: string;
  /** It counts wherever a parameter may stand. */
  readonly closer: string;
  readonly parameters: MarkerTrie<NamedTagParameter>;
  /** What may stand behind a value: parameters, the closer, or another tool when the closer was forgotten. */
  readonly followers: MarkerTrie<boolean>;
}

type Tables = Pick<NamedTagTool, 'parameters' | 'followers'>;

/** The markup around a call whose parameters are tags of their names. */
export interface CallTag {
  readonly opener: string;
  readonly header: HeaderReader;
  /** What stands behind the opener for the tool of this name. */
  readonly headerOf: (tool: string) => string;
  readonly closer: string;
}

/** How names become tags. */
export interface TagOptions {
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
export class NamedTagTools {
  readonly all: readonly NamedTagTool[];
  /** By opener, such as `<read>`. */
  readonly openers: MarkerTrie<NamedTagTool>;

  constructor(tools: readonly ToolDefinition[], options: TagOptions) {
    this.openers = new MarkerTrie<NamedTagTool>([], options);
    this.all = tools.map((tool) => this.#table(tool, tools, options));
    for (const tool of this.all) this.openers.add(tool.opener, tool);
  }

  /** Stands a body behind a tool's opener, after white space: one of its parameters, or its closer? */
  lookBody(tool: NamedTagTool, scanner: Scanner, end: number): Look {
    const next = scanner.behindSpace(end);
    if (typeof next === 'string') return next;
    const closing = scanner.look(tool.closer, next);
    return closing === 'no' ? lookOf(findParameter(tool, scanner, next)) : closing;
  }

  #table(definition: ToolDefinition, tools: readonly ToolDefinition[], options: TagOptions): NamedTagTool {
    const { opener, closer } = tagsOf(definition.name, options);
    const fill = (): Tables => {
      const parameters = new MarkerTrie<NamedTagParameter>([], options);
      const followers = new MarkerTrie<boolean>([[closer, true]], options);
      for (const { name } of tools) followers.add(tagsOf(name, options).opener, true);
      for (const name of SchemaView.of(definition.inputSchema).propertyNames) {
        const parameter = options.tagOf(name);
        const found = { name, closer: this.#closer(tool, parameter) };
        for (const [literal, how] of [
          [`<${parameter}>`, { empty: false }],
          [`<${parameter}/>`, { empty: true }],
          [`<${parameter} `, { empty: false, attributes: true }],
        ] as const) {
          followers.add(literal, true);
          parameters.add(literal, { ...found, ...how });
        }
      }
      return { parameters, followers };
    };
    // Filled at the first call of the tool: a request declares dozens of tools, and its reply calls a few.
    let tables: Tables | undefined;
    const filled = () => {
      tables ??= fill();
      return tables;
    };
    const tool: NamedTagTool = {
      name: definition.name,
      opener,
      closer,
      get parameters() {
        return filled().parameters;
      },
      get followers() {
        return filled().followers;
      },
    };
    return tool;
  }

  #closer(tool: NamedTagTool, parameter: string): Closer {
    return {
      literals: [`</${parameter}>`],
      starts: [60],
      get followers() {
        return tool.followers;
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
export function findParameter(
  { parameters }: NamedTagTool,
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
 * An undeclared parameter: `<name>…</name>`, short, with a declared one or this tool's closer behind it. Markup in a
 * file looks alike but is followed by something else.
 */
export function findUnknownParameter(
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
  const closer: Closer = { literals: [`</${name}>`], starts: [60], followers: tool.followers, nestedCall: () => 'no' };
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
  if (code === 95 || code === 45 || code === 46) return true;
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}
