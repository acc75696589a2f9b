import type { UserMessage } from '../../chat/message.ts';
import type { ChatRequest } from '../../chat/request.ts';
import { readIncludeUsage, readSampling } from '../openai-sampling.ts';
import { badRequest, extraOf, isAbsent, kindOf, ReadNotes, RequestFields, unsupported } from '../read-values.ts';
import { type PromptMark, ridingRequestFields, wireId } from './types.ts';

/**
 * A Completions body: its one prompt becomes a user message. Throws `bad-request` or `unsupported-field`, naming the
 * path; what is only unusual is tolerated and named in `warnings`. The body is never changed; `extra` values are shared
 * with it.
 */
export function readRequest(given: unknown): ChatRequest {
  const body = RequestFields.of(given);
  const notes = new ReadNotes();
  const model = body.model();
  refuseMany(body);
  const probabilities = body.value('logprobs');
  if (!isAbsent(probabilities) && probabilities !== false) {
    notes.add({ code: 'field-dropped', message: '"logprobs" was left out: replies tell no probabilities.' });
  }
  return {
    model,
    messages: [readMessage(body)],
    tools: [],
    toolChoice: 'auto',
    parallelToolCalls: true,
    stream: body.flag('stream', false),
    includeUsage: readIncludeUsage(body),
    sampling: readSampling(body),
    extra: extraOf(wireId, body.pick(ridingRequestFields)),
    warnings: notes.finish(body),
  };
}

function refuseMany(body: RequestFields): void {
  for (const field of ['n', 'best_of']) {
    if ((body.count(field, 1) ?? 1) > 1) throw unsupported(field, 'only one answer at a time is supported.');
  }
}

function readMessage(body: RequestFields): UserMessage {
  const text = readPrompt(body.value('prompt'));
  const echo = body.flag('echo', false);
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
