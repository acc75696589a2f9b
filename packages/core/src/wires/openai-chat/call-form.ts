import type { ChatRequest } from '../../chat/request.ts';
import { wireId } from './types.ts';

/** How a client reads calls: as `tool_calls`, or as the one `function_call` of the older API. */
export type ClientCallForm = 'tools' | 'function';

/** What marks a tool of type `custom`. */
export const customMark = { [wireId]: { custom: true } } as const;

/** The names of declared tools that take free text. */
export function customNames({ tools }: Pick<ChatRequest, 'tools'>): ReadonlySet<string> {
  return new Set(tools.filter(({ extra }) => extra?.[wireId]?.custom === true).map(({ name }) => name));
}

/** What marks a tool that was declared under `functions`. */
export const functionMark = { [wireId]: { function: true } } as const;

/** A request that declared `functions` and no `tools` gets its call in their form. */
export function callFormOf({ tools }: ChatRequest): ClientCallForm {
  const [first] = tools;
  return first?.extra?.[wireId]?.function === true ? 'function' : 'tools';
}
