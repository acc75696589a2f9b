import type { Extra, Message } from '../../chat/message.ts';
import type { ChatRequest, Sampling } from '../../chat/request.ts';
import { quoteName } from '../../chat/warning.ts';
import { DragomanError } from '../../errors.ts';
import { readOpenaiFormat } from '../output-format.ts';
import type { JsonObject } from '../read-values.ts';
import {
  badRequest,
  isAbsent,
  isObject,
  pick,
  present,
  readBody,
  readFlag,
  readList,
  readObject,
  readOptionalCount,
  readOptionalNumber,
  readOptionalString,
  readString,
  unsupported,
} from '../read-values.ts';
import { wrongMetadata } from '../wrong-metadata.ts';
import { ItemReader } from './read-items.ts';
import { ReadRules, readName } from './read-rules.ts';
import { readToolChoice, readTools } from './read-tools.ts';
import { type FlatTool, ToolForms } from './tool-forms.ts';
import { ownToolTypes, ridingRequestFields, wireId } from './types.ts';

/** How strictly a body is read. */
export interface ReadRequestOptions {
  /** Tolerates what the API refuses but has one reading. Default: refused, naming the path. */
  readonly lenient?: boolean;
  /** Reads `background`. Default: refused, as without a place for it a reply would be lost. */
  readonly background?: boolean;
  /** Nothing has to be asked yet, as in a request that only prepares the next one. */
  readonly inputOptional?: boolean;
  /** The items of the responses that `previous_response_id` continues, oldest first. */
  readonly history?: readonly unknown[];
  /** Items of earlier responses by id, for `item_reference`. */
  readonly references?: ReadonlyMap<string, unknown>;
}

/** What the fields below are read from, and what rides along. */
const knownFields: readonly string[] = [
  ...ridingRequestFields,
  'model',
  'input',
  'instructions',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'stream',
  'temperature',
  'top_p',
  'max_output_tokens',
  'presence_penalty',
  'frequency_penalty',
  'reasoning',
  'text',
  'conversation',
  'prompt',
];

/**
 * A Responses body, by the letter of OpenResponses. Throws `bad-request` or `unsupported-field`, naming the path; what
 * is only unusual is tolerated and named in `warnings`. The body is never changed; schemas and `extra` values are shared
 * with it.
 */
export function readRequest(given: unknown, options: ReadRequestOptions = {}): ChatRequest {
  const body = readBody(given);
  const notes = new ReadRules({ lenient: options.lenient === true });
  const model = isAbsent(body.model) ? '' : readName(body.model, 'model');
  refuseUnsupported(body, options);
  checkRiding(body);
  const wrong = wrongMetadata(body.metadata);
  if (wrong !== undefined) throw badRequest(wrong.path, wrong.problem);
  const declared = readTools(body, notes);
  const choice = readToolChoice(body, declared);
  const messages = readConversation(body, { options, notes, forms: new ToolForms(declared) });
  const effort = readEffort(body.reasoning);
  const text = isAbsent(body.text) ? {} : readObject(body.text, 'text');
  const outputFormat = readOpenaiFormat(text.format, 'text.format', 'here');
  notes.ignoreOthers(body, knownFields);
  return {
    model,
    messages,
    ...choice,
    parallelToolCalls: readFlag(body.parallel_tool_calls, 'parallel_tool_calls', true),
    stream: readFlag(body.stream, 'stream', false),
    includeUsage: true,
    sampling: readSampling(body, notes),
    ...(outputFormat === undefined ? {} : { outputFormat }),
    ...(effort === undefined ? {} : { reasoningEffort: effort }),
    ...(wantsNoSummary(body.reasoning) ? { hidesReasoning: true } : {}),
    extra: readExtra(body, declared),
    warnings: notes.warnings,
  };
}

function refuseUnsupported(body: JsonObject, options: ReadRequestOptions): void {
  const isStored = readFlag(body.store, 'store', true);
  if (readFlag(body.background, 'background', false)) {
    if (options.background !== true) throw unsupported('background', 'is not possible here; leave it out.');
    if (!isStored) throw badRequest('background', 'needs a response that is stored; leave "store" out.');
  }
  for (const field of ['conversation', 'prompt']) {
    if (!isAbsent(body[field])) throw unsupported(field, 'is not known here; send the items themselves in input.');
  }
}

/** What rides along is refused where it breaks the letter of the API: no server would know what it means. */
function checkRiding(body: JsonObject): void {
  const { truncation } = body;
  if (!isAbsent(truncation) && truncation !== 'auto' && truncation !== 'disabled') {
    throw badRequest('truncation', 'must be auto or disabled.');
  }
  readOptionalCount(body.max_tool_calls, 'max_tool_calls', 1);
  if ((readOptionalCount(body.top_logprobs, 'top_logprobs', 0) ?? 0) > 20) {
    throw badRequest('top_logprobs', 'must be at most 20.');
  }
  for (const field of ['service_tier', 'safety_identifier', 'prompt_cache_key', 'user']) {
    readOptionalString(body[field], field);
  }
  for (const field of ['stream_options', 'text', 'reasoning'])
    if (!isAbsent(body[field])) readObject(body[field], field);
  if (!isAbsent(body.include)) {
    readList(body.include, 'include').forEach((one, index) => {
      readString(one, `include[${index}]`);
    });
  }
}

