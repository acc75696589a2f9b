import type { ToolDefinition } from './chat/tool.ts';
import { GatewayError } from './errors.ts';

const shape = '{ name, description, inputSchema }';

/**
 * Refuses tools that are of another shape, for callers without types. `place` says where they stand. Throws GatewayError
 * `config-invalid` with the place and what to write there.
 */
export function checkTools(tools: readonly ToolDefinition[], place: string): void {
  if (!Array.isArray(tools)) {
    throw new GatewayError(
      'config-invalid',
      `"tools" of ${place} is no list: give a list of ${shape}, or [] for none.`,
    );
  }
  for (const [at, tool] of tools.entries()) {
    if (typeof tool?.name === 'string') continue;
    const isOpenai = typeof tool === 'object' && tool !== null && 'function' in tool;
    const found = isOpenai ? "has the form of OpenAI's API" : 'has no name';
    throw new GatewayError('config-invalid', `tools[${at}] of ${place} ${found}: give ${shape}.`);
  }
}
