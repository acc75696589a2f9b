import type { JsonSchema } from '../chat/tool.ts';
import { kindOfValue } from '../json/json-type.ts';
import { isKeywords, listMember, ownMember, type SchemaDocument } from '../json/schema-document.ts';

/** Where it cannot be told which type a value has. */
export const anyKind: readonly string[] = ['string', 'integer', 'number', 'boolean', 'null', 'array', 'object'];

const alone = new Map(anyKind.map((kind) => [kind, [kind]] as const));
const others: readonly string[] = ['$ref', 'anyOf', 'oneOf', 'const', 'enum'];

/** References and alternatives inside of each other are followed so deep. */
const deepest = 8;

/** The types that a value may have. */
export function kindsOf(schema: unknown, document: SchemaDocument, depth = 0): readonly string[] {
  if (!isKeywords(schema) || depth > deepest) return anyKind;
  const only = alone.get(String(ownMember(schema, 'type')));
  if (only !== undefined && !others.some((keyword) => Object.hasOwn(schema, keyword))) return only;
  const inner = (each: unknown) => kindsOf(each, document, depth + 1);
  if (Object.hasOwn(schema, '$ref')) return inner(document.resolve(ownMember(schema, '$ref')));
  const forms = [...listMember(schema, 'anyOf'), ...listMember(schema, 'oneOf')];
  if (forms.length > 0) return [...new Set(forms.flatMap(inner))];
  const listed = Object.hasOwn(schema, 'const') ? [ownMember(schema, 'const')] : listMember(schema, 'enum');
  if (listed.length > 0) return [...new Set(listed.map(kindOfValue))];
  const type = ownMember(schema, 'type');
  const types = Array.isArray(type) ? type : [type];
  const known = types.filter((each) => typeof each === 'string' && anyKind.includes(each));
  return known.length === types.length ? [...new Set(known.map(String))] : anyKind;
}

/** What a schema says of values of these types, if it is known to allow others, too. */
export function ofKinds(schema: unknown, kinds: readonly string[], document: SchemaDocument): JsonSchema {
  if (!isKeywords(schema)) return { type: [...kinds] };
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const forms = listMember(schema, keyword).filter((form) =>
      kindsOf(form, document).some((kind) => kinds.includes(kind)),
    );
    if (forms.length > 0) return { anyOf: forms.map((form) => ofKinds(form, kinds, document)) };
  }
  const listed = listMember(schema, 'enum').filter((value) => kinds.includes(kindOfValue(value)));
  if (listed.length > 0) return { enum: listed };
  const wanted = kindsOf(schema, document).filter((kind) => kinds.includes(kind));
  const { $ref, ...rest } = schema;
  return $ref !== undefined || Object.hasOwn(schema, 'const') ? schema : { ...rest, type: wanted };
}
