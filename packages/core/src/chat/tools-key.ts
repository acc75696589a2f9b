import type { ToolDefinition } from './tool.ts';

/** Characters of tools as JSON that have a key at a time: a hundred agents' tools. The newest tools have one however long they are. */
const most = 4_000_000;

/** By the tools as JSON: a key is short, so that whoever looks something up by it does not go through all of them again. */
const keys = new Map<string, string>();

const known = new WeakMap<readonly ToolDefinition[], Known>();

interface Known {
  readonly key: string;
  /** Of the tools as JSON. */
  readonly characters: number;
}

let made = 0;
let held = 0;

/**
 * What is the same for equal tools: equal in content, not in identity. Agents send the same tools with every request, and what is
 * made for them is remembered by this. Found once for each list, which takes milliseconds where there are very many parameters.
 * Tools that have not been seen for long get another key than before, which no other tools ever had.
 */
export function keyOfTools(tools: readonly ToolDefinition[]): string {
  return knownOf(tools).key;
}

/** How many characters the tools have as JSON. */
export function charactersOfTools(tools: readonly ToolDefinition[]): number {
  return knownOf(tools).characters;
}

/** What is made of so many tools takes turns of its own, in which others have theirs. */
export function areManyTools(tools: readonly ToolDefinition[]): boolean {
  return charactersOfTools(tools) >= 100_000;
}

function knownOf(tools: readonly ToolDefinition[]): Known {
  const found = known.get(tools);
  if (found !== undefined) return found;
  const json = JSON.stringify(tools);
  const made = { key: keyOf(json), characters: json.length };
  known.set(tools, made);
  return made;
}

function keyOf(json: string): string {
  const found = keys.get(json);
  const key = found ?? newKey();
  // Asked for again, it becomes the newest; the oldest go first.
  keys.delete(json);
  keys.set(json, key);
  if (found === undefined) held += json.length;
  for (const [oldest] of keys) {
    if (held <= most || oldest === json) break;
    keys.delete(oldest);
    held -= oldest.length;
  }
  return key;
}

function newKey(): string {
  made += 1;
  return `tools ${made}`;
}
