import { anthropicMessagesProbe } from './anthropic-messages.ts';
import { ollamaChatProbe } from './ollama-chat.ts';
import { openaiChatProbe } from './openai-chat.ts';
import { openaiCompletionsProbe } from './openai-completions.ts';
import { openaiResponsesProbe } from './openai-responses.ts';
import type { WireProbe } from './probe.ts';

/** Every API that can be checked, in the order of the matrix. */
export const probes: readonly WireProbe[] = [
  openaiChatProbe,
  openaiCompletionsProbe,
  openaiResponsesProbe,
  anthropicMessagesProbe,
  ollamaChatProbe,
];
