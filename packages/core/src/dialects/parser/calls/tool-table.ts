import { type ToolDefinition, toolsByName } from '../../../chat/tool.ts';
import { isPlainCharacter } from '../../../json/json-characters.ts';
import { SchemaView } from '../../../json/schema.ts';
import type { ParsePolicy } from '../../dialect.ts';
import { CharacterSet } from '../scanner.ts';

/** A declared tool that a written name stands for. */
export interface KnownTool {
  readonly name: string;
  readonly schema: SchemaView;
  /** The written name differed from the declared one. */
  readonly repaired: boolean;
}

/** The declared tools by name. Exact names first; a near miss counts only if exactly one tool fits. */
export class ToolTable {
  readonly #declared: readonly ToolDefinition[];
  readonly #names: ParsePolicy['names'];
  /** Made for the first name that a model writes. */
  #tools: ReadonlyMap<string, ToolDefinition> | undefined;
  #normalised: Map<string, string | undefined> | undefined;

  constructor(tools: readonly ToolDefinition[], names: ParsePolicy['names']) {
    this.#declared = tools;
    this.#names = names;
  }

  get #byName(): ReadonlyMap<string, ToolDefinition> {
    this.#tools ??= toolsByName(this.#declared);
    return this.#tools;
  }

  find(written: string): KnownTool | undefined {
    const exact = this.#known(written, false);
    if (exact !== undefined || this.#names === 'exact') return exact;
    const declared =
      this.#findNormalised(written) ?? (this.#names === 'nearest' ? this.#findNearest(written) : undefined);
    return declared === undefined ? undefined : this.#known(declared, true);
  }

  #known(name: string, repaired: boolean): KnownTool | undefined {
    const tool = this.#byName.get(name);
    return tool && { name: tool.name, schema: SchemaView.of(tool.inputSchema), repaired };
  }

  #findNormalised(written: string): string | undefined {
    if (this.#normalised === undefined) {
      this.#normalised = new Map();
      for (const name of this.#byName.keys()) {
        const key = normalise(name);
        this.#normalised.set(key, this.#normalised.has(key) ? undefined : name);
      }
    }
    return this.#normalised.get(normalise(written)) ?? this.#normalised.get(normalise(withoutPrefix(written)));
  }

  #findNearest(written: string): string | undefined {
    const near = [...this.#byName.keys()].filter((name) => isNear(written, name, 2));
    return near.length === 1 ? near[0] : undefined;
  }
}

/** Case and separators do not tell two tools apart. */
function normalise(name: string): string {
  let plain = '';
  for (const letter of name.toLowerCase()) if (letter !== '-' && letter !== '_') plain += letter;
  return plain;
}

/** Some models put a namespace before a name, or the name itself as its own namespace. */
function withoutPrefix(name: string): string {
  if (name.startsWith('functions.')) return name.slice('functions.'.length);
  const half = name.slice(0, (name.length - 1) / 2);
  return name === `${half}.${half}` ? half : name;
}

/** Do at most so many letters have to be added, dropped or changed to get from one name to the other? */
function isNear(left: string, right: string, letters: number): boolean {
  if (left === right) return true;
  if (letters === 0 || Math.abs(left.length - right.length) > letters) return false;
  let same = 0;
  while (same < left.length && left[same] === right[same]) same += 1;
  const steps = [
    [1, 0],
    [0, 1],
    [1, 1],
  ] as const;
  return steps.some(([drop, add]) => isNear(left.slice(same + drop), right.slice(same + add), letters - 1));
}

/**
 * What lessons write where the name of a tool stands, and where that of another one does: a model that quotes its prompt calls
 * nothing. The suite for dialects quotes each lesson, so another word is found there.
 */
export const placeholders = { tool: 'TOOL_NAME', otherTool: 'OTHER_TOOL' } as const;

/** What Command R and Granite 20B were trained to call where no tool fits: what they have to say comes after it. */
const noTools: ReadonlySet<string> = new Set(['directly_answer', 'directly-answer', 'no_function']);

/** The longest name that APIs take, in UTF-16 units. */
const longest = 128;

/** What is in such names beside letters, digits, `_` and `-`. */
const signs = '.:/';

/** Does this name, which nobody has declared, say that no tool is called? */
export function isNoTool(name: string): boolean {
  return noTools.has(name);
}

/** May a client be asked for a tool of this name, which it has not declared? It has to be one that APIs take. */
export function isForwardable(name: string): boolean {
  if (name === '' || name.length > longest) return false;
  if (name.includes(placeholders.tool) || name.includes(placeholders.otherTool)) return false;
  return [...name].every((sign) => isPlainCharacter(sign.charCodeAt(0)) || signs.includes(sign));
}

/** Brackets that open markup or an object: what comes after one of them is no longer the name of a tool. */
export const nameEnders: readonly number[] = [...'<{'].map((sign) => sign.charCodeAt(0));

/** What names of tools never hold: these brackets, quotation marks, white space and other control characters. */
export const notInNames = new CharacterSet([...nameEnders, '"'.charCodeAt(0), ...Array(33).keys()]);

/** May a tool have this name? Prose and JSON where a name should be show by their first such character. */
export function isPlainName(name: string): boolean {
  return name !== '' && notInNames.find(name, 0) === name.length;
}
