import type { JsonSchema } from '../chat/tool.ts';
import { allTypes, type JsonType, namedTypes, type TypeSet, typeBits, typeOfValue } from './json-type.ts';
import { isKeywords, type Keywords, list, own, SchemaDocument } from './schema-document.ts';

export type { JsonType } from './json-type.ts';

/** Deeper chains of `$ref` and combining keywords tell nothing more. */
const maxDepth = 64;

/**
 * Made at its first use: TypeScript 7.0 writes a static field that makes its own class as a use before the definition.
 */
let anything: SchemaView | undefined;

/** Views made so far: the same schema object is resolved once. */
const views = new WeakMap<object, SchemaView>();

/** Finds what one schema object says of a member; undefined when it says nothing. */
type Pick = (node: Keywords) => unknown;

/**
 * What a JSON Schema says about a value: which types it admits, and what its members are. Resolved lazily, through local
 * `$ref`, `allOf`, `anyOf`, `oneOf`, `enum`, `const`, `nullable` and a `default` of null; assertions such as `minLength` are not looked at.
 *
 * Never throws and always ends, whatever the schema: cycles, thousands of levels, wrong kinds of values. Where a schema
 * says nothing, or contradicts itself, everything is admitted.
 */
export class SchemaView {
  readonly #node: Keywords;
  readonly #document: SchemaDocument;
  /** Views of this document's other schema objects; those put together here are dropped with their last use. */
  readonly #siblings: WeakMap<object, SchemaView>;
  readonly #properties = new Map<string, SchemaView>();
  readonly #items = new Map<number, SchemaView>();
  #unnamed: SchemaView | undefined;
  #types: TypeSet | undefined;
  #resolving = false;
  #names: ReadonlySet<string> | undefined;
  #nodes: readonly Keywords[] | undefined;
  #required: readonly string[] | undefined;
  #namesAll: boolean | undefined;
  #tupleLength: number | undefined;

  /** The view of no schema at all. */
  static get any(): SchemaView {
    anything ??= new SchemaView({}, new SchemaDocument({}), new WeakMap());
    return anything;
  }

  private constructor(node: Keywords, document: SchemaDocument, siblings: WeakMap<object, SchemaView>) {
    this.#node = node;
    this.#document = document;
    this.#siblings = siblings;
  }

  /** The view of a schema that is its own root. Anything that is not an object is the view of no schema. */
  static of(schema: JsonSchema | unknown): SchemaView {
    if (!isKeywords(schema)) return SchemaView.any;
    const known = views.get(schema);
    if (known !== undefined) return known;
    const siblings = new WeakMap<object, SchemaView>();
    const view = new SchemaView(schema, new SchemaDocument(schema), siblings);
    siblings.set(schema, view);
    views.set(schema, view);
    return view;
  }

