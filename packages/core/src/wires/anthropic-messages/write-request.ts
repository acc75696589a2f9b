import type { Issue } from '../../chat/issue.ts';
import type { ChatRequest, Sampling } from '../../chat/request.ts';
import type { ToolChoice, ToolDefinition } from '../../chat/tool.ts';
import type { Quirks, WrittenRequest } from '../wire.ts';
import type { AnthropicMessagesQuirk } from './quirks.ts';
import { type Fields, ownFields, wireId } from './types.ts';
import { writeConversation } from './write-messages.ts';

const defaultMaxTokens = 8192;

/**
 * A canonical request as a Messages body. It always asks for a stream. What rode along from a client of this wire (cache
 * markers, thinking, beta fields with the header that announces them) is written back; what only other wires know, and
 * sampling that this one has no word for, is dropped and reported.
 */
export function writeRequest(request: ChatRequest, model: string, quirks: Quirks): WrittenRequest {
  const has = (quirk: AnthropicMessagesQuirk) => quirks[quirk] === true;
  const issues: Issue[] = [];
  for (const wire of Object.keys(request.extra)) {
    if (wire !== wireId)
      issues.push({ code: 'field-dropped', message: `Fields of ${wire} can't be said in ${wireId}.` });
  }
  const { betas, ...riding } = ownFields(request.extra);
  const { system, messages } = writeConversation(request.messages, {
    systemInFront: has('noSystemInMessages'),
    unsignedThinking: has('unsignedThinking'),
    issues,
  });
  const body = {
    ...riding,
    ...writeEffort(request.reasoningEffort, { own: riding.output_config, refused: has('noEffort') }),
    model,
    max_tokens:
      request.sampling.maxTokens ?? (typeof quirks.maxTokens === 'number' ? quirks.maxTokens : defaultMaxTokens),
    ...(system === undefined ? {} : { system }),
    messages,
    ...writeTools(request),
    ...writeSampling(request.sampling, issues),
    stream: true,
  };
  const named = namesIn(betas);
  return { path: '/messages', body, issues, ...(named === '' ? {} : { headers: { 'anthropic-beta': named } }) };
}

/** The client's own word stands as it is; words of other wires become the nearest that this one has. */
function writeEffort(
  effort: string | undefined,
  { own, refused }: { readonly own: unknown; readonly refused: boolean },
): Fields {
  const { effort: ownEffort, ...rest }: Fields = typeof own === 'object' && own !== null ? { ...own } : {};
  const word = refused || effort === 'none' ? undefined : (ownEffort ?? (effort === 'minimal' ? 'low' : effort));
  if (word !== undefined) return { output_config: { ...rest, effort: word } };
  return own === undefined ? {} : { output_config: Object.keys(rest).length === 0 ? undefined : rest };
}

function writeTools(request: ChatRequest): Fields {
  if (request.tools.length === 0) return {};
  const { toolChoice, parallelToolCalls } = request;
  const isDefault = toolChoice === 'auto' && parallelToolCalls;
  return {
    tools: request.tools.map(writeTool),
    ...(isDefault ? {} : { tool_choice: writeToolChoice(toolChoice, parallelToolCalls) }),
  };
}

function writeTool(tool: ToolDefinition): Fields {
  const description = tool.description === undefined ? {} : { description: tool.description };
  const schema = typeof tool.inputSchema === 'boolean' ? { type: 'object' } : tool.inputSchema;
  return { ...ownFields(tool.extra), name: tool.name, ...description, input_schema: schema };
}

function writeToolChoice(choice: ToolChoice, parallel: boolean): Fields {
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

function writeSampling(sampling: Sampling, issues: Issue[]): Fields {
  const { temperature, topP, stop, seed, presencePenalty, frequencyPenalty } = sampling;
  const unsaid = Object.entries({ seed, presencePenalty, frequencyPenalty }).filter(([, value]) => value !== undefined);
  for (const [field] of unsaid) issues.push({ code: 'field-dropped', message: `${field} can't be said in ${wireId}.` });
  if (temperature !== undefined && temperature > 1) {
    issues.push({ code: 'field-dropped', message: `The temperature ${temperature} became 1, the most of ${wireId}.` });
  }
  return {
    ...(temperature === undefined ? {} : { temperature: Math.min(1, temperature) }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(stop === undefined ? {} : { stop_sequences: stop }),
  };
}

/** Names of beta features, fit for a header: the client chose them, so nothing else may stand there. */
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
