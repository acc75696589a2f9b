import type { Extra } from '../../chat/message.ts';
import type { ChatRequest } from '../../chat/request.ts';
import { readIncludeUsage, readSampling, samplingFields } from '../openai-sampling.ts';
import { readOpenaiFormat } from '../output-format.ts';
import {
  isAbsent,
  isObject,
  type JsonObject,
  pick,
  present,
  ReadNotes,
  readBody,
  readFlag,
  readList,
  readModel,
  readOptionalCount,
  readOptionalString,
  unsupported,
} from '../read-values.ts';
import { wrongMetadata } from '../wrong-metadata.ts';
import { readMessages } from './read-messages.ts';
import { readToolChoice, readTools, wantsFunctionCall } from './read-tools.ts';
import { ridingRequestFields, wireId } from './types.ts';

/** What the fields below are read from, and what rides along. */
const knownFields: readonly string[] = [
  ...ridingRequestFields,
  'model',
  'messages',
  'tools',
  'functions',
  'tool_choice',
  'function_call',
  'parallel_tool_calls',
  'stream',
  'stream_options',
  ...samplingFields,
  'reasoning_effort',
  'reasoning',
  'include_reasoning',
  'reasoning_format',
  'response_format',
  'n',
];

/**
 * A Chat Completions body. Throws `bad-request` or `unsupported-field`, naming the path; what is only unusual is
 * tolerated and named in `warnings`. The body is never changed; schemas and `extra` values are shared with it.
 */
export function readRequest(given: unknown): ChatRequest {
  const body = readBody(given);
  const notes = new ReadNotes();
  const model = readModel(body.model);
  const answers = readOptionalCount(body.n, 'n', 1) ?? 1;
  if (answers > 1) throw unsupported('n', 'only one answer at a time is supported.');
  refuseSound(body);
  const messages = readMessages(body.messages, notes);
  const tools = readTools(body, notes);
  const outputFormat = readOpenaiFormat(body.response_format, 'response_format', 'json_schema');
  notes.ignoreOthers(body, knownFields);
  return {
    model,
    messages,
    ...readToolChoice(body, tools),
    parallelToolCalls: readFlag(body.parallel_tool_calls, 'parallel_tool_calls', true) && !wantsFunctionCall(body),
    stream: readFlag(body.stream, 'stream', false),
    includeUsage: readIncludeUsage(body.stream_options),
    sampling: readSampling(body),
    ...(outputFormat === undefined ? {} : { outputFormat }),
    ...readReasoning(body, notes),
    extra: readExtra(body, notes),
    warnings: notes.warnings,
  };
}

/** Replies are text and calls. */
function refuseSound({ modalities, audio }: JsonObject): void {
  if (!isAbsent(audio)) throw unsupported('audio', 'replies are text; leave it out.');
  if (isAbsent(modalities)) return;
  if (readList(modalities, 'modalities').some((one) => one !== 'text')) {
    throw unsupported('modalities', 'only "text" is supported.');
  }
}

type ReasoningFields = Pick<ChatRequest, 'reasoningEffort' | 'reasoningBudget' | 'hidesReasoning'>;

/** `reasoning_effort`, or the `reasoning` object of OpenRouter; and what gateways call the wish for no reasoning. */
function readReasoning(body: JsonObject, notes: ReadNotes): ReasoningFields {
  const about = isObject(body.reasoning) ? body.reasoning : {};
  notes.ignoreOthers(about, reasoningWords, 'reasoning.');
  const hidden = about.exclude === true || body.include_reasoning === false || body.reasoning_format === 'hidden';
  return present({
    reasoningEffort:
      readOptionalString(body.reasoning_effort, 'reasoning_effort') ??
      readOptionalString(about.effort, 'reasoning.effort') ??
      (about.enabled === false ? 'none' : undefined),
    reasoningBudget: readOptionalCount(about.max_tokens, 'reasoning.max_tokens', 1),
    hidesReasoning: hidden ? true : undefined,
  });
}

const reasoningWords: readonly string[] = ['effort', 'max_tokens', 'exclude', 'enabled'];

/** Servers refuse a request for metadata beyond the bounds of the API, so such metadata is left out. */
function readExtra(body: JsonObject, notes: ReadNotes): Extra {
  const wrong = wrongMetadata(body.metadata);
  if (wrong !== undefined) {
    notes.add({ code: 'field-dropped', message: `metadata was left out: ${wrong.path} ${wrong.problem}` });
  }
  const fields = wrong === undefined ? ridingRequestFields : ridingRequestFields.filter((name) => name !== 'metadata');
  const riding = pick(body, fields);
  return riding === undefined ? {} : { [wireId]: riding };
}
