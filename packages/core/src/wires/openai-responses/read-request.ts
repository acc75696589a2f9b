import type { Message } from '../../chat/message.ts';
import type { ChatRequest, Sampling } from '../../chat/request.ts';
import type { ToolDefinition } from '../../chat/tool.ts';
import { quoteName } from '../../chat/warning.ts';
import { DragomanError } from '../../errors.ts';
import { readOpenaiFormat } from '../output-format.ts';
import {
  badRequest,
  extraOf,
  isAbsent,
  isObject,
  type JsonObject,
  present,
  RequestFields,
  unsupported,
} from '../read-values.ts';
import { wrongMetadata } from '../wrong-metadata.ts';
import { ItemReader } from './read-items.ts';
import { ReadRules, readName } from './read-rules.ts';
import { readToolChoice, readTools } from './read-tools.ts';
import { isPlain } from './tool-forms.ts';
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

/**
 * A Responses body, by the letter of OpenResponses. Throws `bad-request` or `unsupported-field`, naming the path; what
 * is only unusual is tolerated and named in `warnings`. The body is never changed; schemas and `extra` values are shared
 * with it.
 */
export function readRequest(given: unknown, options: ReadRequestOptions = {}): ChatRequest {
  const body = RequestFields.of(given);
  const notes = new ReadRules({ lenient: options.lenient === true });
  const name = body.value('model');
  const model = isAbsent(name) ? '' : readName(name, 'model');
  const riding = body.pick(ridingRequestFields);
  refuseUnsupported(body, options);
  checkRiding(body);
  const wrong = wrongMetadata(riding.metadata);
  if (wrong !== undefined) throw badRequest(wrong.path, wrong.problem);
  const calling = body.pick(['tools', 'tool_choice']);
  const declared = readTools(calling, notes);
  const choice = readToolChoice(calling, declared);
  const messages = readConversation(body, options, notes);
  const reasoning = body.within('reasoning');
  const effort = reasoning.text('effort');
  const summary = reasoning.value('summary');
  const text = body.within('text');
  const outputFormat = readOpenaiFormat(text.value('format'), 'text.format', 'here');
  return {
    model,
    messages,
    ...choice,
    parallelToolCalls: body.flag('parallel_tool_calls', true),
    stream: body.flag('stream', false),
    includeUsage: true,
    sampling: readSampling(body, notes),
    ...(outputFormat === undefined ? {} : { outputFormat }),
    ...(effort === undefined ? {} : { reasoningEffort: effort }),
    // Said outright. Silence is no such word: servers of open models show reasoning that nobody asked for.
    ...(summary === 'none' || summary === null ? { hidesReasoning: true } : {}),
    extra: extraOf(wireId, {
      ...riding,
      ...ridingCalls(calling, declared),
      ...within('text', text.pick(['verbosity'])),
      ...within('reasoning', reasoning.pick(['summary'])),
    }),
    warnings: notes.finish(body),
  };
}

function within(field: string, fields: JsonObject): JsonObject {
  return Object.keys(fields).length === 0 ? {} : { [field]: fields };
}

function refuseUnsupported(body: RequestFields, options: ReadRequestOptions): void {
  const isStored = body.flag('store', true);
  if (body.flag('background', false)) {
    if (options.background !== true) throw unsupported('background', 'is not possible here; leave it out.');
    if (!isStored) throw badRequest('background', 'needs a response that is stored; leave "store" out.');
  }
  for (const field of ['conversation', 'prompt']) {
    if (!isAbsent(body.value(field)))
      throw unsupported(field, 'is not known here; send the items themselves in input.');
  }
}

/** What rides along is refused where it breaks the letter of the API: no server would know what it means. */
function checkRiding(body: RequestFields): void {
  const truncation = body.value('truncation');
  if (!isAbsent(truncation) && truncation !== 'auto' && truncation !== 'disabled') {
    throw badRequest('truncation', 'must be auto or disabled.');
  }
  body.count('max_tool_calls', 1);
  if ((body.count('top_logprobs', 0) ?? 0) > 20) throw badRequest('top_logprobs', 'must be at most 20.');
  for (const field of ['service_tier', 'safety_identifier', 'prompt_cache_key', 'user']) body.text(field);
  for (const field of ['stream_options', 'text', 'reasoning']) body.within(field);
  body.texts('include');
}

/** Instructions, what came before, and what is new. Instructions of earlier responses do not count again. */
function readConversation(body: RequestFields, options: ReadRequestOptions, notes: ReadRules): readonly Message[] {
  const references = options.references ?? new Map<string, unknown>();
  const history = options.history ?? [];
  const instructions = body.text('instructions') ?? '';
  const input = body.value('input');
  if (isAbsent(input) && history.length === 0 && options.inputOptional !== true) {
    const hint = isAbsent(body.value('messages')) ? '' : ' ("messages" belongs to Chat Completions.)';
    throw badRequest('input', `is required.${hint}`);
  }
  // What was taken once, or was written here, is not refused later.
  const past = new ItemReader({ notes: new ReadRules({ lenient: true }), references });
  past.readInput(history, 'previous_response_id');
  const fresh = new ItemReader({ notes, references });
  if (!isAbsent(input)) fresh.readInput(input, 'input');
  const said = [...past.finish(), ...fresh.finish()];
  if (!notes.lenient && history.length > 0) checkResults(input, [...history, ...references.values()]);
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

function readSampling(body: RequestFields, notes: ReadRules): Sampling {
  return present({
    temperature: body.number('temperature'),
    topP: body.number('top_p'),
    maxTokens: body.count('max_output_tokens', notes.lenient ? 1 : 16),
    presencePenalty: body.number('presence_penalty'),
    frequencyPenalty: body.number('frequency_penalty'),
  });
}

/** The declared tools and the choice ride along where the canonical form does not say all of them. */
function ridingCalls(calling: JsonObject, declared: readonly ToolDefinition[]): JsonObject {
  const { tools, tool_choice: choice } = calling;
  const arePlain = declared.every(isPlain);
  const hasOwn = Array.isArray(tools) && tools.some((tool) => isObject(tool) && ownToolTypes.includes(tool.type));
  const isListed = isObject(choice) && choice.type === 'allowed_tools';
  return {
    ...(arePlain && !isListed && !hasOwn ? {} : { tools }),
    ...((isListed || !arePlain) && !isAbsent(choice) ? { tool_choice: choice } : {}),
  };
}
