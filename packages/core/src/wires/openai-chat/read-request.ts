import type { Extra } from '../../chat/message.ts';
import type { ChatRequest } from '../../chat/request.ts';
import { readIncludeUsage, readSampling } from '../openai-sampling.ts';
import { readOpenaiFormat } from '../output-format.ts';
import {
  extraOf,
  isAbsent,
  isObject,
  type JsonObject,
  present,
  ReadNotes,
  RequestFields,
  readList,
  unsupported,
} from '../read-values.ts';
import { wrongMetadata } from '../wrong-metadata.ts';
import { readMessages } from './read-messages.ts';
import { readToolChoice, readTools, wantsFunctionCall } from './read-tools.ts';
import { extraRequestFields, wireId } from './types.ts';

/**
 * A Chat Completions body. Throws `bad-request` or `unsupported-field`, naming the path; what is only unusual is
 * tolerated and named in `warnings`. The body is never changed; schemas and `extra` values are shared with it.
 */
export function readRequest(given: unknown): ChatRequest {
  const body = RequestFields.of(given);
  const notes = new ReadNotes();
  const model = body.model();
  const answers = body.count('n', 1) ?? 1;
  if (answers > 1) throw unsupported('n', 'only one answer at a time is supported.');
  const riding = body.pick(extraRequestFields);
  refuseSound(riding.modalities, body.value('audio'));
  const messages = readMessages(body.value('messages'), notes);
  const calling = body.pick(['tools', 'functions', 'tool_choice', 'function_call']);
  const tools = readTools(calling, notes);
  const outputFormat = readOpenaiFormat(body.value('response_format'), 'response_format', 'json_schema');
  return {
    model,
    messages,
    ...readToolChoice(calling, tools),
    parallelToolCalls: body.flag('parallel_tool_calls', true) && !wantsFunctionCall(calling),
    stream: body.flag('stream', false),
    includeUsage: readIncludeUsage(body),
    sampling: readSampling(body),
    ...(outputFormat === undefined ? {} : { outputFormat }),
    ...readReasoning(body, notes),
    extra: readExtra(riding, notes),
    warnings: notes.finish(body),
  };
}

/** Replies are text and calls. */
function refuseSound(modalities: unknown, audio: unknown): void {
  if (!isAbsent(audio)) throw unsupported('audio', 'replies are text; leave it out.');
  if (isAbsent(modalities)) return;
  if (readList(modalities, 'modalities').some((one) => one !== 'text')) {
    throw unsupported('modalities', 'only "text" is supported.');
  }
}

type ReasoningFields = Pick<ChatRequest, 'reasoningEffort' | 'reasoningBudget' | 'hidesReasoning'>;

/** `reasoning_effort`, or the `reasoning` object of OpenRouter; and what gateways call the wish for no reasoning. */
function readReasoning(body: RequestFields, notes: ReadNotes): ReasoningFields {
  const reasoning = body.value('reasoning');
  const isUnwanted = body.value('include_reasoning') === false;
  const isHidden = body.value('reasoning_format') === 'hidden';
  const about = new RequestFields(isObject(reasoning) ? reasoning : {}, 'reasoning.');
  const [isEnabled, isExcluded] = [about.value('enabled'), about.value('exclude')];
  const fields = present({
    reasoningEffort:
      body.text('reasoning_effort') ?? about.text('effort') ?? (isEnabled === false ? 'none' : undefined),
    reasoningBudget: about.count('max_tokens', 1),
    hidesReasoning: isExcluded === true || isUnwanted || isHidden ? true : undefined,
  });
  notes.ignoreUnread(about);
  return fields;
}

/** Servers refuse a request for metadata beyond the bounds of the API, so such metadata is left out. */
function readExtra(riding: JsonObject, notes: ReadNotes): Extra {
  const { metadata, ...others } = riding;
  const wrong = wrongMetadata(metadata);
  if (wrong === undefined) return extraOf(wireId, riding);
  notes.add({ code: 'field-dropped', message: `metadata was left out: ${wrong.path} ${wrong.problem}` });
  return extraOf(wireId, others);
}
