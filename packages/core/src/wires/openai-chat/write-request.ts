import { type Extra, type Message, type Part, textOf } from '../../chat/message.ts';
import type { ChatRequest } from '../../chat/request.ts';
import type { ToolChoice, ToolDefinition } from '../../chat/tool.ts';
import type { Warning } from '../../chat/warning.ts';
import { withExactNumbers } from '../../json/exact-json.ts';
import { keepingText } from '../../json/json-text.ts';
import { writeSampling } from '../openai-sampling.ts';
import { writeOpenaiFormat } from '../output-format.ts';
import { type JsonObject, pick } from '../read-values.ts';
import { effortAlone, imageLeftOut, reportFailure, reportForeign } from '../report-dropped.ts';
import type { Quirks, WrittenRequest } from '../wire.ts';
import type { OpenaiChatQuirk } from './quirks.ts';
import { extraMessageFields, extraRequestFields, wireId } from './types.ts';

/** Where a body of this wire goes. */
export function destinationOf(): Pick<WrittenRequest, 'path'> {
  return { path: '/chat/completions' };
}

/**
 * A canonical request as a Chat Completions body for any compatible server. It asks for a stream with usage, unless a quirk
 * says no. Sampling, tools and choices that were not sent are not written; what only other wires know is dropped and reported.
 */
export function writeRequest(request: ChatRequest, model: string, quirks: Quirks): WrittenRequest {
  const has = (quirk: OpenaiChatQuirk) => quirks[quirk] === true;
  const warnings: Warning[] = [];
  reportForeign(warnings, request.extra, wireId);
  const format = writeOpenaiFormat(request.outputFormat, 'json_schema');
  const effort = has('noReasoningEffort') ? undefined : effortAlone(request, warnings);
  const body = {
    model,
    messages: request.messages.flatMap((message) => writeMessages(message, quirks, warnings)),
    ...writeTools(request, { noParallel: has('noParallelToolCalls'), noStrict: has('noStrict') }),
    ...writeSampling(request.sampling, {
      maxTokensField: quirks.maxTokensField === 'max_completion_tokens' ? 'max_completion_tokens' : 'max_tokens',
    }),
    // One of the two: servers refuse both, and a reply that has to be a call is no answer of a form.
    ...(writeGrammar(request.grammar, quirks.grammarField) ??
      (format === undefined ? {} : { response_format: format })),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    stream: !has('noStream'),
    ...(has('noStream') || has('noStreamOptions') ? {} : { stream_options: { include_usage: true } }),
    ...riding(request.extra, extraRequestFields),
  };
  return { body, warnings, ...destinationOf() };
}

function writeMessages(message: Message, quirks: Quirks, warnings: Warning[]): JsonObject[] {
  const extra = riding(message.extra, extraMessageFields);
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: writeTextContent(message.content, 'system', warnings), ...extra }];
    case 'user': {
      const name = message.name === undefined ? {} : { name: message.name };
      return [{ role: 'user', content: writeUserContent(message.content), ...name, ...extra }];
    }
    case 'assistant':
      return [{ ...extra, role: 'assistant', ...writeAssistantFields(message.content, quirks) }];
    case 'tool':
      if (message.status === 'error') reportFailure(warnings, wireId);
      return [
        {
          ...extra,
          role: 'tool',
          tool_call_id: message.callId,
          content: writeTextContent(message.content, 'tool', warnings),
        },
      ];
  }
}

function writeAssistantFields(content: (Message & { role: 'assistant' })['content'], quirks: Quirks): JsonObject {
  const reasoning: string[] = [];
  const text: string[] = [];
  const refusal: string[] = [];
  const calls: JsonObject[] = [];
  for (const part of content) {
    if (part.type === 'text') (part.refusal === true ? refusal : text).push(part.text);
    else if (part.type === 'reasoning') reasoning.push(part.text);
    else {
      calls.push({ id: part.callId, type: 'function', function: { name: part.name, arguments: part.arguments } });
    }
  }
  const isSilent = text.length === 0 && (calls.length > 0 || refusal.length > 0);
  return {
    content: isSilent && quirks.emptyStringContent !== true ? null : text.join(''),
    ...writeReasoning(reasoning.join(''), quirks),
    ...(refusal.length === 0 ? {} : { refusal: refusal.join('') }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

/** What the model thought, under the name that the server reads; where one insists on it, a space says that there was none. */
function writeReasoning(reasoning: string, quirks: Quirks): JsonObject {
  if (quirks.noReasoningHistory === true) return {};
  const text = reasoning === '' && quirks.replayReasoning === true ? ' ' : reasoning;
  const field = quirks.reasoningField === 'reasoning' ? 'reasoning' : 'reasoning_content';
  return text === '' ? {} : { [field]: text };
}

/** Text alone is one string, which every server reads; images need the list. */
function writeUserContent(content: readonly Part[]): string | JsonObject[] {
  if (content.every((part) => part.type === 'text')) return textOf(content);
  return content.map((part) => {
    if (part.type === 'text') return { type: 'text', text: part.text };
    const detail = part.detail === undefined ? {} : { detail: part.detail };
    return { type: 'image_url', image_url: { url: part.url, ...detail } };
  });
}

/** Content where the API knows only text: an image leaves a note in its place. */
function writeTextContent(content: readonly Part[], role: string, warnings: Warning[]): string {
  return content.map((part) => (part.type === 'text' ? part.text : imageLeftOut(warnings, role, wireId))).join('\n');
}

function writeGrammar(grammar: string | undefined, field: Quirks[string] | undefined): JsonObject | undefined {
  if (grammar === undefined || typeof field !== 'string') return undefined;
  return { [field]: field === 'structured_outputs' ? { grammar } : grammar };
}

function writeTools(
  request: ChatRequest,
  { noParallel, noStrict }: { readonly noParallel: boolean; readonly noStrict: boolean },
): JsonObject {
  if (request.tools.length === 0) return {};
  return {
    tools: (noStrict ? writeWithoutStrict : writeWithStrict)(request.tools),
    ...(request.toolChoice === 'auto' ? {} : { tool_choice: writeToolChoice(request.toolChoice) }),
    ...(request.parallelToolCalls || noParallel ? {} : { parallel_tool_calls: false }),
  };
}

const writeWithStrict = keepingText((tools: readonly ToolDefinition[]) => tools.map((tool) => writeTool(tool, false)));
const writeWithoutStrict = keepingText((tools: readonly ToolDefinition[]) =>
  tools.map((tool) => writeTool(tool, true)),
);

function writeTool({ name, description, inputSchema, strict }: ToolDefinition, noStrict: boolean): JsonObject {
  const about = {
    name,
    ...(description === undefined ? {} : { description }),
    parameters: withExactNumbers(inputSchema),
    ...(strict === undefined || noStrict ? {} : { strict }),
  };
  return { type: 'function', function: about };
}

function writeToolChoice(choice: ToolChoice): unknown {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } };
}

/** This wire's own fields as they came. */
function riding(extra: Extra | undefined, fields: readonly string[]): JsonObject {
  return pick(extra?.[wireId] ?? {}, fields) ?? {};
}
