/** The keywords of one schema object. */
export type Keywords = { readonly [keyword: string]: unknown };

/** Whether a value is an object with named members, which arrays are not. */
export function isKeywords(value: unknown): value is Keywords {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of its own; what a prototype brings (`constructor`) does not count. */
export function ownMember(node: Keywords, name: string): unknown {
  return Object.hasOwn(node, name) ? node[name] : undefined;
}

/** A keyword whose value is a list; anything else counts as an empty one. */
export function listMember(node: Keywords, keyword: string): readonly unknown[] {
  const value = ownMember(node, keyword);
  return Array.isArray(value) ? value : [];
}

/** Keywords that let properties stand which `properties` does not name, unless they say that there are none. */
const openKeywords: readonly string[] = ['additionalProperties', 'unevaluatedProperties'];

/** Keywords that name a schema. */
const anchorKeywords: readonly string[] = ['$anchor', '$dynamicAnchor'];

/** Keywords by which properties may be named somewhere else. */
const namingKeywords: readonly string[] = [
  ...['patternProperties', 'propertyNames', 'dependentSchemas', 'dependencies', 'if'],
  ...['$dynamicRef', '$recursiveRef'],
];

/** More schema objects than any real tool has; what lies beyond is not looked at. */
const maxNodes = 10_000;

/** One root schema, in which local references are looked up. */
export class SchemaDocument {
  readonly #root: unknown;
  #anchors: ReadonlyMap<unknown, Keywords> | undefined;

  constructor(root: unknown) {
    this.#root = root;
  }

  /**
   * What a local `$ref` points to: `#`, a JSON pointer such as `#/$defs/a~1b%20c`, or the name of an anchor, each also
   * after the `$id` of the root. Undefined for all else.
   */
  resolve(ref: unknown): unknown {
    if (typeof ref !== 'string' || ref === '') return undefined;
    const id = isKeywords(this.#root) ? ownMember(this.#root, '$id') : undefined;
    return this.#find(typeof id === 'string' && ref.startsWith(id) ? ref.slice(id.length) : ref);
  }

  #find(ref: string): unknown {
    if (ref === '#' || ref === '') return this.#root;
    if (!ref.startsWith('#')) return undefined;
    if (!ref.startsWith('#/')) return this.#anchored(ref.slice(1));
    let node: unknown = this.#root;
    for (const segment of ref.slice(2).split('/')) {
      if (typeof node !== 'object' || node === null) return undefined;
      node = Object.getOwnPropertyDescriptor(node, unescapeSegment(segment))?.value;
    }
    return node;
  }

  /** Where several have this name, the outermost. */
  #anchored(name: string): Keywords | undefined {
    this.#anchors ??= new Map(
      [...this.everyNode]
        .reverse()
        .flatMap((node) => anchorKeywords.map((keyword) => [ownMember(node, keyword), node])),
    );
    return this.#anchors.get(name);
  }

  /** Every object of the document, the outer ones first, whether it is a schema or holds some. */
  get everyNode(): readonly Keywords[] {
    const found: unknown[] = [this.#root];
    for (const value of found) {
      if (found.length > maxNodes || typeof value !== 'object' || value === null) continue;
      for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) found.push(part);
    }
    return found.filter(isKeywords);
  }

  /** Whether `properties` of these schema objects, which speak of one value, are certainly all the names that they tell of. */
  namesAll(nodes: readonly Keywords[]): boolean {
    const leavesOpen = (node: Keywords) =>
      openKeywords.some((keyword) => (ownMember(node, keyword) ?? false) !== false) ||
      namingKeywords.some((keyword) => Object.hasOwn(node, keyword)) ||
      (Object.hasOwn(node, '$ref') && !isKeywords(this.resolve(ownMember(node, '$ref'))));
    return (
      nodes.length < maxNodes &&
      nodes.some((node) => isKeywords(ownMember(node, 'properties'))) &&
      !nodes.some(leavesOpen)
    );
  }

  /**
   * `start` and every schema object that speaks of the same value: through `$ref` and `allOf`, with `alternatives` also
   * through `anyOf` and `oneOf`. Each once, in the order of the schema.
   */
  reachable(start: Keywords, alternatives: boolean): readonly Keywords[] {
    const found = new Set<Keywords>([start]);
    const keywords = alternatives ? ['allOf', 'anyOf', 'oneOf'] : ['allOf'];
    // A set is iterated to its end even when it grows meanwhile: no recursion, and cycles end by themselves.
    for (const node of found) {
      const next = [this.resolve(ownMember(node, '$ref')), ...keywords.flatMap((keyword) => listMember(node, keyword))];
      for (const child of next) {
        if (found.size >= maxNodes) return [...found];
        if (isKeywords(child)) found.add(child);
      }
    }
    return [...found];
  }
}

/** Whether one of the keywords is anywhere in the schema. */
export function usesKeyword({ everyNode }: SchemaDocument, keywords: readonly string[]): boolean {
  return everyNode.some((node) => keywords.some((keyword) => Object.hasOwn(node, keyword)));
}

function unescapeSegment(segment: string): string {
  let name = segment;
  try {
    name = decodeURIComponent(segment);
  } catch {
    // A stray percent sign: the author meant it literally.
  }
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}
