import { effortOf, nearestEffort } from '../../chat/effort.ts';
import { type Extra, type Message, type Part, type ToolCallPart, textOf } from '../../chat/message.ts';
import type { ChatRequest, OutputFormat } from '../../chat/request.ts';
import type { ToolDefinition } from '../../chat/tool.ts';
import type { Warning } from '../../chat/warning.ts';
import { withExactNumbers } from '../../json/exact-json.ts';
import { argumentsValue } from '../arguments-value.ts';
import { writeSampling } from '../openai-sampling.ts';
import { schemaObject } from '../output-format.ts';
import { isObject, type JsonObject, present } from '../read-values.ts';
import {
  nothingToDo,
  reportDescription,
  reportDetail,
  reportDropped,
  reportFailure,
  reportForeign,
  reportName,
  reportNoField,
} from '../report-dropped.ts';
import type { Quirks, WritePlace, WrittenRequest } from '../wire.ts';
import type { OllamaChatQuirk } from './quirks.ts';
import { ridingRequestFields, wireId } from './types.ts';

const knownLevels: readonly string[] = ['low', 'medium', 'high'];

/** Where a body of this wire goes. */
export function destinationOf(): Pick<WrittenRequest, 'path'> {
  return { path: '/api/chat' };
}

/**
 * A canonical request as a body of `/api/chat`. It asks for a stream, unless a quirk says no. What the API has no
 * word for is dropped and reported: that a call is required, that there may be only one, and what only other wires know.
 *
 * Left to itself, Ollama drops what of the conversation does not fit its window, and of a long answer's beginning, without
 * a word. It is told not to, unless the client says otherwise: what is too long is refused, and the answer ends at the
 * window. It loads a model anew for another window, so it is asked for the same one each time.
 */
export function writeRequest(
  request: ChatRequest,
  model: string,
  quirks: Quirks,
  { contextWindow }: WritePlace = {},
): WrittenRequest {
  const warnings: Warning[] = [];
  reportForeign(warnings, request.extra, wireId);
  const own = request.extra[wireId] ?? {};
  const options = present<JsonObject>({
    ...withoutPenalty(request.outputFormat),
    num_ctx: contextWindow,
    ...(isObject(own.options) ? own.options : {}),
    ...writeSampling(request.sampling, { maxTokensField: 'num_predict' }),
  });
  const body = {
    truncate: false,
    shift: false,
    ...riding(own),
    model,
    messages: writeMessages(request.messages, warnings),
    ...writeTools(request, warnings),
    ...(Object.keys(options).length === 0 ? {} : { options }),
    ...writeFormat(request.outputFormat, warnings),
    ...writeThink(request, { quirks, warnings }),
    stream: quirks.noStream !== true,
  };
  return { body, warnings, ...destinationOf() };
}

/** Ollama leaves every choice to the model. `none` and a name can be said by the list of tools, the rest can't. */
function writeTools({ tools, toolChoice, parallelToolCalls }: ChatRequest, warnings: Warning[]): JsonObject {
  if (tools.length === 0) return {};
  if (!parallelToolCalls) {
    const cure = 'Further calls are left out of the reply.';
    reportNoField(warnings, { wire: wireId, what: '"One call at a time"', cure });
  }
  if (toolChoice === 'none') return {};
  if (toolChoice !== 'auto') {
    const cure = 'With "nudge" in its rule the model is asked again.';
    reportNoField(warnings, { wire: wireId, what: '"A call is required"', cure });
  }
  const listed = typeof toolChoice === 'object' ? tools.filter(({ name }) => name === toolChoice.name) : tools;
  return { tools: listed.map(writeTool) };
}

function writeTool(tool: ToolDefinition): JsonObject {
  const parameters =
    typeof tool.inputSchema === 'boolean' ? { type: 'object', properties: {} } : withExactNumbers(tool.inputSchema);
  const description = tool.description === undefined ? {} : { description: tool.description };
  return { type: 'function', function: { name: tool.name, ...description, parameters } };
}

/**
 * Ollama holds it against a word that it was said before (`repeat_penalty` is 1.1 unless the model or the request says otherwise):
 * "a timer for 10 minutes" is then set for 2, and "Yesterday" is played as "Today's song".
 */
function withoutPenalty(format: OutputFormat | undefined): JsonObject {
  return format?.type === 'json-schema' && format.ofCalls === true ? { repeat_penalty: 1 } : {};
}

