import type { Message, Ollama, Tool } from 'ollama';
import type { CodingTool } from './coding-tool.ts';

export interface OllamaTurnOptions {
  readonly model: string;
  readonly messages: Message[];
  readonly tools: readonly CodingTool[];
  readonly stream: boolean;
  /** What the client keeps of calls and results: all it got, or only names and arguments, as its types say. */
  readonly keeps?: 'everything' | 'names';
}

export interface OllamaTurnOutcome {
  /** What the model said last. */
  readonly text: string;
  readonly ran: readonly { readonly name: string; readonly values: object }[];
  /** The history with everything that came. */
  readonly messages: readonly Message[];
}

/** One agent turn with the official client: runs what the model calls, in order, until it calls nothing. */
export async function runOllamaTurn(client: Ollama, options: OllamaTurnOptions): Promise<OllamaTurnOutcome> {
  const { model, messages, tools } = options;
  const ran: { name: string; values: object }[] = [];
  for (let round = 0; round < 8; round += 1) {
    const message = await ask(client, options);
    const calls = message.tool_calls ?? [];
    const kept = calls.map(({ function: { name, arguments: values } }) => ({ function: { name, arguments: values } }));
    messages.push(options.keeps === 'names' && calls.length > 0 ? { ...message, tool_calls: kept } : message);
    if (calls.length === 0) return { text: message.content, ran, messages };
    for (const { function: about } of calls) {
      ran.push({ name: about.name, values: about.arguments });
      const tool = tools.find(({ name }) => name === about.name);
      const content = await (tool?.run(about.arguments) ?? Promise.reject(new Error('no such tool'))).catch(
        (thrown: unknown) => `Error: ${thrown instanceof Error ? thrown.message : thrown}`,
      );
      messages.push({ role: 'tool', content, tool_name: about.name });
    }
  }
  throw new Error(`The turn of ${model} does not come to an end.`);
}

async function ask(client: Ollama, { model, messages, tools, stream }: OllamaTurnOptions): Promise<Message> {
  const declared = tools.map(declare);
  if (!stream) return (await client.chat({ model, messages, tools: declared, stream: false })).message;
  const whole: Message = { role: 'assistant', content: '' };
  for await (const { message } of await client.chat({ model, messages, tools: declared, stream: true })) {
    whole.content += message.content;
    if (message.tool_calls !== undefined) whole.tool_calls = [...(whole.tool_calls ?? []), ...message.tool_calls];
  }
  return whole;
}

/** A tool as the client takes it. Its type knows fewer words of JSON Schema than the API lets through. */
export function declare({ name, description, parameters }: CodingTool): Tool {
  return { type: 'function', function: { name, description, parameters } };
}
