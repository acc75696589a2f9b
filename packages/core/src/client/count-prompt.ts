import { madeOnce } from '../chat/made-once.ts';
import type { Message } from '../chat/message.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { ToolDefinition } from '../chat/tool.ts';
import { pause } from '../pause.ts';
import type { EngineSetup } from '../plan/setup.ts';

type CountTokens = EngineSetup['countTokens'];

/** UTF-16 units of tools that are written as JSON in one turn: some 0.2 ms. */
const unitsInTurn = 64_000;

/** Counts everything of a request that a model reads: its tools as JSON, and its messages. Images do not count. Keeps none of it. */
export function countPrompt({ tools, messages }: ChatRequest, countTokens: CountTokens): Promise<number> {
  const counts = [countTools(tools, countTokens), countTokens(textsOf(messages))];
  return Promise.all(counts).then(([ofTools = 0, ofMessages = 0]) => ofTools + ofMessages);
}

/** What tools counted, of which each request of a client has the same. */
const counted = madeOnce((_: CountTokens) => new WeakMap<readonly ToolDefinition[], number>());

async function countTools(tools: readonly ToolDefinition[], countTokens: CountTokens): Promise<number> {
  const known = tools.length === 0 ? 0 : counted(countTokens).get(tools);
  if (known !== undefined) return known;
  const texts: string[] = [];
  let units = 0;
  for (const tool of tools) {
    if (units > unitsInTurn) {
      await pause(0);
      units = 0;
    }
    const text = JSON.stringify(tool);
    units += text.length;
    texts.push(text);
  }
  const count = await countTokens(texts);
  counted(countTokens).set(tools, count);
  return count;
}

/** The texts of messages that a model reads. */
export function textsOf(messages: readonly Message[]): readonly string[] {
  const parts: string[] = [];
  for (const message of messages) {
    for (const part of message.content) {
      if (part.type === 'text' || part.type === 'reasoning') parts.push(part.text);
      else if (part.type === 'tool-call') parts.push(part.name, part.arguments);
    }
  }
  return parts;
}
