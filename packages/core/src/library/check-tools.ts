import { DragomanError } from '../errors.ts';

const shape = '{ name, description, inputSchema }';

/**
 * Refuses tools that are of another shape, for callers without types. `place` says where they stand. Throws DragomanError
 * `config-invalid` with the place and what to write there.
 */
export function checkTools(tools: unknown, place: string): void {
  if (!Array.isArray(tools)) {
    throw new DragomanError(
      'config-invalid',
      `"tools" of ${place} is no list: give a list of ${shape}, or [] for none.`,
    );
  }
  for (const [at, tool] of tools.entries()) {
    const wrong = wrongIn(tool);
    if (wrong !== undefined) {
      throw new DragomanError('config-invalid', `tools[${at}] of ${place} ${wrong}: give ${shape}.`);
    }
  }
}

/** What other APIs call a tool's schema. Left unread, the tool would look as if it took no arguments. */
const otherSchemas = ['parameters', 'input_schema'];

function wrongIn(tool: unknown): string | undefined {
  if (typeof tool !== 'object' || tool === null) return 'is no object';
  const { name, description = '', inputSchema, function: openai }: Record<string, unknown> = { ...tool };
  if (typeof name !== 'string') return openai === undefined ? 'has no name' : "has the form of OpenAI's API";
  if (name === '') return 'has an empty name';
  if (typeof description !== 'string') return 'has a description that is no text';
  if (inputSchema === undefined) {
    const other = otherSchemas.find((key) => key in tool);
    return other && `has its schema in "${other}"`;
  }
  const isSchema = typeof inputSchema === 'boolean' || Object(inputSchema) === inputSchema;
  return isSchema && !Array.isArray(inputSchema) ? undefined : 'has an inputSchema that is no JSON Schema';
}