function writeFormat(format: OutputFormat | undefined, warnings: Warning[]): JsonObject {
  switch (format?.type) {
    case undefined:
      return {};
    case 'json':
      return { format: 'json' };
    case 'json-schema':
      reportDescription(warnings, format, wireId);
      return { format: schemaObject(format.schema) };
  }
}

/** The client's own `think` goes as it came. An effort from another wire becomes a level, or true where there are none. */
function writeThink(
  request: ChatRequest,
  { quirks, warnings }: { readonly quirks: Quirks; readonly warnings: Warning[] },
): JsonObject {
  const has = (quirk: OllamaChatQuirk) => quirks[quirk] === true;
  const own = request.extra[wireId]?.think;
  const effort = effortOf(request);
  if (has('noThink')) return {};
  if (own !== undefined) return { think: own };
  if (effort === undefined) return {};
  if (effort === 'none') return { think: false };
  const think = has('thinkLevels') ? (nearestEffort(effort, knownLevels) ?? true) : true;
  if (think !== request.reasoningEffort) {
    reportDropped(
      warnings,
      `The effort "${effort.slice(0, 40)}" became ${JSON.stringify(think)} for ${wireId}. ${nothingToDo}`,
    );
  }
  return { think };
}

/** This wire's own fields as they came; `options` and `think` are written apart. */
function riding(own: Extra[string]): JsonObject {
  return Object.fromEntries(
    Object.entries(own).filter(([field]) => field !== 'think' && ridingRequestFields.some((known) => known === field)),
  );
}

/** A history as this API wants it: content as one string, images as base64 beside it, arguments as objects. */
function writeMessages(messages: readonly Message[], warnings: Warning[]): readonly JsonObject[] {
  const names = new Map<string, string>();
  return messages.map((message) => {
    switch (message.role) {
      case 'user':
        if (message.name !== undefined) reportName(warnings, wireId);
        return { role: 'user', ...writeContent(message.content, warnings) };
      case 'system':
        return { role: 'system', ...writeContent(message.content, warnings) };
      case 'assistant':
        for (const part of message.content) if (part.type === 'tool-call') names.set(part.callId, part.name);
        return { role: 'assistant', ...writeAssistantFields(message.content, warnings) };
      case 'tool': {
        if (message.status === 'error') reportFailure(warnings, wireId);
        const name = names.get(message.callId) ?? message.name;
        return {
          role: 'tool',
          ...writeContent(message.content, warnings),
          ...(name === undefined ? {} : { tool_name: name }),
          ...(message.callId === '' ? {} : { tool_call_id: message.callId }),
        };
      }
      default:
        return message satisfies never;
    }
  });
}

/** Only images whose bytes are in the request can be sent; of another one its address stays as text. */
function writeContent(content: readonly Part[], warnings: Warning[]): JsonObject {
  const texts: string[] = [];
  const images: string[] = [];
  for (const part of content) {
    if (part.type === 'text') texts.push(part.text);
    else {
      const bytes = base64Of(part.url);
      if (bytes !== undefined) {
        images.push(bytes);
        reportDetail(warnings, part, wireId);
      } else {
        const message = 'An image was left out: Ollama takes no addresses. Send its bytes in a data: URL.';
        warnings.push({ code: 'part-dropped', message });
        texts.push(`[image left out: ${part.url.slice(0, 200)}]`);
      }
    }
  }
  return { content: texts.join('\n'), ...(images.length === 0 ? {} : { images }) };
}

function base64Of(url: string): string | undefined {
  const mark = ';base64,';
  const at = url.startsWith('data:') ? url.indexOf(mark) : -1;
  return at < 0 ? undefined : url.slice(at + mark.length);
}

function writeAssistantFields(content: (Message & { role: 'assistant' })['content'], warnings: Warning[]): JsonObject {
  const reasoning = content.filter((part) => part.type === 'reasoning').map((part) => part.text);
  const calls = content.filter((part) => part.type === 'tool-call').map((part) => writeCall(part, warnings));
  return {
    content: textOf(content, ''),
    ...(reasoning.length === 0 ? {} : { thinking: reasoning.join('') }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

/** `id` came late to this API; older servers and clients have none. */
function writeCall(call: ToolCallPart, warnings: Warning[]): JsonObject {
  const values = argumentsValue(call, warnings);
  return { ...(call.callId === '' ? {} : { id: call.callId }), function: { name: call.name, arguments: values } };
}
