import type { Message, Part, ReasoningPart, TextPart, ToolCallPart } from '../../chat/message.ts';
import { quoteName } from '../../chat/warning.ts';
import type { DragomanError } from '../../errors.ts';
import { jsonOf } from '../../json/exact-json.ts';
import { wrapInput } from '../free-input.ts';
import {
  badRequest,
  isAbsent,
  isObject,
  type JsonObject,
  kindOf,
  type Path,
  RequestFields,
  readObject,
  readString,
  unsupported,
  wrongWord,
} from '../read-values.ts';
import { annotationsExtra } from './annotations.ts';
import { type ReadRules, readName } from './read-rules.ts';
import { unsealText } from './sealed-text.ts';
import { groupedName } from './tool-forms.ts';
import { ownItemTypes, wireId } from './types.ts';

/** Items of tools that ran on a vendor's servers. Their results are in the text that follows them. */
const hostedItems: readonly unknown[] = [
  'web_search_call',
  'file_search_call',
  'computer_call',
  'computer_call_output',
  'image_generation_call',
  'code_interpreter_call',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_approval_response',
  'mcp_call',
  'ghost_snapshot',
];

export interface ItemRules {
  readonly notes: ReadRules;
  /** Items that this server sent earlier, by id, for `item_reference`. */
  readonly references: ReadonlyMap<string, unknown>;
}

/**
 * Items as messages. What a model said in one go, its reasoning, text and calls, is in several items and becomes
 * one message; a second text begins a new one unless calls are between.
 */
export class ItemReader {
  readonly #rules: ItemRules;
  readonly #messages: Message[] = [];
  #said: (TextPart | ReasoningPart | ToolCallPart)[] = [];
  #phase: string | undefined;

  constructor(rules: ItemRules) {
    this.#rules = rules;
  }

  /** All messages so far. */
  finish(): readonly Message[] {
    this.#closeAssistant();
    return this.#messages;
  }

  /** A string is one user message. */
  readInput(value: unknown, path: Path): void {
    if (typeof value === 'string') {
      this.#add({ role: 'user', content: [{ type: 'text', text: value }] });
      return;
    }
    if (!Array.isArray(value)) throw badRequest(path, `must be a string or a list of items, not ${kindOf(value)}.`);
    value.forEach((item: unknown, index) => {
      this.#readItem(item, `${path}[${index}]`);
    });
  }

