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
  if (!('name' in tool) || typeof tool.name !== 'string') {
    return 'function' in tool ? "has the form of OpenAI's API" : 'has no name';
  }
  if (tool.name === '') return 'has an empty name';
  if ('description' in tool && !['string', 'undefined'].includes(typeof tool.description)) {
    return 'has a description that is no text';
  }
  if ('inputSchema' in tool && tool.inputSchema !== undefined) {
    const { inputSchema: schema } = tool;
    const isSchema = typeof schema === 'boolean' || (typeof schema === 'object' && schema !== null);
    return isSchema && !Array.isArray(schema) ? undefined : 'has an inputSchema that is no JSON Schema';
  }
  const other = otherSchemas.find((key) => key in tool);
  return other === undefined ? undefined : `has its schema in "${other}"`;
}
