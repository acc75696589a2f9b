import type { Fields, Kind } from '@dragoman/core';
import type { SchemaNode } from './json-schema.ts';

/** The JSON Schema of what a table is described with, for editors. An object that has a name is in `definitions`. */
export function kindSchema({ is }: Kind<unknown>, definitions: Record<string, SchemaNode>): SchemaNode {
  const named = (name: string, fields: Fields, form?: string): SchemaNode => {
    if (!Object.hasOwn(definitions, name)) definitions[name] = fieldsSchema(fields, definitions, form);
    return { $ref: `#/$defs/${name}` };
  };
  switch (is.type) {
    case 'any':
      return {};
    case 'switch':
      return { type: 'boolean' };
    case 'word':
      return { type: 'string', enum: is.words };
    case 'text':
      return { type: 'string', maxLength: is.longest, ...(!is.mayBeEmpty && { minLength: 1 }) };
    case 'list':
      return { type: 'array', items: kindSchema(is.of, definitions), ...(!is.mayBeEmpty && { minItems: 1 }) };
    case 'either':
      return { anyOf: is.of.map((kind) => kindSchema(kind, definitions)) };
    case 'object':
      return named(is.name, is.fields);
    case 'forms':
      return {
        oneOf: Object.entries(is.forms).map(([form, fields]) =>
          named(`${is.name}-${form}`, { ...is.shared, ...fields }, form),
        ),
      };
  }
}

function fieldsSchema(fields: Fields, definitions: Record<string, SchemaNode>, form: string | undefined): SchemaNode {
  const all = Object.entries(fields);
  const told = form === undefined ? [] : [['form', { type: 'string', const: form }] as const];
  return {
    type: 'object',
    properties: Object.fromEntries([
      ...told,
      ...all.map(([name, { kind, says }]) => [name, { ...kindSchema(kind, definitions), description: says }] as const),
    ]),
    required: [...told, ...all.filter(([, { needed }]) => needed)].map(([name]) => name),
    additionalProperties: false,
  };
}