  #readItem(value: unknown, path: Path): void {
    const item = readObject(value, path);
    const type = isAbsent(item.type) ? typeOfUntyped(item) : item.type;
    switch (type) {
      case 'message':
        this.#readMessage(item, path);
        return;
      case 'reasoning':
        this.#readReasoning(item, path);
        return;
      case 'function_call':
        this.#said.push(this.#readCall(item, path));
        return;
      case 'custom_tool_call': {
        const input = readString(item.input, `${path}.input`);
        this.#said.push({ ...this.#readCallHead(item, path), arguments: wrapInput(input) });
        return;
      }
      case 'function_call_output':
      case 'custom_tool_call_output':
        this.#readOutput(item, path);
        return;
      case 'item_reference':
        this.#readReference(item, path);
        return;
      case 'compaction':
        this.#readCompaction(item, path);
        return;
      default:
        if (ownItemTypes.includes(type)) this.#readOwn(item, path);
        else this.#readOther(type, path);
    }
  }

  #readMessage(item: JsonObject, path: Path): void {
    const { notes } = this.#rules;
    const content = `${path}.content`;
    switch (item.role) {
      case 'user':
        this.#add({ role: 'user', content: readContent(item.content, content, { role: 'user', notes }) });
        return;
      case 'system':
        this.#add({ role: 'system', content: readContent(item.content, content, { role: 'system', notes }) });
        return;
      case 'developer':
        this.#add({
          role: 'system',
          content: readContent(item.content, content, { role: 'system', notes }),
          extra: { [wireId]: { role: 'developer' } },
        });
        return;
      case 'assistant':
        this.#sayText(readAssistantContent(item.content, content, notes), readPhase(item, path));
        return;
      default:
        throw wrongRole(`${path}.role`, item.role);
    }
  }

  #sayText(parts: readonly TextPart[], phase: string | undefined): void {
    if (this.#said.at(-1)?.type === 'text' && !this.#said.some((part) => part.type === 'tool-call')) {
      this.#closeAssistant();
    }
    for (const part of parts) this.#said.push(part);
    this.#phase = phase ?? this.#phase;
    // An empty message still is one: it keeps its place between the user's.
    if (this.#said.length === 0) this.#said.push({ type: 'text', text: '' });
  }

  #readReasoning(item: JsonObject, path: Path): void {
    const sealed = RequestFields.at(item, path).text('encrypted_content') ?? '';
    const own = sealed === '' ? undefined : unsealText('reasoning', sealed);
    const text = own ?? [...textsOf(item.summary), ...textsOf(item.content)].join('\n\n');
    const isForeign = sealed !== '' && own === undefined;
    if (text === '' && !isForeign) return;
    this.#said.push({
      type: 'reasoning',
      text,
      ...(isForeign ? { extra: { [wireId]: { encrypted_content: sealed } } } : {}),
    });
  }

  #readCallHead(item: JsonObject, path: Path): Omit<ToolCallPart, 'arguments'> {
    const namespace = RequestFields.at(item, path).text('namespace');
    return {
      type: 'tool-call',
      callId: readName(item.call_id, `${path}.call_id`),
      name: groupedName(readName(item.name, `${path}.name`), namespace),
    };
  }

  #readCall(item: JsonObject, path: Path): ToolCallPart {
    const { notes } = this.#rules;
    const head = this.#readCallHead(item, path);
    if (item.arguments === '' || isAbsent(item.arguments)) return { ...head, arguments: '{}' };
    if (isObject(item.arguments) && notes.lenient) return { ...head, arguments: jsonOf(item.arguments) };
    if (typeof item.arguments !== 'string') {
      throw badRequest(`${path}.arguments`, `must be JSON text, not ${kindOf(item.arguments)}.`);
    }
    return { ...head, arguments: item.arguments };
  }

  #readOutput(item: JsonObject, path: Path): void {
    const callId = readName(item.call_id, `${path}.call_id`);
    this.#add({ role: 'tool', callId, content: readToolOutput(item.output, `${path}.output`, this.#rules.notes) });
  }

  #readReference(item: JsonObject, path: Path): void {
    const id = readName(item.id, `${path}.id`);
    const found = this.#rules.references.get(id);
    if (found === undefined || (isObject(found) && found.type === 'item_reference')) {
      throw badRequest(`${path}.id`, `there is no item ${quoteName(id)}. Send the item itself.`);
    }
    this.#readItem(found, path);
  }

  /** Ours is a summary of what came before; another server's can only go back to where it came from. */
  #readCompaction(item: JsonObject, path: Path): void {
    const sealed = readName(item.encrypted_content, `${path}.encrypted_content`);
    const summary = unsealText('summary', sealed);
    if (summary !== undefined) this.#add({ role: 'user', content: [{ type: 'text', text: summary }] });
    else throw badRequest(`${path}.encrypted_content`, 'was not made by this gateway and cannot be read here.');
  }

  /** An item that only this API has keeps its place, and reaches upstreams of this API as it is. */
  #readOwn(item: JsonObject, path: Path): void {
    const { notes } = this.#rules;
    const message = `${path}: an item of type ${quoteName(item.type)} reaches only upstreams of ${wireId}.`;
    notes.add({ code: 'field-dropped', message });
    this.#said.push({ type: 'text', text: '', extra: { [wireId]: { item } } });
  }

  #readOther(type: unknown, path: Path): void {
    const { notes } = this.#rules;
    const isExtension = typeof type === 'string' && type.includes(':');
    if (hostedItems.includes(type) || isExtension || notes.lenient) {
      notes.add({
        code: 'field-dropped',
        message: `${path} was left out: items of type ${quoteName(type)} are not read.`,
      });
      return;
    }
    throw wrongWord(`${path}.type`, type, (word) => `items of type ${word} are not known.`);
  }

  #add(message: Exclude<Message, { role: 'assistant' }>): void {
    this.#closeAssistant();
    this.#messages.push(message);
  }

  #closeAssistant(): void {
    if (this.#said.length === 0) return;
    const phase = this.#phase === undefined ? {} : { extra: { [wireId]: { phase: this.#phase } } };
    this.#messages.push({ role: 'assistant', content: this.#said, ...phase });
    this.#said = [];
    this.#phase = undefined;
  }
}

/** Items without a type are messages, or references. */
function typeOfUntyped(item: JsonObject): string | undefined {
  if (!isAbsent(item.role)) return 'message';
  return typeof item.id === 'string' && Object.keys(item).length <= 2 ? 'item_reference' : undefined;
}

function readPhase(item: JsonObject, path: Path): string | undefined {
  const phase = RequestFields.at(item, path).text('phase');
  if (phase === undefined || phase === 'commentary' || phase === 'final_answer') return phase;
  throw badRequest(`${path}.phase`, `${quoteName(phase)} is not known; use commentary or final_answer.`);
}

function wrongRole(path: Path, role: unknown): DragomanError {
  return wrongWord(path, role, (word) =>
    role === 'tool' || role === 'function'
      ? `${word} belongs to Chat Completions; send an item of type "function_call_output" here.`
      : `${word} is not a role; use system, developer, user or assistant.`,
  );
}

function textsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((part: unknown) => (isObject(part) && typeof part.text === 'string' ? [part.text] : []));
}

