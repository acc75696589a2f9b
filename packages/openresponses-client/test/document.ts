// Writes the schemas of an OpenAPI document as TypeScript, so that the compiler can compare them with our own types.

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly type?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}

/** One exported type for each schema, under its own name. */
export function typesOf(schemas: Readonly<Record<string, unknown>>): string {
  return Object.entries(schemas)
    .map(([name, schema]) => `export type ${name} = ${typeOf(schema as Schema)};`)
    .join('\n');
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return unionOf(choices);
  // Beside a reference stands its description.
  if (schema.allOf !== undefined)
    return schema.allOf
      .map(typeOf)
      .filter((type) => type !== 'unknown')
      .join(' & ');
  if (schema.enum !== undefined) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
  switch (schema.type) {
    case 'array':
      return `readonly (${typeOf(schema.items ?? {})})[]`;
    case 'object':
      return objectOf(schema);
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    default:
      return 'unknown';
  }
}

function unionOf(choices: readonly Schema[]): string {
  const types = choices.map(typeOf).filter((type) => type !== 'unknown');
  return types.map((type) => `(${type})`).join(' | ');
}

function objectOf({ properties, required = [], additionalProperties: others }: Schema): string {
  if (properties === undefined || Object.keys(properties).length === 0) {
    return `{ readonly [field: string]: ${typeof others === 'object' ? typeOf(others) : 'unknown'} }`;
  }
  const fields = Object.entries(properties).map(
    ([name, schema]) => `readonly ${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  );
  return `{ ${fields.join('; ')} }`;
}
