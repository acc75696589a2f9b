import type { JsonSchema } from '../chat/tool.ts';
import { equalJson } from './equal-json.ts';
import { Evaluated } from './evaluated.ts';
import { fitCombined } from './fit-combined.ts';
import { fitList } from './fit-list.ts';
import { fitNumber } from './fit-number.ts';
import { fitObject } from './fit-object.ts';
import { fitString } from './fit-string.ts';
import { type Decision, type Fitting, type Looked, OutOfSteps } from './fitting.ts';
import { namedTypes, type TypeSet, typeBits, typeOfValue } from './json-type.ts';
import { inside, type Misfit, misfitAt, quoteSome, quoteValue } from './misfit.ts';
import { Patterns } from './patterns.ts';
import { isKeywords, type Keywords, own, SchemaDocument } from './schema-document.ts';

export { type Misfit, misfitWords } from './misfit.ts';

/** So many single looks at a value are worth an answer: some tenths of a second, and ten times what real answers take. */
const mostSteps = 250_000;

/** Schemas within each other, references counted: no stack is that small. */
const deepest = 800;

/**
 * Looks for the first place where a parsed JSON value does not fit a schema of draft 2020-12; what older drafts and
 * OpenAPI wrote differently is understood as well. Undefined: it fits. `unjudged`: no misfit was found, but whether it fits
 * hangs on what is not checked, or the schema asks for more work than one answer is worth, as schemas can that double with
 * every level. Never throws.
 *
 * Not checked are patterns with look-arounds or back-references, and what a reference asks that leads outside of the schema,
 * or is in a schema with schemas in it that have ids of their own.
 * `format` counts for the formats that are known, and says nothing else.
 */
export function findMisfit(value: unknown, schema: JsonSchema): Misfit | 'unjudged' | undefined {
  try {
    const decision = new Fitter(schema).judge(schema, { value, place: undefined });
    if (decision.fits === 'no') return decision.misfit;
    return decision.fits === 'yes' ? undefined : 'unjudged';
  } catch (thrown) {
    // A range error: the value itself is nested deeper than the stack.
    if (thrown instanceof OutOfSteps || thrown instanceof RangeError) return 'unjudged';
    throw thrown;
  }
}

class Fitter implements Fitting {
  readonly #document: SchemaDocument;
  /** Somewhere the schema speaks of what is not described elsewhere. */
  readonly #tracks: boolean;
  readonly #holdsDocuments: boolean;
  readonly #patterns = new Patterns();
  #steps = 0;
  #depth = 0;
  /** How often something was not checked that whether the value fits hangs on. */
  #doubts = 0;

  constructor(schema: JsonSchema) {
    this.#document = new SchemaDocument(schema);
    this.#holdsDocuments = this.#document.holdsDocuments;
    this.#tracks = this.#document.uses(['unevaluatedProperties', 'unevaluatedItems']);
  }

