import type { UserMessage } from '../../chat/message.ts';
import type { ChatRequest } from '../../chat/request.ts';
import { readIncludeUsage, readSampling, samplingFields } from '../openai-sampling.ts';
import {
  badRequest,
  isAbsent,
  type JsonObject,
  kindOf,
  pick,
  ReadNotes,
  readBody,
  readFlag,
  readModel,
  readOptionalCount,
  unsupported,
} from '../read-values.ts';
import { type PromptMark, ridingRequestFields, wireId } from './types.ts';

/** Every field that is read. */
const knownFields: readonly string[] = [
  'model',
  'prompt',
  'echo',
  'n',
  'best_of',
  'logprobs',
  'stream',
  'stream_options',
  ...samplingFields,
  ...ridingRequestFields,
];

/**
 * A Completions body: its one prompt becomes a user message. Throws `bad-request` or `unsupported-field`, naming the
 * path; what is only unusual is tolerated and named in `warnings`. The body is never changed; `extra` values are shared
 * with it.
 */
export function readRequest(given: unknown): ChatRequest {
  const body = readBody(given);
  const notes = new ReadNotes();
  const model = readModel(body.model);
  refuseMany(body);
  if (!isAbsent(body.logprobs) && body.logprobs !== false) {
    notes.add({ code: 'field-dropped', message: '"logprobs" was left out: replies tell no probabilities.' });
  }
  notes.ignoreOthers(body, knownFields);
  const riding = pick(body, ridingRequestFields);
  return {
    model,
    messages: [readMessage(body)],
    tools: [],
    toolChoice: 'auto',
    parallelToolCalls: true,
    stream: readFlag(body.stream, 'stream', false),
    includeUsage: readIncludeUsage(body.stream_options),
    sampling: readSampling(body),
    extra: riding === undefined ? {} : { [wireId]: riding },
    warnings: notes.warnings,
  };
}

function refuseMany(body: JsonObject): void {
  for (const field of ['n', 'best_of']) {
    const count = readOptionalCount(body[field], field, 1) ?? 1;
    if (count > 1) throw unsupported(field, 'only one answer at a time is supported.');
  }
}

function readMessage(body: JsonObject): UserMessage {
  const text = readPrompt(body.prompt);
  const echo = readFlag(body.echo, 'echo', false);
  const mark: PromptMark = echo ? { prompt: true, echo } : { prompt: true };
  return { role: 'user', content: [{ type: 'text', text }], extra: { [wireId]: { ...mark } } };
}

/** A text, which may be empty: a gap at the start of a file has nothing before it. */
function readPrompt(value: unknown): string {
  if (isAbsent(value)) throw badRequest('prompt', 'is required.');
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) throw badRequest('prompt', `must be a string, not ${kindOf(value)}.`);
  const [first]: readonly unknown[] = value;
  if (first === undefined) throw badRequest('prompt', 'must not be empty.');
  if (typeof first === 'number' || Array.isArray(first)) {
    throw unsupported('prompt', 'token ids are not supported; send the text.');
  }
  if (value.length > 1) throw unsupported('prompt', 'only one prompt at a time is supported.');
  if (typeof first !== 'string') throw badRequest('prompt[0]', `must be a string, not ${kindOf(first)}.`);
  return first;
}
