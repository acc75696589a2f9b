import { SchemaView } from './schema.ts';

/** Deeper values are broken. */
const maxDepth = 512;

/** So much of the keys of open objects is remembered, in UTF-16 units; what comes twice beyond it passes as written. */
const mostRemembered = 1 << 20;

/** Where in a JSON value the reader stands: the open containers, and the schema of what comes next. */
export class JsonPlace {
  readonly #root: SchemaView;
  /** The open containers: their schemas, and for arrays the index of the current item (objects: -1). */
  readonly #schemas: SchemaView[] = [];
  readonly #indexes: number[] = [];
  /** The keys of the open objects, by depth. They outlive their object, for the next one of its depth. */
  readonly #seen: Set<string>[] = [];
  #containers = '';
  #remembered = 0;
  #key = '';

  constructor(root: SchemaView) {
    this.#root = root;
  }

  /** Whether no container is open. */
  get top(): boolean {
    return this.#schemas.length === 0;
  }

  get full(): boolean {
    return this.depth === maxDepth;
  }

  /** How many containers are open. */
  get depth(): number {
    return this.#schemas.length;
  }

  /** The brackets that have opened the containers, from the outermost to the innermost. */
  get containers(): string {
    return this.#containers;
  }

  /** Whether the object that is open at this depth must have, or may have, this key, which it has not had before. */
  takes(key: string, depth: number): 'must' | 'may' | 'no' {
    const schema = this.#schemas[depth - 1];
    if (schema === undefined || !schema.known(key) || this.#seen[depth]?.has(key)) return 'no';
    return schema.required.includes(key) ? 'must' : 'may';
  }

  /** The value that comes next is an element, or a member that the schema of its object names. */
  get expected(): boolean {
    return this.inArray || this.#schemas.at(-1)?.known(this.#key) === true;
  }

  get inArray(): boolean {
    return this.#index >= 0;
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
    this.#containers += container === 'array' ? '[' : '{';
    if (container === 'object') this.#seen[this.depth] ??= new Set();
  }

  leave(): void {
    if (!this.inArray) this.#forgetKeys();
    this.#schemas.pop();
    this.#indexes.pop();
    this.#containers = this.#containers.slice(0, -1);
  }

  nextItem(): void {
    this.#indexes[this.#indexes.length - 1] = this.#index + 1;
  }

  /** The key of the current object's next value. Returns whether the object has had it before. */
  atKey(key: string): 'new' | 'repeated' {
    this.#key = key;
    const seen = this.#seen[this.depth];
    if (seen === undefined) return 'new';
    if (seen.has(key)) return 'repeated';
    if (this.#remembered + key.length > mostRemembered) return 'new';
    seen.add(key);
    this.#remembered += key.length;
    return 'new';
  }

  #forgetKeys(): void {
    const seen = this.#seen[this.depth];
    for (const key of seen ?? []) this.#remembered -= key.length;
    seen?.clear();
  }

  get #index(): number {
    return this.#indexes.at(-1) ?? -1;
  }
}