interface Conversation {
  readonly options: ReadRequestOptions;
  readonly notes: ReadRules;
  readonly forms: ToolForms;
}

/** Instructions, what came before, and what is new. Instructions of earlier responses do not count again. */
function readConversation(body: JsonObject, { options, notes, forms }: Conversation): readonly Message[] {
  const references = options.references ?? new Map<string, unknown>();
  const history = options.history ?? [];
  const instructions = readOptionalString(body.instructions, 'instructions') ?? '';
  if (isAbsent(body.input) && history.length === 0 && options.inputOptional !== true) {
    const hint = isAbsent(body.messages) ? '' : ' ("messages" belongs to Chat Completions.)';
    throw badRequest('input', `is required.${hint}`);
  }
  // What was taken once, or was written here, is not refused later.
  const past = new ItemReader({ notes: new ReadRules({ lenient: true }), forms, references });
  past.readInput(history, 'previous_response_id');
  const fresh = new ItemReader({ notes, forms, references });
  if (!isAbsent(body.input)) fresh.readInput(body.input, 'input');
  const said = [...past.finish(), ...fresh.finish()];
  if (!notes.lenient && history.length > 0) checkResults(body.input, [...history, ...references.values()]);
  if (said.length === 0 && options.inputOptional !== true) throw badRequest('input', 'must have at least one item.');
  if (instructions === '') return said;
  const extra = { [wireId]: { instructions: true } };
  return [{ role: 'system', content: [{ type: 'text', text: instructions }], extra }, ...said];
}

/** Who continues a response answers its calls: nothing else is known there under that id. */
function checkResults(input: unknown, past: readonly unknown[]): void {
  const items = Array.isArray(input) ? input.filter(isObject) : [];
  const isResult = ({ type }: JsonObject) => type === 'function_call_output' || type === 'custom_tool_call_output';
  const called = new Set(
    [...past.filter(isObject), ...items].flatMap((item) => (isResult(item) ? [] : [item.call_id])),
  );
  items.forEach((item, index) => {
    if (!isResult(item) || called.has(item.call_id)) return;
    throw new DragomanError('invalid-tool-results', `There is no call with the id ${quoteName(item.call_id)}.`, {
      param: `input[${index}].call_id`,
    });
  });
}

function readSampling(body: JsonObject, notes: ReadRules): Sampling {
  return present({
    temperature: readOptionalNumber(body.temperature, 'temperature'),
    topP: readOptionalNumber(body.top_p, 'top_p'),
    maxTokens: readOptionalCount(body.max_output_tokens, 'max_output_tokens', notes.lenient ? 1 : 16),
    presencePenalty: readOptionalNumber(body.presence_penalty, 'presence_penalty'),
    frequencyPenalty: readOptionalNumber(body.frequency_penalty, 'frequency_penalty'),
  });
}

function readEffort(reasoning: unknown): string | undefined {
  if (isAbsent(reasoning)) return undefined;
  return readOptionalString(readObject(reasoning, 'reasoning').effort, 'reasoning.effort');
}

/** Said outright. Silence is no such word: servers of open models show reasoning that nobody asked for. */
function wantsNoSummary(reasoning: unknown): boolean {
  if (!isObject(reasoning)) return false;
  return reasoning.summary === 'none' || reasoning.summary === null;
}

/** The declared tools and the choice ride along where the canonical form does not say all of them. */
function readExtra(body: JsonObject, declared: readonly FlatTool[]): Extra {
  const isPlain = declared.every(({ form }) => form.kind === 'function' && form.namespace === undefined);
  const hasOwn =
    Array.isArray(body.tools) && body.tools.some((tool) => isObject(tool) && ownToolTypes.includes(tool.type));
  const isListed = isObject(body.tool_choice) && body.tool_choice.type === 'allowed_tools';
  const riding: JsonObject = {
    ...pick(body, ridingRequestFields),
    ...(isPlain && !isListed && !hasOwn ? {} : { tools: body.tools }),
    ...(isListed || !isPlain ? pick(body, ['tool_choice']) : {}),
    ...(isObject(body.text) && !isAbsent(body.text.verbosity) ? { text: pick(body.text, ['verbosity']) } : {}),
    ...(isObject(body.reasoning) && !isAbsent(body.reasoning.summary)
      ? { reasoning: pick(body.reasoning, ['summary']) }
      : {}),
  };
  return Object.keys(riding).length === 0 ? {} : { [wireId]: riding };
}
