import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider';
import { type ChatRequest, type Message, textOf } from '@dragoman/core';
import type { KeptParts } from './kept-parts.ts';

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
