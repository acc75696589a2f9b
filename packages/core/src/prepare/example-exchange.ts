import type { Message } from '../chat/message.ts';
import type { ToolDefinition } from '../chat/tool.ts';
import type { Dialect, PastCall } from '../dialects/dialect.ts';
import { describeParameters } from '../json/describe-schema.ts';

/**
 * A made-up exchange that shows the model the form of a call: a user who asks for one, a call of the first tool with its
 * required parameters, a result that says it is none, and an answer. Empty without tools.
 */
export function exampleExchange(dialect: Dialect, tools: readonly ToolDefinition[]): readonly Message[] {
  const call = exampleCall(tools);
  if (call === undefined) return [];
  const result = dialect.renderResults([{ call, status: 'ok', text: 'This was only an example: nothing ran.' }]);
  return [
    said('user', 'Before we start, show me once how you call a tool. It is only an example.'),
    said('assistant', dialect.renderCalls([call], tools)),
    said('user', result),
    said('assistant', 'That is how I call tools. What can I do for you?'),
  ];
}

/** A call of the first tool with its required parameters. */
export function exampleCall([tool]: readonly ToolDefinition[]): PastCall | undefined {
  if (tool === undefined) return undefined;
  const required = describeParameters(tool.inputSchema).filter((parameter) => parameter.required);
  const given = Object.fromEntries(required.map(({ name, example }) => [name, example]));
  return { callId: 'example', ordinal: 0, name: tool.name, arguments: JSON.stringify(given) };
}

function said(role: 'user' | 'assistant', text: string): Message {
  return { role, content: [{ type: 'text', text }] };
}
