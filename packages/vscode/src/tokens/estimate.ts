import type { ReadMessage } from '../translate/read-messages.ts';
import type { ReadPart } from '../translate/read-parts.ts';
import type { FunctionTool, InputItem, WrittenRequest } from '../translate/written-request.ts';

/** What is around a message, a call or a result, in tokens. */
export const messageOverhead = 4;
/** What is around a tool's name, description and schema. */
export const toolOverhead = 8;
/** What a system prompt costs beside its text. */
export const systemOverhead = 4;
/** An image: about what OpenAI and Anthropic count for a full screen. */
export const imageTokens = 1100;

/**
 * About how many tokens a text has: characters divided by how many a token has on average, for Latin letters; one for each
 * character of writing without spaces, such as Chinese, and of signs beyond. It runs often and has no table, so it only
 * counts; calibration puts it right.
 */
export function estimateText(text: string, charactersPerToken: number): number {
  let wide = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) >= 0x2e80) wide += 1;
  return Math.ceil((text.length - wide) / charactersPerToken + wide);
}

/** A message, as VS Code counts one by one to see what fits. */
export function estimateMessage({ parts }: ReadMessage, charactersPerToken: number): number {
  return messageOverhead + sum(parts.map((part) => estimatePart(part, charactersPerToken)));
}

function estimatePart(part: ReadPart, perToken: number): number {
  if (part.kind === 'text' || part.kind === 'thinking') return estimateText(part.text, perToken);
  if (part.kind === 'call')
    return messageOverhead + estimateText(part.name + (JSON.stringify(part.input) ?? ''), perToken);
  if (part.kind === 'result') return messageOverhead + sum(part.content.map((each) => estimatePart(each, perToken)));
  if (part.kind === 'unknown') return 0;
  if (part.mimeType.startsWith('image/')) return imageTokens;
  return Math.ceil(part.data.length / perToken);
}

/** A whole request, with its system text, tools and images. */
export function estimateRequest(
  { instructions, input, tools = [] }: Pick<WrittenRequest, 'instructions' | 'input' | 'tools'>,
  charactersPerToken: number,
): number {
  const system = instructions === undefined ? 0 : systemOverhead + estimateText(instructions, charactersPerToken);
  return (
    system +
    sum(input.map((item) => estimateItem(item, charactersPerToken))) +
    sum(tools.map((tool) => estimateTool(tool, charactersPerToken)))
  );
}

function estimateTool({ name, description, parameters }: FunctionTool, perToken: number): number {
  return toolOverhead + estimateText(name + description + JSON.stringify(parameters), perToken);
}

function estimateItem(item: InputItem, perToken: number): number {
  if (item.type === 'function_call') return messageOverhead + estimateText(item.name + item.arguments, perToken);
  if (item.type === 'reasoning')
    return messageOverhead + sum(item.summary.map(({ text }) => estimateText(text, perToken)));
  const content = item.type === 'message' ? item.content : item.output;
  if (typeof content === 'string') return messageOverhead + estimateText(content, perToken);
  const counts = content.map((part) => (part.type === 'input_image' ? imageTokens : estimateText(part.text, perToken)));
  return messageOverhead + sum(counts);
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
