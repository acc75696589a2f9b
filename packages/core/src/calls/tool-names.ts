import type { ToolDefinition } from '../chat/tool.ts';
import { SchemaView } from '../json/schema.ts';

/** The declared tool that a call's name stands for. */
export interface NamedTool {
  readonly name: string;
  readonly schema: SchemaView;
  /** The name as it came differed from the declared one. */
  readonly repaired: boolean;
}

/**
 * The declared tools by the names that native calls come with. Exact names first; then without regard to case, `-` and
 * `_`; then without a prefix or a trailing index that some upstreams add. A near miss counts only if exactly one declared
 * tool fits; a name that fits none stays as it is.
 */
export class ToolNames {
  readonly #tools = new Map<string, ToolDefinition>();
  /** Plain spelling to declared name; undefined where two tools share it. */
  readonly #plain = new Map<string, string | undefined>();

  constructor(tools: readonly ToolDefinition[]) {
    for (const tool of tools) {
      if (this.#tools.has(tool.name)) continue;
      this.#tools.set(tool.name, tool);
      const plain = plainName(tool.name);
      this.#plain.set(plain, this.#plain.has(plain) ? undefined : tool.name);
    }
  }

  find(written: string): NamedTool {
    const bare = bareName(written);
    for (const name of [written, this.#plain.get(plainName(written)), bare, this.#plain.get(plainName(bare))]) {
      const tool = name === undefined ? undefined : this.#tools.get(name);
      if (tool !== undefined) {
        return { name: tool.name, schema: SchemaView.of(tool.inputSchema), repaired: tool.name !== written };
      }
    }
    return { name: written, schema: SchemaView.any, repaired: false };
  }
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll('-', '').replaceAll('_', '');
}

/** `functions.read:0` as `read`. */
function bareName(name: string): string {
  let from = 0;
  for (const prefix of ['call_functions.', 'functions.']) {
    if (!name.startsWith(prefix)) continue;
    from = prefix.length;
    break;
  }
  const colon = name.lastIndexOf(':');
  return name.slice(from, colon > from && isDigits(name.slice(colon + 1)) ? colon : name.length);
}

function isDigits(text: string): boolean {
  for (const letter of text) if (letter < '0' || letter > '9') return false;
  return text !== '';
}
