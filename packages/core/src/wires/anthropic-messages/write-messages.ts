import type {
  AssistantMessage,
  ImagePart,
  Message,
  Part,
  SystemMessage,
  TextPart,
  ToolMessage,
} from '../../chat/message.ts';
import type { Warning } from '../../chat/warning.ts';
import { argumentsValue } from '../arguments-value.ts';
import { verifiedImage } from '../image-type.ts';
import type { JsonObject } from '../read-values.ts';
import {
  imageLeftOut,
  nothingToDo,
  reportDetail,
  reportDropped,
  reportName,
  reportUnknownImage,
} from '../report-dropped.ts';
import { ownFields, wireId } from './types.ts';

export interface WriteMessagesOptions {
  /** Every system message joins the system text in front, wherever it stands. */
  readonly systemInFront: boolean;
  /** Reasoning without a signature is written all the same. */
  readonly unsignedThinking: boolean;
  /** Takes what could not be said. */
  readonly warnings: Warning[];
}

export interface WrittenConversation {
  readonly system?: string | readonly JsonObject[];
  readonly messages: readonly JsonObject[];
}

/**
 * A conversation as this wire wants it: system text in front, then turns of alternating roles, in which results come
 * right after their calls and before anything else that the user said. System messages between the turns stay there.
 */
export function writeConversation(messages: readonly Message[], options: WriteMessagesOptions): WrittenConversation {
  const front: SystemMessage[] = [];
  const turns = new Turns();
  let inFront = true;
  for (const message of messages) {
    if (message.role === 'system' && (inFront || options.systemInFront)) {
      front.push(message);
      continue;
    }
    inFront = false;
    switch (message.role) {
      case 'system':
        turns.system(writeTextBlocks(message.content, 'system', options.warnings));
        break;
      case 'user':
        if (message.name !== undefined) reportName(options.warnings, wireId);
        turns.add('user', writeParts(message.content, options.warnings));
        break;
      case 'assistant':
        turns.add('assistant', writeAssistant(message.content, options));
        break;
      case 'tool':
        turns.result(writeResult(message, options.warnings));
        break;
      default:
        message satisfies never;
    }
  }
  const system = front.flatMap((message) => writeTextBlocks(message.content, 'system', options.warnings));
  return { ...(system.length === 0 ? {} : { system: shortest(system) }), messages: turns.written() };
}

interface Turn {
  readonly role: 'user' | 'assistant' | 'system';
  /** Only in users' turns; they come first. */
  readonly results: JsonObject[];
  readonly blocks: JsonObject[];
}

class Turns {
  readonly #turns: Turn[] = [];

  add(role: 'user' | 'assistant', blocks: readonly JsonObject[]): void {
    for (const block of blocks) this.#last(role).blocks.push(block);
  }

  system(blocks: readonly JsonObject[]): void {
    if (blocks.length > 0) this.#turns.push({ role: 'system', results: [], blocks: [...blocks] });
  }

  /** Into the user's turn after the calls, also when a system message has come between. */
  result(block: JsonObject): void {
    const at = this.#turns.findLastIndex(({ role }) => role !== 'system');
    const turn = this.#turns[at];
    if (turn?.role === 'user') turn.results.push(block);
    else this.#turns.splice(at + 1, 0, { role: 'user', results: [block], blocks: [] });
  }

  written(): readonly JsonObject[] {
    return this.#turns.map(({ role, results, blocks }) => ({ role, content: shortest([...results, ...blocks]) }));
  }

  #last(role: 'user' | 'assistant'): Turn {
    const last = this.#turns.at(-1);
    if (last?.role === role) return last;
    const turn: Turn = { role, results: [], blocks: [] };
    this.#turns.push(turn);
    return turn;
  }
}

/** One plain text is a string, which every server reads. */
function shortest(blocks: readonly JsonObject[]): string | readonly JsonObject[] {
  const [only] = blocks;
  const isPlain = blocks.length === 1 && only?.type === 'text' && Object.keys(only).length === 2;
  return isPlain && typeof only.text === 'string' ? only.text : blocks;
}

function writeAssistant(content: AssistantMessage['content'], options: WriteMessagesOptions): readonly JsonObject[] {
  const blocks = content.flatMap((part): readonly JsonObject[] => {
    const own = ownFields(part.extra);
    switch (part.type) {
      case 'text':
        return writeText(part);
      case 'reasoning':
        return writeReasoning(part.text, own, options);
      case 'tool-call': {
        const input = argumentsValue(part, options.warnings);
        return [{ ...own, type: 'tool_use', id: part.callId, name: part.name, input }];
      }
      default:
        return part satisfies never;
    }
  });
  return mergeBlanks(blocks, options.warnings);
}

