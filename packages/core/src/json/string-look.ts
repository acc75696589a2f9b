import { isSpace } from './json-characters.ts';
import { JsonMachine } from './json-machine.ts';
import { SchemaView } from './schema.ts';
import { beginsScalar, opensContainer } from './unmistakable.ts';

/** What the text may still be, besides a string. */
type State =
  /** Anything that the schema admits; only white space has come. */
  | 'start'
  /** A word or a number. */
  | 'scalar'
  /** A list or an object. */
  | 'container'
  /** White space after it. */
  | 'after'
  /** Nothing: it is a string, whatever comes. */
  | 'string';

/**
 * Follows the text of a value that may be a string or something else, and says as early as can be that it is a string, so
 * that it may leave while it is written. What is open to the end is for `coerceText` to decide.
 */
export class StringLook {
  readonly #schema: SchemaView;
  #state: State = 'start';
  #read = '';
  #container: JsonMachine | undefined;

  constructor(schema: SchemaView) {
    this.#schema = schema;
  }

  /** Nothing but a string can come of it. */
  get isString(): boolean {
    return this.#state === 'string';
  }

  push(text: string): void {
    let index = 0;
    while (index < text.length && this.#state !== 'string') index = this.#step(text, index);
  }

  /** Returns the index after what it has read. */
  #step(text: string, index: number): number {
    switch (this.#state) {
      case 'start':
        return this.#start(text, index);
      case 'scalar':
        this.#read += text.charAt(index);
        return this.#pass(index, beginsScalar(this.#read, this.#schema));
      case 'container':
        return this.#readContainer(text, index);
      case 'after':
        return this.#pass(index, isSpace(text.charCodeAt(index)));
      case 'string':
        return index;
    }
  }

  #pass(index: number, stays: boolean): number {
    if (!stays) this.#state = 'string';
    return index + 1;
  }

  /** White space may come before a list or an object; words and numbers have none. */
  #start(text: string, index: number): number {
    const schema = this.#schema;
    if (isSpace(text.charCodeAt(index))) {
      this.#read = ' ';
      return this.#pass(index, schema.admits('object') || schema.admits('array'));
    }
    if (opensContainer(text.charAt(index), schema)) this.#state = 'container';
    else this.#state = this.#read === '' ? 'scalar' : 'string';
    return index;
  }

  /** Only what is JSON to the letter can be nothing but JSON. */
  #readContainer(text: string, index: number): number {
    this.#container ??= new JsonMachine({
      schema: SchemaView.any,
      emit: ignore,
      warning: (code) => {
        if (code === 'json-repaired') this.#state = 'string';
      },
      coerce: (inside) => ({ json: inside }),
    });
    const end = this.#container.read(text, index);
    if (this.isString) return text.length;
    if (this.#container.state === 'broken') this.#state = 'string';
    else if (this.#container.state === 'done') this.#state = 'after';
    return end;
  }
}

function ignore(): void {}
