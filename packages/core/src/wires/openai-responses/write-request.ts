import { effortOf } from '../../chat/effort.ts';
import { type Message, textOf } from '../../chat/message.ts';
import type { ChatRequest, OutputFormat, Sampling } from '../../chat/request.ts';
import type { ToolDefinition } from '../../chat/tool.ts';
import type { Warning } from '../../chat/warning.ts';
import { exactly } from '../../json/exact-json.ts';
import { keepingText } from '../../json/json-text.ts';
import type { JsonObject } from '../read-values.ts';
import { isObject } from '../read-values.ts';
import { reportDropped, reportForeign, untoldBudget } from '../report-dropped.ts';
import type { Quirks, WrittenRequest } from '../wire.ts';
import { openaiSchemaFields } from '../write-output-format.ts';
import type { OpenaiResponsesQuirk } from './quirks.ts';
import { ownToolTypes, ridingRequestFields, wireId } from './types.ts';
import { writeItems } from './write-items.ts';

/** Riding fields that don't concern the upstream: what is stored stays here, as the history is always sent whole. */
const ours: readonly string[] = ['previous_response_id', 'store', 'background', 'stream_options', 'client_metadata'];

const passedFields: readonly string[] = ridingRequestFields.filter((field) => !ours.includes(field));

/**
 * A canonical request as a Responses body for any OpenResponses server: typed content, flat tools, the whole history,
 * nothing stored. It asks for a stream, unless a quirk says no. Sampling, tools and choices that were not sent are not
 * written; what only other wires know is dropped and reported.
 */
export function writeRequest(request: ChatRequest, model: string, quirks: Quirks): WrittenRequest {
  const has = (quirk: OpenaiResponsesQuirk) => quirks[quirk] === true;
  const warnings: Warning[] = [];
  reportForeign(warnings, request.extra, wireId);
  const own = request.extra[wireId] ?? {};
  const { instructions, messages } = splitInstructions(request.messages, has('systemAsInstructions'));
  const options = {
    systemAsDeveloper: has('systemAsInstructions'),
    noReasoningHistory: has('noReasoningHistory'),
    warnings,
  };
  const body = {
    ...Object.fromEntries(Object.entries(own).filter(([field]) => passedFields.includes(field))),
    model,
    ...(instructions === '' ? {} : { instructions }),
    input: messages.flatMap((message) => writeItems(message, options)),
    ...writeTools(request, has('noParallelToolCalls')),
    ...writeSampling(request.sampling, warnings),
    ...writeText(request.outputFormat, own.text),
    ...writeReasoning(request, { own: own.reasoning, warnings }),
    store: false,
    stream: !has('noStream'),
  };
  return { path: '/responses', body, warnings };
}

/** What the client sent as instructions, or all leading system text where the upstream wants it there. */
function splitInstructions(
  messages: readonly Message[],
  all: boolean,
): { readonly instructions: string; readonly messages: readonly Message[] } {
  const isLeading = (message: Message) =>
    message.role === 'system' && (all || message.extra?.[wireId]?.instructions === true);
  const end = messages.findIndex((message) => !isLeading(message));
  const count = end < 0 ? messages.length : end;
  const texts = messages.slice(0, count).flatMap(({ role, content }) => (role === 'system' ? [textOf(content)] : []));
  return { instructions: texts.join('\n\n'), messages: messages.slice(count) };
}

function writeTools(request: ChatRequest, noParallel: boolean): JsonObject {
  const declared = request.extra[wireId]?.tools;
  const own = Array.isArray(declared)
    ? declared.filter((tool) => isObject(tool) && ownToolTypes.includes(tool.type))
    : [];
  const written = writeDeclared(request.tools);
  const tools = own.length === 0 ? written : [...written, ...own];
  if (tools.length === 0) return {};
  const { toolChoice } = request;
  return {
    tools,
    ...(toolChoice === 'auto'
      ? {}
      : { tool_choice: typeof toolChoice === 'string' ? toolChoice : { type: 'function', name: toolChoice.name } }),
    ...(request.parallelToolCalls || noParallel ? {} : { parallel_tool_calls: false }),
  };
}

const writeDeclared = keepingText((tools: readonly ToolDefinition[]) => tools.map(writeTool));

/** `strict` is always said: where it is absent, servers differ in what they take for granted. */
function writeTool(tool: ToolDefinition): JsonObject {
  const { name, description, inputSchema, strict = false } = tool;
  return {
    type: 'function',
    name,
    ...(description === undefined ? {} : { description }),
    parameters: exactly(inputSchema),
    strict,
  };
}

/** The API refuses limits below it, and other clients ask for a word or two to see whether a model is there. */
const leastTokens = 16;

function writeSampling(sampling: Sampling, warnings: Warning[]): JsonObject {
  const { temperature, topP, maxTokens, stop, seed, presencePenalty, frequencyPenalty } = sampling;
  for (const [field, value] of Object.entries({ stop, seed })) {
    if (value !== undefined)
      warnings.push({ code: 'field-dropped', message: `"${field}" can't be said in ${wireId}.` });
  }
  if (maxTokens !== undefined && maxTokens < leastTokens) {
    const message = `The limit "max_tokens" of ${maxTokens} can't be said in ${wireId}; it is ${leastTokens}.`;
    warnings.push({ code: 'field-dropped', message });
  }
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(maxTokens === undefined ? {} : { max_output_tokens: Math.max(maxTokens, leastTokens) }),
    ...(presencePenalty === undefined ? {} : { presence_penalty: presencePenalty }),
    ...(frequencyPenalty === undefined ? {} : { frequency_penalty: frequencyPenalty }),
  };
}

function writeText(format: OutputFormat | undefined, own: unknown): JsonObject {
  const verbosity = isObject(own) ? own : {};
  const text = { ...writeFormat(format), ...verbosity };
  return Object.keys(text).length === 0 ? {} : { text };
}

function writeFormat(format: OutputFormat | undefined): JsonObject {
  switch (format?.type) {
    case undefined:
      return {};
    case 'json':
      return { format: { type: 'json_object' } };
    case 'json-schema':
      return { format: { type: 'json_schema', ...openaiSchemaFields(format) } };
  }
}

/** A budget has no word here, so it is told as an effort. No summary is asked for where the client wants none. */
function writeReasoning(
  request: ChatRequest,
  { own, warnings }: { readonly own: unknown; readonly warnings: Warning[] },
): JsonObject {
  const effort = effortOf(request);
  if (effort !== undefined && request.reasoningEffort === undefined) {
    reportDropped(warnings, untoldBudget(request.reasoningBudget, effort));
  }
  const isWanted = request.hidesReasoning !== true && isObject(own) && typeof own.summary === 'string';
  const fields = { ...(effort === undefined ? {} : { effort }), ...(isWanted ? { summary: own.summary } : {}) };
  return Object.keys(fields).length === 0 ? {} : { reasoning: fields };
}
