import type { Message } from '../../chat/message.ts';
import type { ChatRequest, OutputFormat, Sampling } from '../../chat/request.ts';
import type { ToolChoice, ToolDefinition } from '../../chat/tool.ts';
import { sampledAs } from '../openai-sampling.ts';
import { readAnswerSchema } from '../output-format.ts';
import {
  badRequest,
  extraOf,
  isAbsent,
  isObject,
  kindOf,
  ReadNotes,
  RequestFields,
  unsupported,
} from '../read-values.ts';
import { readImages, readMessages } from './read-messages.ts';
import { readToolChoice, readTools } from './read-tools.ts';
import { ridingRequestFields, wireId } from './types.ts';

/**
 * A body of `/api/chat`. Throws `bad-request` or `unsupported-field`, naming the path; what is only unusual is tolerated
 * and named in `warnings`. It asks for a stream unless it says otherwise, and always for usage, which the last line tells.
 * The body is never changed; schemas and `extra` values are shared with it.
 */
export function readRequest(given: unknown): ChatRequest {
  const body = RequestFields.of(given);
  const notes = new ReadNotes();
  const tools = readTools(body.value('tools'), notes);
  const messages = readMessages(body.value('messages'), notes);
  const toolChoice = readToolChoice(body.value('tool_choice'), { tools, notes });
  return finish(body, { notes, messages, tools, toolChoice });
}

/**
 * A body of `/api/generate`: one prompt, which becomes a conversation of a system and a user message. Throws as
 * `readRequest` does, also for a `suffix`: no chat can say what comes after a gap.
 */
export function readGenerateRequest(given: unknown): ChatRequest {
  const body = RequestFields.of(given);
  const notes = new ReadNotes();
  const { suffix, context, ...template } = body.pick(['suffix', 'context', 'raw', 'template']);
  if (!isAbsent(suffix) && suffix !== '') {
    throw unsupported('suffix', 'filling a gap is not supported; send the whole text as the prompt.');
  }
  if (Array.isArray(context) && context.length > 0) {
    throw unsupported('context', 'is not supported; send the conversation to /api/chat.');
  }
  // Prompts are always written by the model's own template, on the upstream's side.
  for (const field of ['raw', 'template']) if (template[field]) notes.ignore(field);
  const system = body.text('system') ?? '';
  const prompt = body.text('prompt') ?? '';
  const images = readImages(body.value('images'), 'images');
  if (prompt === '' && images.length === 0) throw badRequest('prompt', 'is required.');
  const messages: Message[] = system === '' ? [] : [{ role: 'system', content: [{ type: 'text', text: system }] }];
  const text = prompt === '' ? [] : [{ type: 'text' as const, text: prompt }];
  messages.push({ role: 'user', content: [...text, ...images] });
  return finish(body, { notes, messages, tools: [], toolChoice: 'auto' });
}

interface ReadParts {
  readonly notes: ReadNotes;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice: ToolChoice;
}

function finish(body: RequestFields, { notes, messages, tools, toolChoice }: ReadParts): ChatRequest {
  const options = body.within('options');
  const sampling = readSampling(options);
  const own = options.pick(options.unread);
  const think = body.value('think');
  const effort = readEffort(think);
  const outputFormat = readFormat(body.value('format'));
  const riding = { ...body.pick(ridingRequestFields), ...(Object.keys(own).length === 0 ? {} : { options: own }) };
  return {
    model: body.model(),
    messages,
    tools,
    toolChoice,
    parallelToolCalls: true,
    stream: body.flag('stream', true),
    includeUsage: true,
    sampling,
    ...(outputFormat === undefined ? {} : { outputFormat }),
    ...(effort === undefined ? {} : { reasoningEffort: effort }),
    ...(think === false ? { hidesReasoning: true } : {}),
    extra: extraOf(wireId, riding),
    warnings: notes.finish(body),
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

/** The rest of `options` is what only this wire knows, such as `num_ctx`. */
function readSampling(options: RequestFields): Sampling {
  const most = options.count('num_predict', -2);
  // -1 and -2 mean that there is no limit but the model's own.
  return sampledAs(options, most !== undefined && most > 0 ? most : undefined);
}
