import type { ToolDefinition } from '../../chat/tool.ts';
import { rememberedFor } from '../parser/remembered.ts';
import { callSpellings } from './json/json-look.ts';

/** By key. Many dialects ask for the same, and all of them where calls are read in whatever form they come. */
const spelled = rememberedFor((_: readonly ToolDefinition[]) => new Map<string, readonly string[]>());

/** What makes an object a call where calls have no marker: the name of a tool behind its key. */
export function bareJsonMarkers(tools: readonly ToolDefinition[], key = 'name'): readonly string[] {
  const known = spelled(tools);
  const spellings = known.get(key) ?? tools.flatMap(({ name }) => callSpellings(key, name));
  known.set(key, spellings);
  return spellings;
}

/** What opens a list of calls where it has no marker: a bracket, the name of a tool, and another bracket. */
export function bareLiteralMarkers(tools: readonly ToolDefinition[]): readonly string[] {
  return tools.map(({ name }) => bareOpener(name));
}

/** What opens a list without a marker. It is escaped in foreign text, so it has one spelling. */
export function bareOpener(name: string): string {
  return `[${name}(`;
}
