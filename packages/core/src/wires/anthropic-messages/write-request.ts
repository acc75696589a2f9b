import { nearestEffort } from '../../chat/effort.ts';
import type { ChatRequest, OutputFormat, Sampling } from '../../chat/request.ts';
import type { ToolChoice, ToolDefinition } from '../../chat/tool.ts';
import type { Warning } from '../../chat/warning.ts';
import { withExactNumbers } from '../../json/exact-json.ts';
import { keepingText } from '../../json/json-text.ts';
import { schemaObject } from '../output-format.ts';
import type { JsonObject } from '../read-values.ts';
import {
  nothingToDo,
  reportDescription,
  reportDropped,
  reportFields,
  reportForeign,
  reportNoField,
} from '../report-dropped.ts';
import type { Quirks, WrittenRequest } from '../wire.ts';
import type { AnthropicMessagesQuirk } from './quirks.ts';
import { ownFields, wireId } from './types.ts';
import { writeConversation } from './write-messages.ts';

const defaultMaxTokens = 8192;

const knownEfforts: readonly string[] = ['low', 'medium', 'high', 'xhigh', 'max'];

/** The API takes no smaller budget for thinking, in tokens. */
const leastBudget = 1024;

interface OutputOptions {
  readonly own: unknown;
  readonly noEffort: boolean;
  readonly warnings: Warning[];
}

/** Where a body of this wire goes, with the header that announces its beta fields. */
export function destinationOf({ extra }: ChatRequest): Pick<WrittenRequest, 'path' | 'headers'> {
  const named = namesIn(ownFields(extra).betas);
  return { path: '/messages', ...(named === '' ? {} : { headers: { 'anthropic-beta': named } }) };
}

/**
 * A canonical request as a Messages body. It asks for a stream, unless a quirk says no. What rode along from a
 * client of this wire (cache markers, thinking, beta fields with the header that announces them) is written back; what only
 * other wires know, and sampling that this one has no word for, is dropped and reported.
 */
export function writeRequest(request: ChatRequest, model: string, quirks: Quirks): WrittenRequest {
  const has = (quirk: AnthropicMessagesQuirk) => quirks[quirk] === true;
  const warnings: Warning[] = [];
  reportForeign(warnings, request.extra, wireId);
  const { betas: _, foreignTools, foreignChoice, ...riding } = ownFields(request.extra);
  const { system, messages } = writeConversation(request.messages, {
    systemInFront: has('noSystemInMessages'),
    unsignedThinking: has('unsignedThinking'),
    warnings,
  });
  const body = {
    ...writeThinking(request),
    ...riding,
    ...writeOutput(request, { own: riding.output_config, noEffort: has('noEffort'), warnings }),
    model,
    max_tokens:
      request.sampling.maxTokens ?? (typeof quirks.maxTokens === 'number' ? quirks.maxTokens : defaultMaxTokens),
    ...(system === undefined ? {} : { system }),
    messages,
    ...writeTools(request, { foreignTools, foreignChoice }),
    ...writeSampling(request.sampling, warnings),
    stream: !has('noStream'),
  };
  return { ...destinationOf(request), body, warnings };
}

/** How much to think and what form the answer has, beside what rode along there. */
function writeOutput(request: ChatRequest, { own, noEffort, warnings }: OutputOptions): JsonObject {
  const output = {
    ...(typeof own === 'object' && own !== null ? own : {}),
    ...(noEffort ? {} : writeEffort(request.reasoningEffort, warnings)),
    ...writeFormat(request.outputFormat, warnings),
  };
  return Object.keys(output).length === 0 ? {} : { output_config: output };
}

function writeFormat(format: OutputFormat | undefined, warnings: Warning[]): JsonObject {
  switch (format?.type) {
    case undefined:
      return {};
    case 'json':
      reportNoField(warnings, { wire: wireId, what: '"json_object"', cure: 'Ask with a JSON Schema.' });
      return {};
    case 'json-schema':
      reportDescription(warnings, format, wireId);
      return { format: { type: 'json_schema', schema: schemaObject(format.schema) } };
  }
}