/** Who a message is from, as far as its parts differ. */
type ContentRole = 'user' | 'system' | 'assistant';

/** The type that a text has in a message of each role. Mixing them up is the classic mistake with this API. */
const textTypes: { readonly [role in ContentRole]: string } = {
  user: 'input_text',
  system: 'input_text',
  assistant: 'output_text',
};

const knownTextTypes: readonly unknown[] = ['input_text', 'output_text', 'text', 'summary_text', 'reasoning_text'];

interface ContentRules {
  readonly role: ContentRole;
  readonly notes: ReadRules;
}

/** A message's content: a string, or parts whose types fit its role. Absent content is refused. */
function readContent(value: unknown, path: Path, rules: ContentRules): readonly Part[] {
  if (typeof value === 'string')
    return value === '' && rules.role === 'assistant' ? [] : [{ type: 'text', text: value }];
  if (isAbsent(value)) {
    if (rules.role === 'assistant') return [];
    throw badRequest(path, 'is required.');
  }
  if (!Array.isArray(value)) throw badRequest(path, `must be a string or a list of parts, not ${kindOf(value)}.`);
  return value.map((part: unknown, index) => readPart(part, `${path}[${index}]`, rules));
}

/** The model's own text, refusals among it. */
function readAssistantContent(value: unknown, path: Path, notes: ReadRules): readonly TextPart[] {
  return readContent(value, path, { role: 'assistant', notes }).filter((part) => part.type === 'text');
}

/** A tool's output. Parts that are not known become their JSON text: an output is never refused for its form. */
function readToolOutput(value: unknown, path: Path, notes: ReadRules): readonly Part[] {
  if (isAbsent(value)) throw badRequest(path, 'is required; send "" for an empty output.');
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  if (!Array.isArray(value)) return [{ type: 'text', text: JSON.stringify(value) }];
  return value.map((part: unknown, index): Part => {
    if (isObject(part)) {
      if (knownTextTypes.includes(part.type) && typeof part.text === 'string') return { type: 'text', text: part.text };
      if (part.type === 'input_image' && typeof part.image_url === 'string') {
        return readImage(part, `${path}[${index}]`, notes);
      }
    }
    return { type: 'text', text: typeof part === 'string' ? part : JSON.stringify(part) };
  });
}

function readPart(value: unknown, path: Path, { role, notes }: ContentRules): Part {
  if (!isObject(value)) throw badRequest(path, `must be an object, not ${kindOf(value)}.`);
  const { type } = value;
  if (type === textTypes[role]) {
    const text = readString(value.text, `${path}.text`);
    const { annotations } = value;
    const isCited = Array.isArray(annotations) && annotations.length > 0;
    return isCited ? { type: 'text', text, extra: annotationsExtra(annotations) } : { type: 'text', text };
  }
  if (type === 'refusal' && (role === 'assistant' || notes.lenient)) {
    return { type: 'text', text: readString(value.refusal, `${path}.refusal`), refusal: true };
  }
  if (knownTextTypes.includes(type)) return readOtherText(value, path, { role, notes });
  if (type === 'input_image' && role === 'user') return readImage(value, path, notes);
  return refusePart(type, path, role);
}

/** A text under the type of another role or API. */
function readOtherText(part: JsonObject, path: Path, { role, notes }: ContentRules): Part {
  if (!notes.lenient) {
    const whose = role === 'assistant' ? 'an assistant message' : `a ${role} message`;
    throw badRequest(`${path}.type`, `${quoteName(part.type)} does not belong in ${whose}; use "${textTypes[role]}".`);
  }
  return { type: 'text', text: readString(part.text, `${path}.text`) };
}

function readImage(part: JsonObject, path: Path, notes: ReadRules): Part {
  if (isAbsent(part.image_url) && !isAbsent(part.file_id)) {
    throw unsupported(
      `${path}.file_id`,
      'uploaded files are not known here; send image_url, which may be a data: URL.',
    );
  }
  // The form of Chat Completions.
  const nested = notes.lenient && isObject(part.image_url) ? part.image_url.url : part.image_url;
  const url = readString(nested, `${path}.image_url`);
  return typeof part.detail === 'string' ? { type: 'image', url, detail: part.detail } : { type: 'image', url };
}

function refusePart(type: unknown, path: Path, role: ContentRole): never {
  switch (type) {
    case 'input_file':
    case 'input_video':
    case 'input_audio':
      throw unsupported(`${path}.type`, `parts of type "${type}" are not supported; send text or images.`);
    case 'input_image':
      throw badRequest(`${path}.type`, `images are only in user messages, not in a message of the role ${role}.`);
    case 'image_url':
      throw badRequest(`${path}.type`, '"image_url" belongs to Chat Completions; send "input_image" here.');
    default:
      throw wrongWord(`${path}.type`, type, (word) => `parts of type ${word} are not known; use "${textTypes[role]}".`);
  }
}
