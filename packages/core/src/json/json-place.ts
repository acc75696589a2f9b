import { SchemaView } from './schema.ts';

/** Deeper values are broken. */
const maxDepth = 512;

/** So much of the keys of open objects is remembered, in UTF-16 units; what comes twice beyond it passes as written. */
const mostRemembered = 1 << 20;

/** An open object or list. */
interface Container {
  readonly schema: SchemaView;
  /** The brackets that have opened it and those around it, from the outermost to the innermost. */
  readonly brackets: string;
  /** The key, or the index, of what comes next in it. */
  at: string | number;
  /** The keys that an object has had. */
  keys?: Set<string>;
  /** The length of all keys that are remembered, with those of the objects around it. */
  remembered: number;
}

/** Where in a JSON value the reader stands: the open containers, and the schema of what comes next. */
export class JsonPlace {
  readonly #root: SchemaView;
  readonly #open: Container[] = [];
  #inner: Container | undefined;

  constructor(root: SchemaView) {
    this.#root = root;
  }

  /** Whether no container is open. */
  get top(): boolean {
    return this.#inner === undefined;
  }

  get full(): boolean {
    return this.depth === maxDepth;
  }

  /** How many containers are open. */
  get depth(): number {
    return this.#open.length;
  }

  /** The brackets that have opened the containers, from the outermost to the innermost. */
  get containers(): string {
    return this.#inner?.brackets ?? '';
  }

  /** Whether the object that is open at this depth must have, or may have, this key, which it has not had before. */
  takes(key: string, depth: number): 'must' | 'may' | 'no' {
    const { schema, keys } = this.#open[depth - 1] ?? {};
    if (schema === undefined || !schema.known(key) || keys?.has(key)) return 'no';
    return schema.required.includes(key) ? 'must' : 'may';
  }

  /** The value that comes next is an element, or a member that the schema of its object names. */
  get expected(): boolean {
    const { schema, at } = this.#inner ?? {};
    return typeof at === 'string' ? schema?.known(at) === true : at !== undefined;
  }

  get inArray(): boolean {
    return typeof this.#inner?.at === 'number';
  }

  /** The schema of the value that comes next. */
  get schema(): SchemaView {
    if (this.#inner === undefined) return this.#root;
    const { schema, at } = this.#inner;
    if (schema === SchemaView.any) return schema;
    return typeof at === 'number' ? schema.items(at) : schema.property(at);
  }

  /** For messages, with a space after it; empty at the top. */
  get words(): string {
    const at = this.#inner?.at;
    if (at === undefined) return '';
    return typeof at === 'number' ? `at place ${at} of a list ` : `under "${at.slice(0, 40)}" `;
  }

  enter(container: 'object' | 'array'): void {
    const isArray = container === 'array';
    this.#inner = {
      schema: this.schema,
      brackets: this.containers + (isArray ? '[' : '{'),
      at: isArray ? 0 : '',
      remembered: this.#inner?.remembered ?? 0,
    };
    this.#open.push(this.#inner);
  }

  leave(): void {
    this.#open.pop();
    this.#inner = this.#open.at(-1);
  }

  nextItem(): void {
    if (typeof this.#inner?.at === 'number') this.#inner.at += 1;
  }

  /** The key of the current object's next value. Returns whether the object has had it before. */
  atKey(key: string): 'new' | 'repeated' {
    const object = this.#inner;
    if (object === undefined) return 'new';
    object.at = key;
    object.keys ??= new Set();
    if (object.keys.has(key)) return 'repeated';
    if (object.remembered + key.length > mostRemembered) return 'new';
    object.keys.add(key);
    object.remembered += key.length;
    return 'new';
  }
}
