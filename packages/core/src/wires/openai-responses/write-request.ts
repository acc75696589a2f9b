import { type AssistantMessage, type Message, type Part, type ReasoningPart, textOf } from '../../chat/message.ts';
import type { ChatRequest, OutputFormat, Sampling } from '../../chat/request.ts';
import type { ToolDefinition } from '../../chat/tool.ts';
import type { Warning } from '../../chat/warning.ts';
import { withExactNumbers } from '../../json/exact-json.ts';
import { keepingText } from '../../json/json-text.ts';
import { verifiedImage } from '../image-type.ts';
import { writeOpenaiFormat } from '../output-format.ts';
import { isObject, type JsonObject, pick, present } from '../read-values.ts';
import {
  effortAlone,
  imageLeftOut,
  nothingToDo,
  reportFailure,
  reportFields,
  reportForeign,
  reportName,
  reportUnknownImage,
} from '../report-dropped.ts';
import type { Quirks, WrittenRequest } from '../wire.ts';
import { annotationsIn } from './annotations.ts';
import type { OpenaiResponsesQuirk } from './quirks.ts';
import { ownItemIn, ownToolTypes, ridingRequestFields, wireId } from './types.ts';

/** Riding fields that don't concern the upstream: what is stored stays here, as the history is always sent whole. */
const ours: readonly string[] = ['previous_response_id', 'store', 'background', 'stream_options', 'client_metadata'];

const passedFields: readonly string[] = ridingRequestFields.filter((field) => !ours.includes(field));

/** Where a body of this wire goes. */
export function destinationOf(): Pick<WrittenRequest, 'path'> {
  return { path: '/responses' };
}

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
    ...pick(own, passedFields),
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
  return { body, warnings, ...destinationOf() };
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
    parameters: withExactNumbers(inputSchema),
    strict,
  };
}

/** The API refuses limits below it, and other clients ask for a word or two to see whether a model is there. */
const leastTokens = 16;

function writeSampling(sampling: Sampling, warnings: Warning[]): JsonObject {
  const { temperature, topP, maxTokens, stop, seed, presencePenalty, frequencyPenalty } = sampling;
  reportFields(warnings, { stop, seed }, wireId);
  if (maxTokens !== undefined && maxTokens < leastTokens) {
    const message = `The limit of ${maxTokens} tokens became ${leastTokens}, the least of ${wireId}. ${nothingToDo}`;
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
  const text = present<JsonObject>({ format: writeOpenaiFormat(format, 'here'), ...verbosity });
  return Object.keys(text).length === 0 ? {} : { text };
}

/** No summary is asked for where the client wants none. */
function writeReasoning(
  request: ChatRequest,
  { own, warnings }: { readonly own: unknown; readonly warnings: Warning[] },
): JsonObject {
  const effort = effortAlone(request, warnings);
  const isWanted = request.hidesReasoning !== true && isObject(own) && typeof own.summary === 'string';
  const fields = { ...(effort === undefined ? {} : { effort }), ...(isWanted ? { summary: own.summary } : {}) };
  return Object.keys(fields).length === 0 ? {} : { reasoning: fields };
}

interface WriteItemsOptions {
  readonly systemAsDeveloper: boolean;
  readonly noReasoningHistory: boolean;
  readonly warnings: Warning[];
}

/** One message as items, in the order in which its parts stand. */
function writeItems(message: Message, options: WriteItemsOptions): readonly JsonObject[] {
  switch (message.role) {
    case 'system': {
      const isDeveloper = options.systemAsDeveloper || message.extra?.[wireId]?.role === 'developer';
      if (message.content.length === 0) return [];
      const content = message.content.map((part) => writeTextPart(part, 'system', options));
      return [{ type: 'message', role: isDeveloper ? 'developer' : 'system', content }];
    }
    case 'user':
      if (message.name !== undefined) reportName(options.warnings, wireId);
      if (message.content.length === 0) return [];
      return [{ type: 'message', role: 'user', content: message.content.map((part) => writeInput(part, options)) }];
    case 'assistant':
      return writeAssistantItems(message, options);
    case 'tool':
      if (message.status === 'error') reportFailure(options.warnings, wireId);
      return [{ type: 'function_call_output', call_id: message.callId, output: writeOutput(message.content, options) }];
  }
}

function writeAssistantItems({ content, extra }: AssistantMessage, options: WriteItemsOptions): readonly JsonObject[] {
  const own = extra?.[wireId]?.phase;
  const phase = own === undefined ? {} : { phase: own };
  const kept = options.noReasoningHistory ? content.filter((part) => part.type !== 'reasoning') : content;
  return kept.map((part) => writeSaid(part, phase));
}

function writeSaid(part: AssistantMessage['content'][number], phase: JsonObject): JsonObject {
  switch (part.type) {
    case 'text': {
      const own = ownItemIn(part.extra);
      if (own !== undefined) return own;
      const text =
        part.refusal === true
          ? { type: 'refusal', refusal: part.text }
          : { type: 'output_text', text: part.text, annotations: annotationsIn(part.extra) };
      return { type: 'message', role: 'assistant', content: [text], ...phase };
    }
    case 'reasoning':
      return writePastReasoning(part);
    case 'tool-call':
      return { type: 'function_call', call_id: part.callId, name: part.name, arguments: part.arguments };
  }
}

/** What the upstream sealed goes back as it came. */
function writePastReasoning({ text, extra }: ReasoningPart): JsonObject {
  const sealed = extra?.[wireId]?.encrypted_content;
  return {
    type: 'reasoning',
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
    ...(sealed === undefined ? {} : { encrypted_content: sealed }),
  };
}

function writeInput(part: Part, { warnings }: WriteItemsOptions): JsonObject {
  if (part.type === 'text') return { type: 'input_text', text: part.text };
  const url = verifiedImage(part.url);
  if (url !== undefined) return { type: 'input_image', image_url: url, detail: part.detail ?? 'auto' };
  reportUnknownImage(warnings);
  return { type: 'input_text', text: '[image of an unknown kind left out]' };
}

/** Content where the API knows only text: an image leaves a note in its place. */
function writeTextPart(part: Part, role: string, { warnings }: WriteItemsOptions): JsonObject {
  return { type: 'input_text', text: part.type === 'text' ? part.text : imageLeftOut(warnings, role, wireId) };
}

/** A single text is a string, which every server reads. */
function writeOutput(content: readonly Part[], options: WriteItemsOptions): string | readonly JsonObject[] {
  if (content.length === 0) return '';
  const [only] = content;
  return content.length === 1 && only?.type === 'text' ? only.text : content.map((part) => writeInput(part, options));
}
