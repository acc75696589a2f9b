import { quoteName } from '../chat/warning.ts';
import type { DragomanError } from '../errors.ts';
import { badRequest, type Path } from './read-values.ts';

/** What a choice that names no declared tool is refused with: the first of those that it could name. */
export function undeclaredTool(path: Path, name: string, tools: readonly { readonly name: string }[]): DragomanError {
  const declared = tools.slice(0, 8).map((tool) => quoteName(tool.name));
  const problem = `names the tool ${quoteName(name)}, which is not declared. Declared: ${declared.join(', ') || 'none'}.`;
  return badRequest(path, problem);
}

/** Refuses to require a call of a request that brings no tools, as the vendors' servers do. */
export function refuseWithoutTools(path: Path, tools: unknown): void {
  if (Array.isArray(tools) && tools.length > 0) return;
  throw badRequest(path, 'requires a call, but the request has no tools.');
}
