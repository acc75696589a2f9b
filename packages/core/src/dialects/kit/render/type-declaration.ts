import type { ToolDefinition } from '../../../chat/tool.ts';
import { escapeJsonMarkers } from './escape-json-markers.ts';

/** A tool as a type declaration whose parameter is the JSON Schema of its arguments, without these literals. */
export function typeDeclaration(
  { name, description, inputSchema }: ToolDefinition,
  literals: readonly string[],
): string {
  const comment = description === undefined ? '' : `// ${escapeJsonMarkers(JSON.stringify(description), literals)}\n`;
  return `${comment}type ${name} = (_: ${escapeJsonMarkers(JSON.stringify(inputSchema), literals)}) => any;`;
}

/** A namespace with a declaration of each tool, as the templates of GigaChat write it. */
export function functionNamespace(tools: readonly ToolDefinition[], literals: readonly string[]): string {
  const declarations = tools.map((tool) => typeDeclaration(tool, literals));
  return `namespace functions {\n${declarations.join('\n\n')}\n} // namespace functions`;
}
