import type { Extra } from '../../chat/message.ts';
import type { ChatRequest, OutputFormat, Sampling } from '../../chat/request.ts';
import { readAnswerSchema } from '../output-format.ts';
import {
  badRequest,
  isAbsent,
  isObject,
  type JsonObject,
  type Path,
  present,
  ReadNotes,
  readBody,
  readFlag,
  readList,
  readModel,
  readObject,
  readOptionalCount,
  readOptionalNumber,
  readOptionalString,
  readString,
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

/** What the fields below are read from. */
const modelledFields: readonly string[] = [
  'model',
  'messages',
  'system',
  'tools',
  'tool_choice',
  'stream',
  'max_tokens',
  'stop_sequences',
  'temperature',
  'top_p',
  'output_config',
  'output_format',
  'betas',
];

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
  const body = readBody(given);
  if (!isAbsent(body.thread)) {
    throw unsupported('thread', 'conversations are not kept here; leave it out and send the whole history.');
  }
  const notes = new ReadNotes();
  const model = readModel(body.model);
  const sampling = readSampling(body, options);
  const messages = readMessages(body, notes);
  const declared = readTools(body, notes);
  const { tools, foreign } = declared;
  const { toolChoice, parallelToolCalls, foreignChoice } = readToolChoice(body, declared);
  const output = isAbsent(body.output_config) ? {} : readObject(body.output_config, 'output_config');
  const reasoningEffort = readOptionalString(output.effort, 'output_config.effort');
  const outputFormat =
    readFormat(output.format, 'output_config.format') ?? readFormat(body.output_format, 'output_format');
  return {
    model,
    messages,
    tools,
    toolChoice,
    parallelToolCalls,
    stream: readFlag(body.stream, 'stream', false),
    // This API tells usage in every reply.
    includeUsage: true,
    sampling,
    ...(outputFormat === undefined ? {} : { outputFormat }),
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    ...readThinking(body.thinking),
    extra: readExtra(body, { headers, foreign, foreignChoice }),
    warnings: notes.warnings,
  };
}

function readSampling(body: JsonObject, options: ReadRequestOptions): Sampling {
  const maxTokens = readOptionalCount(body.max_tokens, 'max_tokens', 1);
  if (maxTokens === undefined && options.maxTokensOptional !== true) throw badRequest('max_tokens', 'is required.');
  return present({
    temperature: readOptionalNumber(body.temperature, 'temperature'),
    topP: readOptionalNumber(body.top_p, 'top_p'),
    maxTokens,
    stop: readTexts(body.stop_sequences, 'stop_sequences'),
  });
}

function readTexts(value: unknown, path: Path): readonly string[] | undefined {
  if (isAbsent(value)) return undefined;
  return readList(value, path).map((one, index) => readString(one, `${path}[${index}]`));
}

/** It rides along for upstreams of this wire; others are told of its budget, and nobody shows what the client hides. */
function readThinking(value: unknown): Pick<ChatRequest, 'reasoningBudget' | 'hidesReasoning'> {
  if (isAbsent(value)) return {};
  const thinking = readObject(value, 'thinking');
  const budget = readOptionalCount(thinking.budget_tokens, 'thinking.budget_tokens', 1);
  return present({
    reasoningBudget: thinking.type === 'enabled' ? budget : undefined,
    hidesReasoning: thinking.type === 'disabled' || thinking.display === 'omitted' ? true : undefined,
  });
}

/** `output_format` is what the beta called it. */
function readFormat(value: unknown, path: Path): OutputFormat | undefined {
  if (isAbsent(value)) return undefined;
  const format = readObject(value, path);
  if (format.type !== 'json_schema') throw badRequest(`${path}.type`, 'must be "json_schema".');
  return { type: 'json-schema', schema: readAnswerSchema(format.schema, `${path}.schema`) };
}

/** What is beside the fields that ride along as they are. */
interface ReadAside {
  readonly headers: RequestHeaders;
  readonly foreign: readonly JsonObject[];
  readonly foreignChoice: string | undefined;
}

function readExtra(body: JsonObject, { headers, foreign, foreignChoice }: ReadAside): Extra {
  const riding: [string, unknown][] = [];
  for (const [field, value] of Object.entries(body)) {
    if (!modelledFields.includes(field) && !isAbsent(value)) riding.push([field, value]);
  }
  const output = restOf(body.output_config);
  if (Object.keys(output).length > 0) riding.push(['output_config', output]);
  const betas = [...readBetas(headers['anthropic-beta']), ...(readTexts(body.betas, 'betas') ?? [])];
  if (foreign.length > 0) riding.push(['foreignTools', foreign]);
  if (foreignChoice !== undefined) riding.push(['foreignChoice', foreignChoice]);
  if (betas.length > 0) riding.push(['betas', [...new Set(betas)]]);
  return riding.length === 0 ? {} : { [wireId]: Object.fromEntries(riding) };
}

/** The names of a header that lists them; it may come several times. */
function readBetas(header: string | readonly string[] | undefined): readonly string[] {
  const lines = typeof header === 'string' ? [header] : (header ?? []);
  return lines
    .flatMap((line) => line.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** What the output's settings say besides effort and format. */
function restOf(output: unknown): JsonObject {
  if (!isObject(output)) return {};
  const { effort: _effort, format: _format, ...rest } = output;
  return rest;
}
