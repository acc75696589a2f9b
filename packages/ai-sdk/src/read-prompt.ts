import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
import type { AssistantMessage, Message, Part, ToolMessage, Warning } from '@dragoman/core';
import type { KeptParts } from './kept-parts.ts';

type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];

/** What reading a prompt keeps and leaves out. */
interface Reading {
  readonly kept: KeptParts;
  /** The types of parts that were left out. */
  readonly dropped: Set<string>;
}

/** Reads the SDK's prompt into the chat model. What a text model cannot be told is left out and becomes a warning. */
export function readPrompt(
  prompt: LanguageModelV4Prompt,
  kept: KeptParts,
): { readonly messages: readonly Message[]; readonly warnings: readonly Warning[] } {
  const dropped = new Set<string>();
  const messages = prompt.flatMap((message) => readMessage(message, { kept, dropped }));
  const warnings = [...dropped].map((type): Warning => {
    const message = `Parts of the type "${type}" can't be told to a model that reads text; they were left out.`;
    return { code: 'part-dropped', message };
  });
  return { messages, warnings };
}

function readMessage(message: LanguageModelV4Message, { kept, dropped }: Reading): readonly Message[] {
  const extra = kept.mark(message.providerOptions);
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: [{ type: 'text', text: message.content }], ...extra }];
    case 'user': {
      const content = message.content.map(
        (part): Part =>
          part.type === 'file'
            ? kept.keepFile(part)
            : { type: 'text', text: part.text, ...kept.mark(part.providerOptions) },
      );
      return [{ role: 'user', content, ...extra }];
    }
    case 'assistant': {
      const { content, results } = readAssistant(message.content, { kept, dropped });
      return [{ role: 'assistant', content, ...extra }, ...results];
    }
    case 'tool': {
      const results = message.content.filter((part) => part.type === 'tool-result');
      if (results.length < message.content.length) dropped.add('tool-approval-response');
      return results.map(readResult);
    }
  }
}

/** What the model said; a provider that ran a tool itself puts the result among it. */
function readAssistant(
  parts: AssistantContent,
  { kept, dropped }: Reading,
): { readonly content: AssistantMessage['content']; readonly results: readonly ToolMessage[] } {
  const content: AssistantMessage['content'][number][] = [];
  const results: ToolMessage[] = [];
  for (const part of parts) {
    switch (part.type) {
      case 'text':
        content.push({ type: 'text', text: part.text, ...kept.mark(part.providerOptions) });
        break;
      case 'reasoning':
        content.push({ type: 'reasoning', text: part.text });
        break;
      case 'tool-call':
        content.push({
          type: 'tool-call',
          callId: part.toolCallId,
          name: part.toolName,
          arguments: typeof part.input === 'string' ? part.input : textOfJson(part.input ?? {}),
        });
        break;
      case 'tool-result':
        results.push(readResult(part));
        break;
      case 'file':
      case 'custom':
      case 'reasoning-file':
        dropped.add(part.type);
        break;
    }
  }
  return { content, results };
}

function readResult({ toolCallId, toolName, output }: LanguageModelV4ToolResultPart): ToolMessage {
  const { content, failed } = readOutput(output);
  // Whether a tool failed is known here; what its output begins with need not be guessed from.
  return { role: 'tool', callId: toolCallId, name: toolName, content, status: failed ? 'error' : 'ok' };
}

function readOutput(output: LanguageModelV4ToolResultOutput): {
  readonly content: readonly Part[];
  readonly failed: boolean;
} {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return { content: [{ type: 'text', text: output.value }], failed: output.type === 'error-text' };
    case 'json':
    case 'error-json':
      return { content: [{ type: 'text', text: textOfJson(output.value) }], failed: output.type === 'error-json' };
    case 'execution-denied': {
      const reason = output.reason === undefined ? '' : `: ${output.reason}`;
      return { content: [{ type: 'text', text: `The user did not allow this call${reason}` }], failed: true };
    }
    case 'content':
      return { content: output.value.map(readPiece), failed: false };
  }
}

type Piece = Extract<LanguageModelV4ToolResultOutput, { type: 'content' }>['value'][number];

/** Of a file a result can only say that it is there. Versions before 7 of the SDK have more types for files. */
function readPiece(piece: Piece | OlderPiece): Part {
  if ('text' in piece) return { type: 'text', text: piece.text };
  if (piece.type === 'custom') return { type: 'text', text: '[custom content]' };
  const { filename = 'file', mediaType } = piece;
  return { type: 'text', text: `[${filename}${mediaType === undefined ? '' : `: ${mediaType}`}]` };
}

interface OlderPiece {
  readonly type: 'media' | 'file-data' | 'file-url' | 'file-id' | 'image-data' | 'image-url' | 'image-file-id';
  readonly filename?: string;
  readonly mediaType?: string;
}

function textOfJson(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}