  readonly spend = (steps = 1): void => {
    this.#steps += steps;
    if (this.#steps > mostSteps) throw new OutOfSteps();
  };

  matches(pattern: string, text: string): boolean | undefined {
    return this.#patterns.matches(pattern, text, this.spend);
  }

  doubt(): void {
    this.#doubts += 1;
  }

  judge(schema: unknown, looked: Looked, evaluated?: Evaluated): Decision {
    const before = this.#doubts;
    const misfit = this.fit(schema, looked, evaluated);
    const isCertain = this.#doubts === before;
    // Whoever asked decides what hangs on it.
    this.#doubts = before;
    if (misfit !== undefined) return { fits: 'no', misfit };
    return { fits: isCertain ? 'yes' : 'perhaps' };
  }

  fit(schema: unknown, looked: Looked, evaluated?: Evaluated): Misfit | undefined {
    this.spend();
    if (schema === false) return misfitAt(looked.place, 'is not allowed');
    if (!isKeywords(schema)) return undefined;
    if (this.#depth === deepest) throw new OutOfSteps();
    this.#depth += 1;
    const mine = this.#tracks ? new Evaluated() : undefined;
    const found = this.#fitNode(schema, looked, mine);
    this.#depth -= 1;
    if (found === undefined && mine !== undefined && evaluated !== undefined) {
      this.spend(mine.members.size / 8);
      evaluated.addAll(mine);
    }
    return found;
  }

  #fitNode(node: Keywords, looked: Looked, evaluated: Evaluated | undefined): Misfit | undefined {
    if (looked.value === null && own(node, 'nullable') === true) return undefined;
    return (
      this.#fitReference(node, looked, evaluated) ??
      fitType(node, looked) ??
      this.#fitEnum(node, looked) ??
      this.#fitKind(node, looked, evaluated) ??
      fitCombined(node, looked, this, evaluated) ??
      this.#fitOthers(node, looked, evaluated)
    );
  }

  #fitReference(node: Keywords, looked: Looked, evaluated: Evaluated | undefined): Misfit | undefined {
    for (const keyword of ['$ref', '$dynamicRef']) {
      const ref = own(node, keyword);
      if (ref === undefined) continue;
      const target = this.#holdsDocuments ? undefined : this.#document.resolve(ref);
      if (target === undefined) this.doubt();
      const found = this.fit(target, looked, evaluated);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #fitEnum(node: Keywords, { value, place }: Looked): Misfit | undefined {
    const values = own(node, 'enum');
    if (Array.isArray(values) && !values.some((each) => equalJson(each, value, this.spend))) {
      return misfitAt(place, `must be one of ${quoteSome(values)}`);
    }
    if (!Object.hasOwn(node, 'const') || equalJson(own(node, 'const'), value, this.spend)) return undefined;
    return misfitAt(place, `must be ${quoteValue(own(node, 'const'))}`);
  }

  #fitKind(node: Keywords, { value, place }: Looked, evaluated: Evaluated | undefined): Misfit | undefined {
    if (typeof value === 'number') return fitNumber(node, { value, place });
    if (typeof value === 'string') return fitString(node, { value, place }, this);
    if (Array.isArray(value)) return fitList(node, { value, place }, this, evaluated);
    return isKeywords(value) ? fitObject(node, { value, place }, this, evaluated) : undefined;
  }

  /** What no other keyword of the schema has described. */
  #fitOthers(node: Keywords, { value, place }: Looked, evaluated: Evaluated | undefined): Misfit | undefined {
    if (evaluated === undefined || typeof value !== 'object' || value === null) return undefined;
    const schema = own(node, Array.isArray(value) ? 'unevaluatedItems' : 'unevaluatedProperties');
    if (schema === undefined) return undefined;
    const members: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
      ? [...value.entries()]
      : Object.entries(value);
    for (const [key, member] of members) {
      if (evaluated.has(key)) continue;
      const found = this.fit(schema, { value: member, place: inside(place, key) });
      if (found !== undefined) return found;
      evaluated.add(key);
    }
    return undefined;
  }
}

function fitType(node: Keywords, { value, place }: Looked): Misfit | undefined {
  const types = namedTypes(own(node, 'type'));
  const type = typeOfValue(value);
  if ((types & type) !== 0) return undefined;
  const wanted = kindsOf(types).join(' or ');
  // Of numbers only a fraction is not whole.
  return misfitAt(place, `must be ${wanted}, not ${kindsOf(type).at(-1) ?? 'a fraction'}`);
}

const kinds: readonly (readonly [set: TypeSet, words: string])[] = [
  [typeBits.string, 'a string'],
  [typeBits.integer, 'a whole number'],
  [typeBits.number, 'a number'],
  [typeBits.boolean, 'a boolean'],
  [typeBits.null, 'null'],
  [typeBits.object, 'an object'],
  [typeBits.array, 'a list'],
];

/** The kinds of a set of types in words; whole numbers go without saying where any number may stand. */
function kindsOf(types: TypeSet): readonly string[] {
  return kinds.flatMap(([set, words]) => {
    if ((types & set) !== set || (set === typeBits.integer && (types & typeBits.number) === typeBits.number)) return [];
    return [words];
  });
}
