import type { ChatRequest, OutputFormat, Sampling } from '../../chat/request.ts';
import { readAnswerSchema } from '../output-format.ts';
import {
  badRequest,
  extraOf,
  isAbsent,
  type Path,
  present,
  ReadNotes,
  RequestFields,
  readObject,
  unsupported,
} from '../read-values.ts';
import type { RequestHeaders } from '../wire.ts';
import { readMessages } from './read-messages.ts';
import { readToolChoice, readTools } from './read-tools.ts';
import { wireId } from './types.ts';

export interface ReadRequestOptions {
  /** A body without `max_tokens` is read, as `count_tokens` needs it. Otherwise it is refused, as the API does. */
  readonly maxTokensOptional?: boolean;
}

/**
 * A Messages body. Throws `bad-request` or `unsupported-field`, naming the path; what is only unusual is tolerated and
 * named in `warnings`. Fields that are not modelled ride along, known or not: beta fields come and go, and an upstream of
 * this wire is the one to judge them, together with the `anthropic-beta` header that announces them. The body is never
 * changed; schemas and `extra` values are shared with it.
 */
export function readRequest(
  given: unknown,
  { headers = {}, ...options }: ReadRequestOptions & { readonly headers?: RequestHeaders } = {},
): ChatRequest {
  const body = RequestFields.of(given);
  if (!isAbsent(body.value('thread'))) {
    throw unsupported('thread', 'conversations are not kept here; leave it out and send the whole history.');
  }
  const notes = new ReadNotes();
  const model = body.model();
  const sampling = readSampling(body, options);
  const messages = readMessages({ messages: body.value('messages'), system: body.value('system') }, notes);
  const calling = body.pick(['tools', 'tool_choice']);
  const declared = readTools(calling, notes);
  const { tools, foreign } = declared;
  const { toolChoice, parallelToolCalls, foreignChoice } = readToolChoice(calling, declared);
  const output = body.within('output_config');
  const reasoningEffort = output.text('effort');
  const inOutput = readFormat(output.value('format'), 'output_config.format');
  const asBeta = body.value('output_format');
  const outputFormat = inOutput ?? readFormat(asBeta, 'output_format');
  const betas = [...readBetas(headers['anthropic-beta']), ...(body.texts('betas') ?? [])];
  const stream = body.flag('stream', false);
  const own = body.pick(body.unread);
  const ofOutput = output.pick(output.unread);
  const riding = {
    ...own,
    ...(Object.keys(ofOutput).length === 0 ? {} : { output_config: ofOutput }),
    ...(foreign.length === 0 ? {} : { foreignTools: foreign }),
    ...(foreignChoice === undefined ? {} : { foreignChoice }),
    ...(betas.length === 0 ? {} : { betas: [...new Set(betas)] }),
  };
  return {
    model,
    messages,
    tools,
    toolChoice,
    parallelToolCalls,
    stream,
    // This API tells usage in every reply.
    includeUsage: true,
    sampling,
    ...(outputFormat === undefined ? {} : { outputFormat }),
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    ...readThinking(own.thinking),
    extra: extraOf(wireId, riding),
    warnings: notes.warnings,
  };
}

function readSampling(body: RequestFields, options: ReadRequestOptions): Sampling {
  const maxTokens = body.count('max_tokens', 1);
  if (maxTokens === undefined && options.maxTokensOptional !== true) throw badRequest('max_tokens', 'is required.');
  return present({
    temperature: body.number('temperature'),
    topP: body.number('top_p'),
    maxTokens,
    stop: body.texts('stop_sequences'),
  });
}

/** It rides along for upstreams of this wire; others are told of its budget, and nobody shows what the client hides. */
function readThinking(value: unknown): Pick<ChatRequest, 'reasoningBudget' | 'hidesReasoning'> {
  if (isAbsent(value)) return {};
  const thinking = RequestFields.at(value, 'thinking');
  const type = thinking.value('type');
  const budget = thinking.count('budget_tokens', 1);
  return present({
    reasoningBudget: type === 'enabled' ? budget : undefined,
    hidesReasoning: type === 'disabled' || thinking.value('display') === 'omitted' ? true : undefined,
  });
}

/** `output_format` is what the beta called it. */
function readFormat(value: unknown, path: Path): OutputFormat | undefined {
  if (isAbsent(value)) return undefined;
  const format = readObject(value, path);
  if (format.type !== 'json_schema') throw badRequest(`${path}.type`, 'must be "json_schema".');
  return { type: 'json-schema', schema: readAnswerSchema(format.schema, `${path}.schema`) };
}

/** The names of a header that lists them; it may come several times. */
function readBetas(header: string | readonly string[] | undefined): readonly string[] {
  const lines = typeof header === 'string' ? [header] : (header ?? []);
  return lines
    .flatMap((line) => line.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
