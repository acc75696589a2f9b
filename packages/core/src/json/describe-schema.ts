import type { JsonSchema } from '../chat/tool.ts';
import { kindOfValue } from './json-type.ts';
import { isKeywords, type Keywords, listMember, ownMember, SchemaDocument } from './schema-document.ts';

/** A parameter as documentation tells it. */
export interface ParameterDoc {
  readonly name: string;
  readonly required: boolean;
  /** Such as `string`, `array of integer` or `string or null`; `any` when nothing is known. */
  readonly type: string;
  readonly description?: string;
  /** The values that may be here, as JSON texts. */
  readonly choices: readonly string[];
  /** JSON text. */
  readonly defaultValue?: string;
  /** A value that may be here: the default, else a listed one, else an example, else one made up by type. */
  readonly example: unknown;
  /** The members of an object, or of the objects in an array. Those of a schema that was told before are left out. */
  readonly members: readonly ParameterDoc[];
}

/** Deeper members are left to their parent's type word. */
const maxDepth = 6;

/** Type words tell this many levels of arrays and this many alternatives. */
const maxArrays = 3;
const maxAlternatives = 8;

/** Made-up values in one tool's examples; beyond it objects and arrays stay empty. */
const maxExamples = 200;

/**
 * Documents the parameters of a tool in the schema's order, through local references and combined schemas. Each schema
 * object is told once, so recursive schemas end and the work is linear.
 */
export function describeParameters(schema: JsonSchema): readonly ParameterDoc[] {
  if (!isKeywords(schema)) return [];
  return new Describer(new SchemaDocument(schema)).members(schema, 0);
}

class Describer {
  readonly #document: SchemaDocument;
  readonly #told = new Set<Keywords>();
  readonly #expanded = new Set<Keywords>();
  /** By level of arrays: schemas that share parts are not walked again. */
  readonly #words: readonly Map<Keywords, string>[] = Array.from({ length: maxArrays + 1 }, () => new Map());
  #examples = 0;

  constructor(document: SchemaDocument) {
    this.#document = document;
  }

