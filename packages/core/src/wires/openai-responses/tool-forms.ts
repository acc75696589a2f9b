import type { ToolDefinition } from '../../chat/tool.ts';
import type { JsonObject } from '../read-values.ts';
import { wireId } from './types.ts';

/** How the client declared a tool, which a call of it has to follow. */
export interface ToolForm {
  /** `custom`: the input is free text. Models get it as a tool with one string parameter, `input`. */
  readonly kind: 'function' | 'custom';
  readonly name: string;
  /** The group that the tool is in. */
  readonly namespace?: string;
}

/** What marks a tool that takes free text. */
export const customMark = { [wireId]: { custom: true } } as const;

/** A tool of a group, under a name that stays apart from equal names in other groups. */
export function groupedTool(tool: ToolDefinition, namespace: string): ToolDefinition {
  const own = { ...tool.extra?.[wireId], namespace };
  return { ...tool, name: groupedName(tool.name, namespace), extra: { [wireId]: own } };
}

/** What models call a tool of a group, declared now or earlier: `group__tool`. */
export function groupedName(name: string, namespace = ''): string {
  return namespace === '' || namespace.endsWith('__') ? namespace + name : `${namespace}__${name}`;
}

/** The way back, from a tool as models see it. */
export function formOf({ name, extra }: ToolDefinition): ToolForm {
  const { custom, namespace }: JsonObject = extra?.[wireId] ?? {};
  const kind = custom === true ? 'custom' : 'function';
  if (typeof namespace !== 'string') return { kind, name };
  return { kind, name: name.slice(groupedName('', namespace).length), namespace };
}

/** Whether the tool is declared as any API would. */
export function isPlain(tool: ToolDefinition): boolean {
  const { kind, namespace } = formOf(tool);
  return kind === 'function' && namespace === undefined;
}