  /** Whether a value of this type may be here. An integer is a number; where any number may stand, integers may. */
  admits(type: JsonType): boolean {
    return (this.#admitted & typeBits[type]) !== 0;
  }

  /** Whether nothing is known of the type. */
  get untyped(): boolean {
    return this.#admitted === allTypes;
  }

  get onlyString(): boolean {
    return this.#admitted === typeBits.string;
  }

  /** Whether of all numbers only whole ones may be here. */
  get wholeNumbersOnly(): boolean {
    return (this.#admitted & typeBits.number) === typeBits.integer;
  }

  /** All schema objects that say what the value may be, alternatives among them, in the schema's order. */
  get nodes(): readonly Keywords[] {
    this.#nodes ??= this.#document.reachable(this.#node, true);
    return this.#nodes;
  }

  /** The names under `properties`, also those of alternatives, in the schema's order. */
  get propertyNames(): readonly string[] {
    return [...this.#nameSet];
  }

  /** The properties that must be there in any case. */
  get required(): readonly string[] {
    this.#required ??= this.#findRequired();
    return this.#required;
  }

  #findRequired(): readonly string[] {
    const names = this.#document.reachable(this.#node, false).flatMap((node) => list(node, 'required'));
    return [...new Set(names.filter((name) => typeof name === 'string'))];
  }

  /** Whether the schema names this property. False also where `additionalProperties` would let it stand. */
  known(name: string): boolean {
    return this.#nameSet.has(name);
  }

  /** Whether a property of this name is nothing to wonder at: the schema names it, or does not name all that may stand. */
  expects(name: string): boolean {
    this.#namesAll ??= this.#document.namesAll(this.nodes);
    return !this.#namesAll || this.known(name);
  }

  /**
   * What is under `name`: its own schema, or `additionalProperties`. Names are never matched against
   * `patternProperties`, since no regular expression runs on what a model wrote; beside those, an unnamed property is
   * anything.
   */
  property(name: string): SchemaView {
    if (!this.known(name)) {
      this.#unnamed ??= this.#member((node) =>
        own(node, 'patternProperties') === undefined ? own(node, 'additionalProperties') : undefined,
      );
      return this.#unnamed;
    }
    // Remembering is bounded by the schema: names that a model made up never come here.
    const cached = this.#properties.get(name);
    if (cached !== undefined) return cached;
    const view = this.#member((node) => {
      const properties = own(node, 'properties');
      return isKeywords(properties) ? own(properties, name) : undefined;
    });
    this.#properties.set(name, view);
    return view;
  }

  /** What is at a place of an array, counted from zero. */
  items(index: number): SchemaView {
    this.#tupleLength ??= this.nodes.reduce((longest, node) => {
      return Math.max(longest, list(node, 'prefixItems').length, list(node, 'items').length);
    }, 0);
    const place = Math.min(index, this.#tupleLength);
    const cached = this.#items.get(place);
    if (cached !== undefined) return cached;
    const view = this.#member((node) => {
      // Before 2020-12 a tuple was a list under `items`, and `additionalItems` was the rest.
      const items = own(node, 'items');
      const tuple = Array.isArray(items) ? items : list(node, 'prefixItems');
      if (place < tuple.length) return tuple[place];
      return Array.isArray(items) ? own(node, 'additionalItems') : items;
    });
    this.#items.set(place, view);
    return view;
  }

  get #admitted(): TypeSet {
    this.#types ??= this.#resolveTypes(0);
    // A schema that admits nothing was not meant like that.
    return this.#types === 0 ? allTypes : this.#types;
  }

  get #nameSet(): ReadonlySet<string> {
    this.#names ??= new Set(
      this.nodes.flatMap((node) => {
        const properties = own(node, 'properties');
        return isKeywords(properties) ? Object.keys(properties) : [];
      }),
    );
    return this.#names;
  }

  /** The types of one schema of this document; undefined where a cycle or the depth says nothing new. */
  #typesOf(schema: unknown, depth: number): TypeSet | undefined {
    if (schema === false) return 0;
    if (!isKeywords(schema)) return allTypes;
    const view = this.#viewOf(schema);
    if (view.#types !== undefined) return view.#types;
    if (view.#resolving || depth > maxDepth) return undefined;
    view.#types = view.#resolveTypes(depth);
    return view.#types;
  }

  #resolveTypes(depth: number): TypeSet {
    this.#resolving = true;
    const node = this.#node;
    let types = namedTypes(own(node, 'type'));
    if (Array.isArray(own(node, 'enum'))) {
      types &= list(node, 'enum').reduce<TypeSet>((set, value) => set | typeOfValue(value), 0);
    }
    if (Object.hasOwn(node, 'const')) types &= typeOfValue(own(node, 'const'));
    for (const part of [this.#document.resolve(own(node, '$ref')), ...list(node, 'allOf')]) {
      types &= this.#typesOf(part, depth + 1) ?? allTypes;
    }
    for (const keyword of ['anyOf', 'oneOf']) {
      const alternatives = list(node, keyword).flatMap((part) => this.#typesOf(part, depth + 1) ?? []);
      if (alternatives.length > 0) types &= alternatives.reduce((set, part) => set | part, 0);
    }
    if (types === allTypes) types = impliedTypes(node);
    if (own(node, 'nullable') === true || own(node, 'default') === null) types |= typeBits.null;
    this.#resolving = false;
    return types;
  }

  #member(pick: Pick): SchemaView {
    const schema = this.#select(pick, new Map());
    return isKeywords(schema) ? this.#viewOf(schema) : SchemaView.any;
  }

  /** What this schema object and all it refers to say of a member, put together as one schema. */
  #select(pick: Pick, seen: Map<SchemaView, unknown>, depth = 0): unknown {
    if (seen.has(this) || depth > maxDepth) return seen.get(this);
    seen.set(this, undefined);
    const below = (schemas: readonly unknown[]): unknown[] =>
      schemas
        .map((schema) => (isKeywords(schema) ? this.#viewOf(schema).#select(pick, seen, depth + 1) : undefined))
        .filter((schema) => schema !== undefined);
    const parts = [pick(this.#node), ...below([this.#document.resolve(own(this.#node, '$ref'))])];
    parts.push(...below(list(this.#node, 'allOf')));
    for (const keyword of ['anyOf', 'oneOf']) {
      const alternatives = below(list(this.#node, keyword));
      if (alternatives.length > 0) parts.push(alternatives.length === 1 ? alternatives[0] : { anyOf: alternatives });
    }
    const said = parts.filter((part) => part !== undefined);
    const schema = said.length > 1 ? { allOf: said } : said[0];
    seen.set(this, schema);
    return schema;
  }

  #viewOf(schema: Keywords): SchemaView {
    const known = this.#siblings.get(schema);
    if (known !== undefined) return known;
    const view = new SchemaView(schema, this.#document, this.#siblings);
    this.#siblings.set(schema, view);
    return view;
  }
}

/** Authors forget `type` where members make it plain. */
function impliedTypes(node: Keywords): TypeSet {
  if (isKeywords(own(node, 'properties'))) return typeBits.object;
  return own(node, 'items') !== undefined || own(node, 'prefixItems') !== undefined ? typeBits.array : allTypes;
}