  members(node: Keywords, depth: number): readonly ParameterDoc[] {
    if (depth > maxDepth) return [];
    const required = new Set(this.#document.reachable(node, false).flatMap((part) => listMember(part, 'required')));
    const docs = new Map<string, ParameterDoc>();
    for (const part of this.#document.reachable(node, true)) {
      const properties = ownMember(part, 'properties');
      if (!isKeywords(properties) || this.#told.has(part)) continue;
      this.#told.add(part);
      for (const [name, schema] of Object.entries(properties)) {
        if (!docs.has(name)) docs.set(name, this.#describe(schema, { name, required: required.has(name), depth }));
      }
    }
    return [...docs.values()];
  }

  #describe(
    schema: unknown,
    place: { readonly name: string; readonly required: boolean; readonly depth: number },
  ): ParameterDoc {
    const node = isKeywords(schema) ? schema : {};
    const parts = this.#document.reachable(node, true);
    const description = parts.map((part) => ownMember(part, 'description')).find((text) => typeof text === 'string');
    const choices = choicesOf(parts);
    const defaults = parts.map((part) => ownMember(part, 'default')).filter((value) => value !== undefined);
    return {
      name: place.name,
      required: place.required,
      type: this.#typeWords(node, 0),
      ...(typeof description === 'string' && description !== '' ? { description } : {}),
      choices: choices.map((value) => JSON.stringify(value)),
      ...(defaults.length === 0 ? {} : { defaultValue: JSON.stringify(defaults[0]) }),
      example: this.#example(node, place.name, 0),
      members: this.#membersOf(parts, place.depth + 1),
    };
  }

  #membersOf(parts: readonly Keywords[], depth: number): readonly ParameterDoc[] {
    return [...this.#inner(parts)].flatMap((inner) => (this.#told.has(inner) ? [] : this.members(inner, depth)));
  }

  /** The schemas whose properties are the members of a value: its own, or those of an array's items. Each once in all. */
  #inner(parts: readonly Keywords[]): ReadonlySet<Keywords> {
    const found = new Set<Keywords>(parts.filter((part) => !this.#expanded.has(part)));
    // A set is iterated to its end even when it grows meanwhile.
    for (const part of found) {
      this.#expanded.add(part);
      const items = itemsOf(part);
      if (items === undefined || this.#expanded.has(items)) continue;
      for (const item of this.#document.reachable(items, true)) if (!this.#expanded.has(item)) found.add(item);
    }
    return found;
  }

  #typeWords(node: Keywords, depth: number): string {
    const known = this.#words[depth]?.get(node);
    if (known !== undefined) return known;
    const words = new Set<string>();
    for (const part of this.#document.reachable(node, true)) {
      for (const word of ownTypes(part)) {
        if (words.size >= maxAlternatives) break;
        const items = word === 'array' && depth < maxArrays ? itemsOf(part) : undefined;
        const inner = items === undefined ? 'any' : this.#typeWords(items, depth + 1);
        words.add(inner === 'any' ? word : `array of ${inner}`);
      }
    }
    const type = words.size === 0 ? 'any' : [...words].join(' or ');
    this.#words[depth]?.set(node, type);
    return type;
  }

  #example(node: Keywords, name: string, depth: number): unknown {
    const parts = this.#document.reachable(node, true);
    const told = parts.map((part) => ownMember(part, 'default')).find((value) => value !== undefined && value !== null);
    const listed = choicesOf(parts).find((value) => value !== null);
    const shown = parts
      .flatMap((part) => [...listMember(part, 'examples'), ownMember(part, 'example')])
      .find((value) => value !== undefined);
    const known = told ?? listed ?? shown;
    return known === undefined ? this.#placeholder(parts, { name, depth }) : known;
  }

  #placeholder(parts: readonly Keywords[], place: { readonly name: string; readonly depth: number }): unknown {
    this.#examples += 1;
    for (const part of parts) {
      const type = ownTypes(part)[0];
      if (type === 'string') return stringPlaceholder(place.name);
      if (type === 'integer' || type === 'number') return Math.max(1, Number(ownMember(part, 'minimum')) || 1);
      if (type === 'boolean') return true;
      if (type === 'array') {
        const items = itemsOf(part);
        return items === undefined || this.#full(place.depth)
          ? []
          : [this.#example(items, place.name, place.depth + 1)];
      }
      if (type === 'object') return this.#full(place.depth) ? {} : this.#objectPlaceholder(parts, place.depth);
    }
    return stringPlaceholder(place.name);
  }

  #full(depth: number): boolean {
    return depth > 2 || this.#examples > maxExamples;
  }

  #objectPlaceholder(parts: readonly Keywords[], depth: number): object {
    const required = new Set(parts.flatMap((part) => listMember(part, 'required')));
    const members = parts.flatMap((part) => {
      const properties = ownMember(part, 'properties');
      return isKeywords(properties) ? Object.entries(properties) : [];
    });
    return Object.fromEntries(
      members
        .filter(([name]) => required.has(name))
        .map(([name, schema]) => [name, this.#example(isKeywords(schema) ? schema : {}, name, depth + 1)]),
    );
  }
}

function ownTypes(node: Keywords): readonly string[] {
  const type = ownMember(node, 'type');
  if (typeof type === 'string') return [type];
  const types = listMember(node, 'type').filter((word) => typeof word === 'string');
  if (types.length > 0) return types;
  const values = [
    ...listMember(node, 'enum'),
    ...(ownMember(node, 'const') === undefined ? [] : [ownMember(node, 'const')]),
  ];
  if (values.length > 0) return [...new Set(values.map(kindOfValue))];
  if (ownMember(node, 'properties') !== undefined) return ['object'];
  return ownMember(node, 'items') === undefined ? [] : ['array'];
}

function itemsOf(node: Keywords): Keywords | undefined {
  const items = ownMember(node, 'items');
  if (Array.isArray(items)) return isKeywords(items[0]) ? items[0] : undefined;
  return isKeywords(items) ? items : undefined;
}

function choicesOf(parts: readonly Keywords[]): readonly unknown[] {
  return parts.flatMap((part) => {
    const only = ownMember(part, 'const');
    return [...listMember(part, 'enum'), ...(only === undefined ? [] : [only])];
  });
}

function stringPlaceholder(name: string): string {
  const lower = name.toLowerCase();
  return lower.includes('path') || lower.includes('file') ? 'path/to/file' : `the ${name}`;
}
