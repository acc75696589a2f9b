import {
  anyToolNameQuirk,
  callIdsQuirk,
  mergeRolesQuirk,
  noParallelToolCallsQuirk,
  noStreamOptionsQuirk,
  noStreamQuirk,
} from '../shared-quirks.ts';
import type { QuirkTable } from '../wire.ts';

/**
 * How servers that speak Chat Completions depart from it, in one table; configuration and its documentation are checked
 * against it. All are off, or as the text says, unless an upstream's configuration sets them.
 */
export const openaiChatQuirks = {
  noStream: noStreamQuirk,
  noStreamOptions: noStreamOptionsQuirk,
  maxTokensField: {
    meaning: 'The name of the limit on the answer: `max_tokens` (default) or `max_completion_tokens`.',
    value: ['max_tokens', 'max_completion_tokens'],
  },
  noParallelToolCalls: noParallelToolCallsQuirk,
  noStrict: 'Refuses `strict` on tools, so it is not sent.',
  noReasoningEffort:
    'Refuses `reasoning_effort`, so it is not sent. Agents such as Claude Code ask every model for it.',
  noReasoningHistory:
    'Refuses `reasoning_content` on earlier assistant messages, so it is not sent. Groq and Mistral are known by their addresses.',
  replayReasoning:
    'Wants reasoning on every earlier assistant message; a space is sent where there was none. DeepSeek and Kimi are known by their addresses.',
  reasoningField: {
    meaning:
      'What it calls reasoning on earlier assistant messages: `reasoning_content` (default) or `reasoning` (vLLM, OpenRouter). Cerebras is known by its address.',
    value: ['reasoning_content', 'reasoning'],
  },
  emptyStringContent:
    'Wants `""` instead of `null` as content of assistant messages that only call tools. Cloudflare is known by its address.',
  splitNames: 'Streams the name of a tool in pieces, as some servers of Gemini do.',
  cumulativeArguments: 'Repeats in each chunk all arguments so far, as Qianfan does.',
  grammarField: {
    meaning:
      'The field in which it takes a grammar (GBNF): `grammar` (LocalAI) or `grammar_string` (text-generation-webui). llama.cpp, KoboldCpp, vLLM (`structured_outputs`) and SGLang (`ebnf`) are known by the owner of their models.',
    value: ['grammar', 'structured_outputs', 'ebnf', 'grammar_string'],
  },
  holdsSchemas:
    'Lets a model write only what fits the schema in `response_format`. A text model is held to a required call that way. LM Studio and OpenRouter are known by their lists, Fireworks, Together, xAI and Gemini by their addresses.',
  ignoresToolChoice:
    'Takes `tool_choice`, but the model may still write what it likes: a required call is asked for by the form of the answer. llama.cpp is known by the owner of its models.',
  callIds: callIdsQuirk,
  anyToolName: anyToolNameQuirk,
  mergeRoles: mergeRolesQuirk,
} as const satisfies QuirkTable;

export type OpenaiChatQuirk = keyof typeof openaiChatQuirks;
