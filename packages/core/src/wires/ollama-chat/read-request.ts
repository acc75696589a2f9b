import type { Message } from '../../chat/message.ts';
import type { ChatRequest, OutputFormat, Sampling } from '../../chat/request.ts';
import type { ToolChoice, ToolDefinition } from '../../chat/tool.ts';
import { readAnswerSchema } from '../output-format.ts';
import {
  badRequest,
  isAbsent,
  isObject,
  type JsonObject,
  kindOf,
  pick,
  present,
  ReadNotes,
  readBody,
  readFlag,
  readModel,
  readObject,
  readOptionalCount,
  readOptionalNumber,
  readOptionalString,
  readStop,
  unsupported,
} from '../read-values.ts';
import { readImages, readMessages } from './read-messages.ts';
import { readToolChoice, readTools } from './read-tools.ts';
import { ridingRequestFields, wireId } from './types.ts';

/** What every request of this wire may hold. */
const commonFields: readonly string[] = ['model', 'stream', 'options', 'format', ...ridingRequestFields];

/**
 * A body of `/api/chat`. Throws `bad-request` or `unsupported-field`, naming the path; what is only unusual is tolerated
 * and named in `warnings`. It asks for a stream unless it says otherwise, and always for usage, which the last line tells.
 * The body is never changed; schemas and `extra` values are shared with it.
 */
export function readRequest(body: unknown): ChatRequest {
  const { fields, notes } = openBody(body, [...commonFields, 'messages', 'tools', 'tool_choice']);
  const tools = readTools(fields.tools, notes);
  return finish(fields, {
    notes,
    messages: readMessages(fields.messages, notes),
    tools,
    toolChoice: readToolChoice(fields.tool_choice, { tools, notes }),
  });
}

/**
 * A body of `/api/generate`: one prompt, which becomes a conversation of a system and a user message. Throws as
 * `readRequest` does, also for a `suffix`: no chat can say what comes after a gap.
 */
export function readGenerateRequest(body: unknown): ChatRequest {
  const known = [...commonFields, 'prompt', 'system', 'images', 'suffix', 'raw', 'template', 'context'];
  const { fields, notes } = openBody(body, known);
  if (!isAbsent(fields.suffix) && fields.suffix !== '') {
    throw unsupported('suffix', 'filling a gap is not supported; send the whole text as the prompt.');
  }
  if (Array.isArray(fields.context) && fields.context.length > 0) {
    throw unsupported('context', 'is not supported; send the conversation to /api/chat.');
  }
  // Prompts are always written by the model's own template, on the upstream's side.
  for (const field of ['raw', 'template']) if (fields[field]) notes.ignore(field);
  const system = readOptionalString(fields.system, 'system') ?? '';
  const prompt = readOptionalString(fields.prompt, 'prompt') ?? '';
  const images = readImages(fields.images, 'images');
  if (prompt === '' && images.length === 0) throw badRequest('prompt', 'is required.');
  const messages: Message[] = system === '' ? [] : [{ role: 'system', content: [{ type: 'text', text: system }] }];
  const text = prompt === '' ? [] : [{ type: 'text' as const, text: prompt }];
  messages.push({ role: 'user', content: [...text, ...images] });
  return finish(fields, { notes, messages, tools: [], toolChoice: 'auto' });
}

function openBody(
  given: unknown,
  known: readonly string[],
): { readonly fields: JsonObject; readonly notes: ReadNotes } {
  const body = readBody(given);
  const notes = new ReadNotes();
  notes.ignoreOthers(body, known);
  return { fields: body, notes };
}

interface ReadParts {
  readonly notes: ReadNotes;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice: ToolChoice;
}

function finish(fields: JsonObject, { notes, messages, tools, toolChoice }: ReadParts): ChatRequest {
  const { sampling, riding } = readOptions(fields.options);
  const effort = readEffort(fields.think);
  const outputFormat = readFormat(fields.format);
  const own = {
    ...pick(fields, ridingRequestFields),
    ...(Object.keys(riding).length === 0 ? {} : { options: riding }),
  };
  return {
    model: readModel(fields.model),
    messages,
    tools,
    toolChoice,
    parallelToolCalls: true,
    stream: readFlag(fields.stream, 'stream', true),
    includeUsage: true,
    sampling,
    ...(outputFormat === undefined ? {} : { outputFormat }),
    ...(effort === undefined ? {} : { reasoningEffort: effort }),
    ...(fields.think === false ? { hidesReasoning: true } : {}),
    extra: Object.keys(own).length === 0 ? {} : { [wireId]: own },
    warnings: notes.warnings,
  };
}

/** `"json"`, or a schema. Clients that always send the field send it empty. */
function readFormat(value: unknown): OutputFormat | undefined {
  if (isAbsent(value) || value === '') return undefined;
  if (value === 'json') return { type: 'json' };
  if (!isObject(value)) throw badRequest('format', 'must be "json" or a JSON Schema.');
  return { type: 'json-schema', schema: readAnswerSchema(value, 'format') };
}

/** A level is an effort. True and false ride along: other APIs have no word for "as much as you like". */
function readEffort(think: unknown): string | undefined {
  if (isAbsent(think) || typeof think === 'boolean' || think === '') return undefined;
  if (typeof think !== 'string') throw badRequest('think', `must be true, false or a level, not ${kindOf(think)}.`);
  return think;
}

/** What `options` holds: how to sample, and what only this wire knows, such as `num_ctx`. */
interface ReadOptions {
  readonly sampling: Sampling;
  readonly riding: JsonObject;
}

const sampledOptions: readonly string[] = [
  'temperature',
  'top_p',
  'num_predict',
  'stop',
  'seed',
  'presence_penalty',
  'frequency_penalty',
];

function readOptions(value: unknown): ReadOptions {
  if (isAbsent(value)) return { sampling: {}, riding: {} };
  const options = readObject(value, 'options');
  const rest = Object.entries(options).filter(([name, option]) => !sampledOptions.includes(name) && !isAbsent(option));
  return { sampling: readSampling(options), riding: Object.fromEntries(rest) };
}

function readSampling(options: JsonObject): Sampling {
  const number = (name: string) => readOptionalNumber(options[name], `options.${name}`);
  const most = readOptionalCount(options.num_predict, 'options.num_predict', -2);
  return present({
    temperature: number('temperature'),
    topP: number('top_p'),
    // -1 and -2 mean that there is no limit but the model's own.
    maxTokens: most !== undefined && most > 0 ? most : undefined,
    stop: readStop(options.stop, 'options.stop'),
    seed: number('seed'),
    presencePenalty: number('presence_penalty'),
    frequencyPenalty: number('frequency_penalty'),
  });
}
