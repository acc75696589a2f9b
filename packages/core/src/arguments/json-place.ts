import { SchemaView } from './schema.ts';

/** Deeper values are broken. */
const maxDepth = 512;

/** Where in a JSON value the reader stands: the open containers, and the schema of what comes next. */
export class JsonPlace {
  readonly #root: SchemaView;
  /** The open containers: their schemas, and for arrays the index of the current item (objects: -1). */
  readonly #schemas: SchemaView[] = [];
  readonly #indexes: number[] = [];
  #key = '';

  constructor(root: SchemaView) {
    this.#root = root;
  }

  /** Whether no container is open. */
  get top(): boolean {
    return this.#schemas.length === 0;
  }

  get full(): boolean {
    return this.#schemas.length === maxDepth;
  }

  get inArray(): boolean {
    return this.#index >= 0;
  }

  /** Whether the key has to be known: under no schema every key is the same. */
  get keyMatters(): boolean {
    return this.#schemas.at(-1) !== SchemaView.any;
  }

  /** The schema of the value that comes next. */
  get schema(): SchemaView {
    const parent = this.#schemas.at(-1);
    if (parent === undefined) return this.#root;
    if (parent === SchemaView.any) return parent;
    return this.inArray ? parent.items(this.#index) : parent.property(this.#key);
  }

  /** For messages, with a space after it; empty at the top. */
  get words(): string {
    if (this.top) return '';
    return this.inArray ? `at place ${this.#index} of a list ` : `under "${this.#key.slice(0, 40)}" `;
  }

  enter(container: 'object' | 'array'): void {
    this.#schemas.push(this.schema);
    this.#indexes.push(container === 'array' ? 0 : -1);
  }

  leave(): void {
    this.#schemas.pop();
    this.#indexes.pop();
  }

  /** Leaves every container. Returns the brackets that close them. */
  leaveAll(): string {
    let brackets = '';
    for (; !this.top; this.leave()) brackets += this.inArray ? ']' : '}';
    return brackets;
  }

  nextItem(): void {
    this.#indexes[this.#indexes.length - 1] = this.#index + 1;
  }

  /** The key of the current object's next value. */
  atKey(key: string): void {
    this.#key = key;
  }

  get #index(): number {
    return this.#indexes.at(-1) ?? -1;
  }
}
