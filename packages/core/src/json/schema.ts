import type { JsonSchema } from '../chat/tool.ts';
import { allTypes, type JsonType, namedTypes, type TypeSet, typeBits, typeOfValue } from './json-type.ts';
import { isKeywords, type Keywords, listMember, ownMember, SchemaDocument } from './schema-document.ts';

export type { JsonType } from './json-type.ts';

/** A schema that says nothing. */
const nothing: Keywords = {};

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
  /** By the name of a property, the place in a list, or `undefined` for properties that the schema does not name. */
  readonly #members = new Map<string | number | undefined, SchemaView>();
  #types: TypeSet | undefined;
  #names: ReadonlySet<string> | undefined;
  #nodes: readonly Keywords[] | undefined;
  #required: readonly string[] | undefined;
  #namesAll: boolean | undefined;
  #tupleLength: number | undefined;

  /** The view of no schema at all. */
  static get any(): SchemaView {
    return SchemaView.of(nothing);
  }

  private constructor(node: Keywords, document: SchemaDocument, siblings: WeakMap<object, SchemaView>) {
    this.#node = node;
    this.#document = document;
    this.#siblings = siblings;
  }

  /** The view of a schema that is its own root. Anything that is not an object is the view of no schema. */
  static of(schema: JsonSchema | unknown): SchemaView {
    const root = isKeywords(schema) ? schema : nothing;
    const known = views.get(root);
    if (known !== undefined) return known;
    const view = new SchemaView(root, new SchemaDocument(root), new WeakMap());
    view.#siblings.set(root, view);
    views.set(root, view);
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
    this.#required ??= [
      ...new Set(
        this.#split.sure.flatMap((node) => listMember(node, 'required')).filter((name) => typeof name === 'string'),
      ),
    ];
    return this.#required;
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
    // Remembering is bounded by the schema: names that a model made up share one view.
    if (this.known(name)) {
      return this.#member(name, (node) => {
        const properties = ownMember(node, 'properties');
        return isKeywords(properties) ? ownMember(properties, name) : undefined;
      });
    }
    return this.#member(undefined, (node) =>
      ownMember(node, 'patternProperties') === undefined ? ownMember(node, 'additionalProperties') : undefined,
    );
  }

  /** What is at a place of an array, counted from zero. */
  items(index: number): SchemaView {
    this.#tupleLength ??= Math.max(...this.nodes.map((node) => tupleOf(node).length));
    const place = Math.min(index, this.#tupleLength);
    return this.#member(place, (node) => {
      const tuple = tupleOf(node);
      if (place < tuple.length) return tuple[place];
      return ownMember(node, Array.isArray(ownMember(node, 'items')) ? 'additionalItems' : 'items');
    });
  }

  /** The schema objects that hold in any case, and those of which one holds. */
  get #split(): { readonly sure: readonly Keywords[]; readonly alternatives: readonly Keywords[] } {
    const sure = new Set(this.#document.reachable(this.#node, false));
    return { sure: [...sure], alternatives: this.nodes.filter((node) => !sure.has(node)) };
  }

  get #admitted(): TypeSet {
    this.#types ??= this.#findTypes();
    // A schema that admits nothing was not meant like that.
    return this.#types === 0 ? allTypes : this.#types;
  }

  get #nameSet(): ReadonlySet<string> {
    this.#names ??= new Set(
      this.nodes.flatMap((node) => {
        const properties = ownMember(node, 'properties');
        return isKeywords(properties) ? Object.keys(properties) : [];
      }),
    );
    return this.#names;
  }

  #findTypes(): TypeSet {
    const { sure, alternatives } = this.#split;
    const types = sure.reduce((set, node) => set & (ownTypes(node) ?? allTypes), allTypes);
    const oneOf = alternatives.reduce((set, node) => set | (ownTypes(node) ?? 0), 0);
    const isNullable = this.nodes.some(
      (node) => ownMember(node, 'nullable') === true || ownMember(node, 'default') === null,
    );
    return (types & (oneOf === 0 ? allTypes : oneOf)) | (isNullable ? typeBits.null : 0);
  }

  /** What all schema objects say of a member, put together: what holds in any case, and one of the alternatives. */
  #member(key: string | number | undefined, pick: Pick): SchemaView {
    const known = this.#members.get(key);
    if (known !== undefined) return known;
    const { sure, alternatives } = this.#split;
    const said = sure.map(pick).filter(isKeywords);
    const others = alternatives.map(pick).filter(isKeywords);
    if (others.length > 0) said.push({ anyOf: others });
    const [first] = said;
    const view = first === undefined ? SchemaView.any : this.#viewOf(said.length === 1 ? first : { allOf: said });
    this.#members.set(key, view);
    return view;
  }

  #viewOf(schema: Keywords): SchemaView {
    const known = this.#siblings.get(schema);
    if (known !== undefined) return known;
    const view = new SchemaView(schema, this.#document, this.#siblings);
    this.#siblings.set(schema, view);
    return view;
  }
}

/** The types that a schema object names itself; undefined where it leaves that to others. */
function ownTypes(node: Keywords): TypeSet | undefined {
  let types = namedTypes(ownMember(node, 'type'));
  const values = ownMember(node, 'enum');
  if (Array.isArray(values)) types &= values.reduce<TypeSet>((set, value) => set | typeOfValue(value), 0);
  if (Object.hasOwn(node, 'const')) types &= typeOfValue(ownMember(node, 'const'));
  if (types !== allTypes) return types;
  // Authors forget `type` where members make it plain.
  if (isKeywords(ownMember(node, 'properties'))) return typeBits.object;
  if (ownMember(node, 'items') !== undefined || ownMember(node, 'prefixItems') !== undefined) return typeBits.array;
  return ['$ref', 'allOf', 'anyOf', 'oneOf'].some((keyword) => Object.hasOwn(node, keyword)) ? undefined : allTypes;
}

/** What a schema says of the first places of an array. Before 2020-12 that was a list under `items`, and `additionalItems` the rest. */
function tupleOf(node: Keywords): readonly unknown[] {
  return Array.isArray(ownMember(node, 'items')) ? listMember(node, 'items') : listMember(node, 'prefixItems');
}
