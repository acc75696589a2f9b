import { hexDigestOf } from '../chat/digest.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { ToolDefinition } from '../chat/tool.ts';
import { isPlainCharacter } from '../json/json-characters.ts';

/**
 * Tool names for an upstream that takes only letters, digits, `_` and `-`, and a limited length. Legal names stay. Others
 * get such a name that no other tool has, the same in every request with the same tools; `declaredName` leads back.
 */
export class WireNames {
  readonly #tools: readonly ToolDefinition[];
  readonly #longest: number;
  readonly #wireNames = new Map<string, string>();
  /** By the upstream's name. Empty as long as every name was legal. */
  readonly #declared = new Map<string, string>();

  /** `longest` is the most characters of a name; undefined where the upstream takes any name. */
  constructor(tools: readonly ToolDefinition[], longest: number | undefined) {
    this.#tools = tools;
    this.#longest = longest ?? Number.POSITIVE_INFINITY;
  }

  /** The name as the upstream takes it. Also for tools of the past that are no longer declared. */
  wireName(name: string): string {
    if (this.#longest === Number.POSITIVE_INFINITY || isLegal(name, this.#longest)) return name;
    if (this.#declared.size === 0) this.#nameTools();
    return this.#wireNames.get(name) ?? this.#name(name);
  }

  /** Legal names first, so that nobody else gets them; then the others in their order. */
  #nameTools(): void {
    for (const { name } of this.#tools) if (isLegal(name, this.#longest)) this.#declared.set(name, name);
    for (const { name } of this.#tools) {
      if (!isLegal(name, this.#longest) && !this.#wireNames.has(name)) this.#name(name);
    }
  }

  #name(name: string): string {
    let wireName = plainName(name).slice(0, this.#longest);
    for (let attempt = 0; this.#declared.has(wireName); attempt += 1) {
      const tail = `_${hexDigestOf(`${attempt} ${name}`).slice(0, 8)}`;
      wireName = plainName(name).slice(0, this.#longest - tail.length) + tail;
    }
    this.#wireNames.set(name, wireName);
    this.#declared.set(wireName, name);
    return wireName;
  }

  /** The client's name for a tool that the upstream calls `wireName`. */
  declaredName(wireName: string): string {
    return this.#declared.get(wireName) ?? wireName;
  }

  /** The request with these names on its tools and in its choice; the same one if nothing changes. Messages stay. */
  rename(request: ChatRequest): ChatRequest {
    const { tools, toolChoice } = request;
    if (tools.every(({ name }) => this.wireName(name) === name)) return request;
    return {
      ...request,
      tools: tools.map((tool) => ({ ...tool, name: this.wireName(tool.name) })),
      toolChoice: typeof toolChoice === 'object' ? { name: this.wireName(toolChoice.name) } : toolChoice,
    };
  }
}

/** Whatever may not in a name becomes `_`. */
function plainName(name: string): string {
  let plain = '';
  for (const letter of name) plain += isLegalLetter(letter) ? letter : '_';
  return plain === '' ? '_' : plain;
}

function isLegal(name: string, longest: number): boolean {
  if (name === '' || name.length > longest) return false;
  for (const letter of name) if (!isLegalLetter(letter)) return false;
  return true;
}

function isLegalLetter(letter: string): boolean {
  return isPlainCharacter(letter.charCodeAt(0));
}