/** Words of other wires become the nearest that this one has. */
function writeEffort(effort: string | undefined, warnings: Warning[]): JsonObject {
  if (effort === undefined || effort === 'none') return {};
  const word = nearestEffort(effort, knownEfforts) ?? effort;
  if (word !== effort)
    reportDropped(warnings, `The effort "${effort.slice(0, 40)}" became "${word}" for ${wireId}. ${nothingToDo}`);
  return { effort: word };
}

/** What other wires ask for; a client of this one says it in its own words. */
function writeThinking({ reasoningEffort, reasoningBudget }: ChatRequest): JsonObject {
  if (reasoningEffort === 'none') return { thinking: { type: 'disabled' } };
  if (reasoningBudget === undefined) return {};
  return { thinking: { type: 'enabled', budget_tokens: Math.max(leastBudget, reasoningBudget) } };
}

/** `foreignTools` are those that Anthropic runs or knows, as the client declared them; `foreignChoice` names one. */
function writeTools(request: ChatRequest, { foreignTools, foreignChoice }: JsonObject): JsonObject {
  const foreign: readonly unknown[] = Array.isArray(foreignTools) ? foreignTools : [];
  if (request.tools.length + foreign.length === 0) return {};
  const { parallelToolCalls } = request;
  const toolChoice = typeof foreignChoice === 'string' ? { name: foreignChoice } : request.toolChoice;
  const isDefault = toolChoice === 'auto' && parallelToolCalls;
  return {
    tools: foreign.length === 0 ? writeDeclared(request.tools) : [...writeDeclared(request.tools), ...foreign],
    ...(isDefault ? {} : { tool_choice: writeToolChoice(toolChoice, parallelToolCalls) }),
  };
}

const writeDeclared = keepingText((tools: readonly ToolDefinition[]) => tools.map(writeTool));

function writeTool(tool: ToolDefinition): JsonObject {
  const description = tool.description === undefined ? {} : { description: tool.description };
  const schema = typeof tool.inputSchema === 'boolean' ? { type: 'object' } : withExactNumbers(tool.inputSchema);
  const strict = tool.strict === undefined ? {} : { strict: tool.strict };
  return { ...ownFields(tool.extra), name: tool.name, ...description, input_schema: schema, ...strict };
}

function writeToolChoice(choice: ToolChoice, parallel: boolean): JsonObject {
  const single = parallel ? {} : { disable_parallel_tool_use: true };
  switch (choice) {
    case 'none':
      return { type: 'none' };
    case 'auto':
      return { type: 'auto', ...single };
    case 'required':
      return { type: 'any', ...single };
    default:
      return { type: 'tool', name: choice.name, ...single };
  }
}

function writeSampling(sampling: Sampling, warnings: Warning[]): JsonObject {
  const { temperature, topP, stop, seed, presencePenalty, frequencyPenalty } = sampling;
  const unknown = { seed, presence_penalty: presencePenalty, frequency_penalty: frequencyPenalty };
  reportFields(warnings, unknown, wireId);
  if (temperature !== undefined && temperature > 1) {
    warnings.push({
      code: 'field-dropped',
      message: `The temperature ${temperature} became 1, the most of ${wireId}. ${nothingToDo}`,
    });
  }
  return {
    ...(temperature === undefined ? {} : { temperature: Math.min(1, temperature) }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(stop === undefined ? {} : { stop_sequences: stop }),
  };
}

/** Names of beta features, fit for a header: the client chose them, so nothing else may be there. */
function namesIn(betas: unknown): string {
  if (!Array.isArray(betas)) return '';
  return betas.filter((name) => typeof name === 'string' && isHeaderWord(name)).join(',');
}

function isHeaderWord(name: string): boolean {
  if (name === '' || name.length > 100) return false;
  for (let at = 0; at < name.length; at += 1) {
    const code = name.charCodeAt(at);
    if (code <= 0x20 || code >= 0x7f || code === 0x2c) return false;
  }
  return true;
}
