import {
  type FactStore,
  type KeptFacts,
  MemoryFactStore,
  type ModelFacts,
  type ModelKey,
} from '../endpoints/connect.ts';

/** Keeps values over restarts, as `ExtensionContext.globalState` does. */
export interface Memory {
  get<Value>(key: string): Value | undefined;
  update(key: string, value: unknown): PromiseLike<void>;
}

const key = 'dragoman.learntLimits';

/** Limits of prompts that servers told only when one was too long. They hold over restarts, until models are refreshed. */
export class LearntLimits {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Tokens of prompt and answer together. */
  get(id: string): number | undefined {
    return this.#all()[id];
  }

  /** Learns from the words of an error; whether that changed anything. */
  async learn(id: string, message: string): Promise<boolean> {
    const limit = limitIn(message);
    if (limit === undefined || this.get(id) === limit) return false;
    await this.#memory.update(key, { ...this.#all(), [id]: limit });
    return true;
  }

  async forget(): Promise<void> {
    await this.#memory.update(key, {});
  }

  #all(): Readonly<Record<string, number>> {
    return this.#memory.get<Record<string, number>>(key) ?? {};
  }
}

/** Words that errors of this kind have, whatever server they come from. */
const words = [
  'too long',
  'too many tokens',
  'context length',
  'context_length',
  'context window',
  'context size',
  'maximum context',
  'exceeds the limit',
  'input length',
];

/** Whether an error says that the prompt did not fit. */
export function isTooLong(message: string): boolean {
  const said = message.toLowerCase();
  return words.some((word) => said.includes(word));
}

/** What comes before the limit, the surest first. */
const openings = [
  '>',
  'maximum context length',
  'context length',
  'context size',
  'context window',
  'maximum',
  'limit',
];

/**
 * The limit that such an error names: in "prompt is too long: 210000 tokens > 200000 maximum", "maximum context length is 8192
 * tokens. However, you requested 9001 tokens (8001 in the messages, 1000 in the completion)", "request (9001 tokens)
 * exceeds the available context size (8192 tokens)".
 */
export function limitIn(message: string): number | undefined {
  if (!isTooLong(message)) return undefined;
  const said = message.toLowerCase();
  const numbers = numbersIn(said).filter(({ value }) => value >= 256 && value <= 100_000_000);
  for (const opening of openings) {
    const at = said.indexOf(opening);
    const found = at < 0 ? undefined : numbers.find((number) => number.at > at);
    if (found !== undefined) return found.value;
  }
  return undefined;
}

/** Whole numbers with their places; commas between thousands belong to them. */
function numbersIn(text: string): readonly { readonly at: number; readonly value: number }[] {
  const found: { at: number; value: number }[] = [];
  let digits = '';
  for (let at = 0; at <= text.length; at += 1) {
    const character = text[at] ?? ' ';
    if (isDigit(character)) digits += character;
    else if (digits !== '' && !(character === ',' && isThousand(text, at + 1))) {
      found.push({ at: at - 1, value: Number(digits) });
      digits = '';
    }
  }
  return found;
}

const isDigit = (character: string) => character >= '0' && character <= '9';

const isThousand = (text: string, at: number) => [0, 1, 2].every((offset) => isDigit(text[at + offset] ?? ' '));

const factsKey = 'dragoman.learntFacts';

/** What answers have shown of models, and how they call tools by it. It holds over restarts, until models are refreshed. */
export class LearntFacts implements FactStore {
  readonly #memory: Memory;
  #facts = this.#empty();

  constructor(memory: Memory) {
    this.#memory = memory;
    for (const kept of memory.get<readonly KeptFacts[]>(factsKey) ?? []) this.#facts.restore(kept);
  }

  get(model: ModelKey): ModelFacts | undefined {
    return this.#facts.get(model);
  }

  put(model: ModelKey, facts: ModelFacts): void {
    this.#facts.put(model, facts);
  }

  async forget(): Promise<void> {
    this.#facts = this.#empty();
    await this.#memory.update(factsKey, []);
  }

  #empty(): MemoryFactStore {
    // No turn waits until it is kept; without it the next window only learns anew.
    const learnt = () => this.#memory.update(factsKey, [...this.#facts.all()]).then(undefined, () => {});
    return new MemoryFactStore({ learnt });
  }
}
