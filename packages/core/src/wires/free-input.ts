import type { Extra } from '../chat/message.ts';
import type { ToolDefinition } from '../chat/tool.ts';
import { parsedJson } from '../json/parsed-json.ts';
import { isObject, type JsonObject } from './read-values.ts';

// Tools of type `custom` take free text, which Chat Completions and Responses know. Models get them as tools with one string
// parameter, and what they write for it is the input.

/** What models call that parameter. */
const inputField = 'input';

/** A tool with free input as models see it, out of its declared fields; or what is wrong with it. `mark`: how its wire knows it again. */
export function readFreeTool({ name, description, format }: JsonObject, mark: Extra): ToolDefinition | string {
  if (typeof name !== 'string' || name === '') return 'it has no name';
  const about = [description, grammarOf(format)].filter((text) => typeof text === 'string' && text !== '');
  return {
    name,
    ...(about.length === 0 ? {} : { description: about.join('\n\n') }),
    inputSchema: {
      type: 'object',
      properties: { [inputField]: { type: 'string', description: 'The whole input of the tool, as free text.' } },
      required: [inputField],
      additionalProperties: false,
    },
    extra: mark,
  };
}

/** Text models can only be told of a grammar. Responses writes its fields beside the type, Chat Completions into `grammar`. */
function grammarOf(format: unknown): string {
  if (!isObject(format) || format.type !== 'grammar') return '';
  const { syntax, definition } = isObject(format.grammar) ? format.grammar : format;
  if (typeof definition !== 'string') return '';
  return `The input follows this ${typeof syntax === 'string' ? syntax : ''} grammar:\n${definition}`;
}

/** Free input as the arguments that models write for it. */
export function wrapInput(input: string): string {
  return JSON.stringify({ [inputField]: input });
}

/** The free input out of such arguments; arguments of any other form are passed on as they are. */
export function unwrapInput(json: string): string {
  const value = parsedJson(json);
  return isObject(value) && typeof value[inputField] === 'string' ? value[inputField] : json;
}
