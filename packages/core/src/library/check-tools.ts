import { refuse } from '../check-value.ts';
import { isKeywords } from '../json/schema-document.ts';

const shape = '{ name, description, inputSchema }';

/**
 * Refuses tools that are of another shape, for callers without types. Throws DragomanError `config-invalid` with the place and
 * what to write there.
 */
export function checkTools(tools: unknown): void {
  if (!Array.isArray(tools)) refuse('tools', tools, `give a list of ${shape}, or [] for none.`);
  for (const [at, tool] of tools.entries()) {
    const fields: Record<string, unknown> = { ...tool };
    const wrong = wrongField(fields);
    if (wrong !== undefined) refuse(`tools[${at}].${wrong}`, fields[wrong], `give ${shape}, not the form of an API.`);
  }
}

function wrongField(tool: Record<string, unknown>): string | undefined {
  const { name, description = '', inputSchema } = tool;
  if (typeof name !== 'string' || name === '') return 'name';
  if (typeof description !== 'string') return 'description';
  // What other APIs call a tool's schema. Left unread, the tool would look as if it took no arguments.
  const isSchema =
    inputSchema === undefined
      ? !('parameters' in tool || 'input_schema' in tool)
      : typeof inputSchema === 'boolean' || isKeywords(inputSchema);
  return isSchema ? undefined : 'inputSchema';
}
