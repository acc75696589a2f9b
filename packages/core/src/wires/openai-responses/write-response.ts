import type { Usage } from '../../chat/event.ts';
import type { Message } from '../../chat/message.ts';
import type { ChatRequest, OutputFormat } from '../../chat/request.ts';
import { isObject, type JsonObject } from '../read-values.ts';
import type { ReplyContext } from '../wire.ts';
import { ownToolTypes, type WireResponse, type WireUsage, wireId } from './types.ts';

/** The fields of a response that change while it is written. */
export type ResponseState = Pick<
  WireResponse,
  'status' | 'output' | 'usage' | 'error' | 'incomplete_details' | 'completed_at'
>;

/** Writes a response as it stands, with what it says again of its request: nothing is ever absent, as clients of this API read all of it. */
export function createResponseWriter({
  request,
  replyId,
  created,
}: ReplyContext): (state: ResponseState) => WireResponse {
  const own = request.extra[wireId] ?? {};
  const { sampling } = request;
  const constant: Omit<WireResponse, keyof ResponseState> = {
    id: `resp_${replyId}`,
    object: 'response',
    created_at: created,
    model: request.model,
    previous_response_id: textOrNull(own.previous_response_id),
    instructions: instructionsOf(request.messages),
    tools: Array.isArray(own.tools) && own.tools.length > 0 ? echoTools(own.tools) : request.tools.map(writeTool),
    tool_choice: writeToolChoice(request, own),
    truncation: own.truncation === 'auto' ? 'auto' : 'disabled',
    parallel_tool_calls: request.parallelToolCalls,
    text: writeText(request.outputFormat, own.text),
    top_p: sampling.topP ?? 1,
    presence_penalty: sampling.presencePenalty ?? 0,
    frequency_penalty: sampling.frequencyPenalty ?? 0,
    top_logprobs: typeof own.top_logprobs === 'number' ? own.top_logprobs : 0,
    temperature: sampling.temperature ?? 1,
    reasoning: writeReasoning(request.reasoningEffort, own.reasoning),
    max_output_tokens: sampling.maxTokens ?? null,
    max_tool_calls: typeof own.max_tool_calls === 'number' ? own.max_tool_calls : null,
    store: own.store !== false,
    background: isBackground(request),
    service_tier: typeof own.service_tier === 'string' ? own.service_tier : 'default',
    metadata: isObject(own.metadata) ? own.metadata : {},
    safety_identifier: textOrNull(own.safety_identifier),
    prompt_cache_key: textOrNull(own.prompt_cache_key),
  };
  return (state) => ({ ...constant, ...state });
}

/** Whether the client goes away and comes back for the response. */
export function isBackground({ extra }: ChatRequest): boolean {
  return extra[wireId]?.background === true;
}

/** As declared, with the fields that must not be absent. Tools that were left out are not said again. */
function echoTools(tools: readonly unknown[]): readonly JsonObject[] {
  return tools.filter(isObject).flatMap((tool) => {
    if (tool.type === 'custom' || tool.type === 'namespace' || ownToolTypes.includes(tool.type)) return [tool];
    if (tool.type !== 'function') return [];
    const flat = isObject(tool.function) ? tool.function : tool;
    return [
      {
        type: 'function',
        name: flat.name,
        description: flat.description ?? null,
        parameters: flat.parameters ?? null,
        strict: flat.strict ?? null,
      },
    ];
  });
}

function writeTool({ name, description, inputSchema, strict, extra }: ChatRequest['tools'][number]): JsonObject {
  const parameters = typeof inputSchema === 'boolean' ? null : inputSchema;
  return {
    type: 'function',
    name,
    description: description ?? null,
    parameters,
    strict: strict ?? extra?.[wireId]?.strict ?? null,
  };
}

function writeToolChoice(request: ChatRequest, own: JsonObject): unknown {
  if (isObject(own.tool_choice)) {
    return own.tool_choice.type === 'allowed_tools' ? { mode: 'auto', ...own.tool_choice } : own.tool_choice;
  }
  const { toolChoice } = request;
  return typeof toolChoice === 'string' ? toolChoice : { type: 'function', name: toolChoice.name };
}

/** The schema of a format is not said again: in OpenResponses its place in a reply is always null. */
function writeText(format: OutputFormat | undefined, own: unknown): JsonObject {
  const verbosity = isObject(own) && typeof own.verbosity === 'string' ? { verbosity: own.verbosity } : {};
  return { format: writeFormat(format), ...verbosity };
}

function writeFormat(format: OutputFormat | undefined): JsonObject {
  switch (format?.type) {
    case undefined:
      return { type: 'text' };
    case 'json':
      return { type: 'json_object' };
    case 'json-schema':
      return {
        type: 'json_schema',
        name: format.name ?? '',
        description: format.description ?? null,
        schema: null,
        strict: format.strict === true,
      };
  }
}

function writeReasoning(effort: string | undefined, reasoning: unknown): JsonObject | null {
  const summary = isObject(reasoning) ? textOrNull(reasoning.summary) : null;
  return effort === undefined && summary === null ? null : { effort: effort ?? null, summary };
}

function instructionsOf(messages: readonly Message[]): string | null {
  const [first] = messages;
  if (first?.role !== 'system' || first.extra?.[wireId]?.instructions !== true) return null;
  return first.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** All five numbers, always: VS Code throws a good answer away when a detail is missing. */
export function writeUsage(usage: Usage): WireUsage {
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: { cached_tokens: usage.cachedInputTokens ?? 0 },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
    total_tokens: usage.inputTokens + usage.outputTokens,
  };
}
