import type { JsonSchema, ToolDefinition } from '../chat/tool.ts';
import { isKeywords, type Keywords, SchemaDocument, usesKeyword } from '../json/schema-document.ts';

/** What a reply may be that is one JSON object. */
export interface EnvelopeForm {
  readonly tools: readonly ToolDefinition[];
  /** The schema of the answer's value, and the key under which it stands. Absent: the reply has to be a call. */
  readonly answer?: { readonly key: string; readonly schema: JsonSchema };
}

/**
 * Writes what a reply may be as one JSON Schema: `{"name": …, "arguments": {…}}` of one of the tools, or `{"answer": …}`. Servers that
 * make a grammar of it know `enum` where `const` is too new for them. References of each schema lead where they led: a schema that has
 * some is among the definitions of the whole. Undefined where one leads further than that.
 */
export function writeSchema({ tools, answer }: EnvelopeForm): JsonSchema | undefined {
  const definitions: Record<string, JsonSchema> = {};
  const parts = [...tools.map(({ inputSchema }) => inputSchema), ...(answer === undefined ? [] : [answer.schema])];
  const values: JsonSchema[] = [];
  for (const [at, schema] of parts.entries()) {
    const value = placed(schema, { name: `part${at}`, definitions });
    if (value === undefined) return undefined;
    values.push(value);
  }
  const calls = tools.map(({ name }, at) =>
    objectOf({ name: { type: 'string', enum: [name] }, arguments: values[at] ?? true }),
  );
  const forms = answer === undefined ? calls : [...calls, objectOf({ [answer.key]: values[tools.length] ?? true })];
  const [only] = forms;
  const whole = forms.length === 1 && only !== undefined ? only : { anyOf: forms };
  return Object.keys(definitions).length === 0 ? whole : { ...whole, $defs: definitions };
}

function objectOf(properties: Keywords): Keywords {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

const references: readonly string[] = ['$ref', '$dynamicRef', '$recursiveRef'];

function placed(
  schema: JsonSchema,
  { name, definitions }: { readonly name: string; readonly definitions: Record<string, JsonSchema> },
): JsonSchema | undefined {
  const document = new SchemaDocument(schema);
  if (!usesKeyword(document, references)) return schema;
  // What is known by a name of its own, and not by its place, cannot be moved.
  if (usesKeyword(document, ['$dynamicRef', '$recursiveRef', '$id', '$anchor'])) return undefined;
  const moved = withReferences(schema, `#/$defs/${name}`);
  if (moved === undefined) return undefined;
  definitions[name] = moved;
  return { $ref: `#/$defs/${name}` };
}

/** The same schema, whose references count from this place. Undefined where one leads out of it. */
function withReferences(schema: JsonSchema, place: string): JsonSchema | undefined {
  let leadsOut = false;
  const moved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(moved);
    if (!isKeywords(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([keyword, inner]) => {
        if (keyword !== '$ref' || typeof inner !== 'string') return [keyword, moved(inner)];
        leadsOut ||= inner !== '#' && !inner.startsWith('#/');
        return [keyword, place + inner.slice(1)];
      }),
    );
  };
  const whole = moved(schema);
  if (leadsOut || !isKeywords(whole)) return undefined;
  return whole;
}
