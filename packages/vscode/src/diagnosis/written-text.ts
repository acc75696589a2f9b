import { isObject } from '../read-fields.ts';

/** So many bytes of an answer are kept: the markup of calls is among the first. */
const longest = 500_000;

/** Fields that hold what a model writes, in the APIs that the engine inside speaks. */
const fields = ['content', 'text', 'delta', 'thinking', 'reasoning', 'reasoning_content', 'partial_json', 'arguments'];

/** What a model wrote, out of the bytes that its server sent, whatever was read in them since. */
export class WrittenText {
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  push(chunk: Uint8Array): void {
    if (this.#length < longest) this.#chunks.push(chunk);
    this.#length += chunk.length;
  }

  /** Thoughts, text and markup one after the other; empty where nothing came. */
  read(): string {
    const decoder = new TextDecoder();
    const sent = this.#chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('');
    const written = sent.split('\n').map((line) => textIn(parsed(line)));
    return written.join('') + (this.#length > longest ? '…' : '');
  }
}

/** A line of an event stream, or one that is JSON by itself. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line.startsWith('data:') ? line.slice('data:'.length) : line);
  } catch {
    return undefined;
  }
}

/** What events repeat as a whole at their end is left out. */
function textIn(value: unknown): string {
  if (Array.isArray(value)) return value.map(textIn).join('');
  if (!isObject(value) || (typeof value.type === 'string' && isRepetition(value.type))) return '';
  return Object.entries(value)
    .map(([name, each]) => (typeof each !== 'string' ? textIn(each) : fields.includes(name) ? each : ''))
    .join('');
}

function isRepetition(type: string): boolean {
  return type.endsWith('.done') || type === 'response.completed';
}
