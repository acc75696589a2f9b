import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool, LanguageModelV4Message } from '@ai-sdk/provider';
import {
  type ChatRequest,
  type Checks,
  checkOptions as checkAll,
  dialects,
  type JsonSchema,
  type Message,
  type OutputFormat,
  refuse,
  type ToolChoice,
  type ToolDefinition,
  textOf,
  textRuleChecks,
} from '@dragoman/core';
import type { KeptParts } from './kept-parts.ts';
import type { DragomanOptions } from './options.ts';
import { readPrompt } from './read-prompt.ts';

/** What reading call options takes. */
export interface CallReading {
  readonly kept: KeptParts;
  /** The model's name. */
  readonly model: string;
  /** Whether the reply is shown while it is written. */
  readonly stream: boolean;
}

/** What the SDK asks of a model, as a request of the chat model. How it samples stays with the SDK. */
export function readCallOptions(
  options: LanguageModelV4CallOptions,
  { kept, model, stream }: CallReading,
): ChatRequest {
  const { messages, warnings } = readPrompt(options.prompt, kept);
  const outputFormat = readFormat(options.responseFormat);
  return {
    model,
    messages,
    tools: functionToolsOf(options).map(readTool),
    toolChoice: readChoice(options.toolChoice),
    parallelToolCalls: true,
    stream,
    includeUsage: false,
    sampling: {},
    ...(outputFormat === undefined ? {} : { outputFormat }),
    extra: {},
    warnings,
  };
}

/** The tools that are taught. What a provider brings along is the provider's. */
function functionToolsOf({ tools = [] }: LanguageModelV4CallOptions): readonly LanguageModelV4FunctionTool[] {
  return tools.filter((tool) => tool.type === 'function');
}

function readTool({ name, description, inputSchema }: LanguageModelV4FunctionTool): ToolDefinition {
  return { name, ...(description === undefined ? {} : { description }), inputSchema: readSchema(inputSchema) };
}

/** The SDK's type of a schema names each keyword; ours takes any. */
function readSchema(schema: LanguageModelV4FunctionTool['inputSchema']): JsonSchema {
  return typeof schema === 'boolean' ? schema : { ...schema };
}

function readChoice(choice: LanguageModelV4CallOptions['toolChoice']): ToolChoice {
  if (choice === undefined) return 'auto';
  return choice.type === 'tool' ? { name: choice.toolName } : choice.type;
}

function readFormat(format: LanguageModelV4CallOptions['responseFormat']): OutputFormat | undefined {
  if (format === undefined || format.type === 'text') return undefined;
  const { schema, name, description } = format;
  if (schema === undefined) return { type: 'json' };
  return {
    type: 'json-schema',
    schema: readSchema(schema),
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
  };
}

const { images: _, ...ruleChecks } = textRuleChecks;

const optionChecks: Checks<DragomanOptions> = { dialect, ...ruleChecks };

/**
 * Throws DragomanError `config-invalid` for options that would not do what they say: an unknown one, or one with a value that
 * it cannot have. The message names it and says what is possible.
 */
export function checkOptions(options: unknown): void {
  checkAll(options, optionChecks, 'dragoman()');
}

/** Ids are looked up where they are used, which says what is near; here only what is no dialect at all is refused. */
function dialect(value: unknown, path: string): void {
  if (typeof value === 'string') return;
  const isOne =
    typeof value === 'object' && value !== null && 'createParser' in value && typeof value.createParser === 'function';
  if (!isOne) refuse(path, value, `give it the id of a dialect, such as "${[...dialects.keys()][0]}", or a Dialect.`);
}

/** The SDK's own options with the request in the words of a text model: no function tools, and what they were as text. */
export function writeCallOptions(
  options: LanguageModelV4CallOptions,
  request: ChatRequest,
  kept: KeptParts,
): LanguageModelV4CallOptions {
  const { tools = [], toolChoice: _, responseFormat, ...others } = options;
  // `provider`, and before version 6 of the SDK `provider-defined`.
  const providerTools = tools.filter((tool) => tool.type !== 'function');
  return {
    ...others,
    prompt: request.messages.map((message) => writeMessage(message, kept)),
    ...(providerTools.length === 0 ? {} : { tools: providerTools }),
    // A form that was asked for in words must not bind the model's calls as well.
    ...(responseFormat === undefined || request.outputFormat === undefined ? {} : { responseFormat }),
  };
}

function writeMessage(message: Message, kept: KeptParts): LanguageModelV4Message {
  const options = kept.optionsOf(message);
  switch (message.role) {
    case 'system':
      return { role: 'system', content: textOf(message.content), ...options };
    case 'user': {
      const content = message.content.map((part) => {
        if (part.type === 'text') return { type: 'text' as const, text: part.text, ...kept.optionsOf(part) };
        return kept.fileOf(part) ?? { type: 'text' as const, text: '[image]' };
      });
      return { role: 'user', content, ...options };
    }
    case 'assistant': {
      const texts = message.content.filter((part) => part.type === 'text');
      const content = texts.map((part) => ({ type: 'text' as const, text: part.text, ...kept.optionsOf(part) }));
      return { role: 'assistant', content, ...options };
    }
    case 'tool':
      throw new Error('A conversation that was written as text holds no results of tools.');
  }
}