/** Anthropic checks the signature of every thinking that it is shown, so one of another model's may not be. */
function writeReasoning(text: string, own: JsonObject, options: WriteMessagesOptions): readonly JsonObject[] {
  if (typeof own.redacted === 'string') return [{ type: 'redacted_thinking', data: own.redacted }];
  if (typeof own.signature === 'string') return [{ type: 'thinking', thinking: text, signature: own.signature }];
  if (text === '') return [];
  if (options.unsignedThinking) return [{ type: 'thinking', thinking: text, signature: '' }];
  reportDropped(options.warnings, `Reasoning without a signature of ${wireId} was left out. ${nothingToDo}`);
  return [];
}

function writeResult(message: ToolMessage, warnings: Warning[]): JsonObject {
  const content = shortest(writeParts(message.content, warnings));
  return {
    ...ownFields(message.extra),
    type: 'tool_result',
    tool_use_id: message.callId,
    ...(content.length === 0 ? {} : { content }),
    ...(message.status === 'error' ? { is_error: true } : {}),
  };
}

/** What a user said or a tool brought, as blocks. The API refuses empty texts and those of white space alone. */
function writeParts(content: readonly Part[], warnings: Warning[]): readonly JsonObject[] {
  const blocks = content.flatMap((part) => (part.type === 'text' ? writeText(part) : [writeImage(part, warnings)]));
  return mergeBlanks(blocks, warnings);
}

/** Content where the API knows only text: an image leaves a note in its place. */
function writeTextBlocks(content: readonly Part[], role: string, warnings: Warning[]): readonly JsonObject[] {
  const blocks = content.flatMap((part): readonly JsonObject[] => {
    if (part.type === 'text') return writeText(part);
    return [{ type: 'text', text: imageLeftOut(warnings, role, wireId) }];
  });
  return mergeBlanks(blocks, warnings);
}

/** A text; or, where it only stands for a block of this wire, that block. */
function writeText(part: TextPart): readonly JsonObject[] {
  const { block, ...own } = ownFields(part.extra);
  if (typeof block === 'object' && block !== null) return [{ ...block }];
  return part.text === '' ? [] : [{ ...own, type: 'text', text: part.text }];
}

function writeImage(part: ImagePart, warnings: Warning[]): JsonObject {
  reportDetail(warnings, part, wireId);
  const url = verifiedImage(part.url);
  if (url === undefined) {
    reportUnknownImage(warnings);
    return { type: 'text', text: '[image of an unknown kind left out]' };
  }
  return { ...ownFields(part.extra), type: 'image', source: writeSource(url) };
}

/** `data:<media type>;base64,<bytes>` gives up its bytes; any other address is for the upstream to fetch. */
function writeSource(url: string): JsonObject {
  const comma = url.indexOf(',');
  const head = comma < 0 ? '' : url.slice(0, comma);
  if (!head.startsWith('data:') || !head.endsWith(';base64')) return { type: 'url', url };
  const mediaType = head.slice('data:'.length).split(';')[0] ?? '';
  return { type: 'base64', media_type: mediaType, data: url.slice(comma + 1) };
}

/**
 * Blocks without a text that is only white space, which the API refuses. It joins the text before it, or after it; where
 * no text is next to it, it is left out and told. Fields of its own, such as a cache marker, go with it.
 */
function mergeBlanks(blocks: readonly JsonObject[], warnings: Warning[]): readonly JsonObject[] {
  if (!blocks.some(isBlank)) return blocks;
  const merged: JsonObject[] = [];
  let leading: JsonObject | undefined;
  for (const block of blocks) {
    const last = merged.at(-1);
    if (!isBlank(block)) {
      merged.push(leading === undefined || block.type !== 'text' ? block : joined(leading, block));
      if (leading !== undefined && block.type !== 'text') reportBlank(warnings);
      leading = undefined;
    } else if (last?.type === 'text' && leading === undefined) merged[merged.length - 1] = joined(last, block);
    else leading = leading === undefined ? block : joined(leading, block);
  }
  if (leading !== undefined) reportBlank(warnings);
  return merged;
}

function reportBlank(warnings: Warning[]): void {
  reportDropped(warnings, `A text of white space alone was left out: ${wireId} refuses it. ${nothingToDo}`);
}

function isBlank({ type, text }: JsonObject): boolean {
  return type === 'text' && typeof text === 'string' && text.trim() === '';
}

function joined(first: JsonObject, second: JsonObject): JsonObject {
  return { ...first, ...second, text: `${String(first.text)}${String(second.text)}` };
}
