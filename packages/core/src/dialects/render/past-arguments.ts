import type { ToolDefinition } from '../../chat/tool.ts';
import { SchemaView } from '../../json/schema.ts';
import type { PastCall } from '../dialect.ts';
import { escapeJsonMarkers } from './escape-json-markers.ts';
import { hasJsonMembers, type JsonMember, jsonMembers } from './json-members.ts';
import { type TextValueForm, writeTextValue } from './text-value.ts';

/**
 * The arguments of a past call as JSON, with their own text; no text at all is `{}`, and what is no object stands as a JSON
 * string. None of the literals occurs in it: a file that a call writes may hold control tokens, and JSON can escape them
 * without changing the value.
 */
export function pastArguments(call: PastCall, literals: readonly string[]): string {
  const { arguments: text } = call;
  if (text.trim() === '') return '{}';
  return escapeJsonMarkers(hasJsonMembers(text) ? text : JSON.stringify(text), literals);
}

/** A parameter of a past call. */
export interface PastParameter extends JsonMember {
  readonly schema: SchemaView;
}

/** The parameters of a past call, one by one. Arguments that are no object are one parameter named `arguments`. */
export function pastParameters(call: PastCall, tools: readonly ToolDefinition[]): readonly PastParameter[] {
  const tool = tools.find(({ name }) => name === call.name);
  const schema = tool === undefined ? SchemaView.any : SchemaView.of(tool.inputSchema);
  const members = jsonMembers(call.arguments) ?? [{ key: 'arguments', json: JSON.stringify(call.arguments) }];
  return members.map((member) => ({ ...member, schema: schema.property(member.key) }));
}

/** A parameter's value as text, in which nothing of `markup` would be read. */
export function pastText(
  { key, json, schema }: PastParameter,
  { markup, padded = 'never' }: Pick<TextValueForm, 'markup'> & Partial<TextValueForm>,
): string {
  return writeTextValue({ key, json }, { schema, markup, padded });
}
