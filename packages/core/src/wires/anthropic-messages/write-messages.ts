import type { AssistantMessage, Message, SystemMessage, ToolMessage } from '../../chat/message.ts';
import type { Warning } from '../../chat/warning.ts';
import { argumentsValue } from '../arguments-value.ts';
import { reportDropped } from '../report-dropped.ts';
import { mergeBlanks } from './merge-blanks.ts';
import { type Fields, ownFields, wireId } from './types.ts';
import { writeParts, writeText, writeTextBlocks } from './write-content.ts';

export interface ConversationOptions {
  /** Every system message joins the system text in front, wherever it stands. */
  readonly systemInFront: boolean;
  /** Reasoning without a signature is written all the same. */
  readonly unsignedThinking: boolean;
  /** Takes what could not be said. */
  readonly warnings: Warning[];
}

export interface WrittenConversation {
  readonly system?: string | readonly Fields[];
  readonly messages: readonly Fields[];
}

/**
 * A conversation as this wire wants it: system text in front, then turns of alternating roles, in which results come
 * right after their calls and before anything else that the user said. System messages between the turns stay there.
 */
export function writeConversation(messages: readonly Message[], options: ConversationOptions): WrittenConversation {
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
        if (message.name !== undefined)
          reportDropped(options.warnings, `The name of a user can't be said in ${wireId}.`);
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
  readonly results: Fields[];
  readonly blocks: Fields[];
}

class Turns {
  readonly #turns: Turn[] = [];

  add(role: 'user' | 'assistant', blocks: readonly Fields[]): void {
    for (const block of blocks) this.#last(role).blocks.push(block);
  }

  system(blocks: readonly Fields[]): void {
    if (blocks.length > 0) this.#turns.push({ role: 'system', results: [], blocks: [...blocks] });
  }

  /** Into the user's turn after the calls, also when a system message has come between. */
  result(block: Fields): void {
    const at = this.#turns.findLastIndex(({ role }) => role !== 'system');
    const turn = this.#turns[at];
    if (turn?.role === 'user') turn.results.push(block);
    else this.#turns.splice(at + 1, 0, { role: 'user', results: [block], blocks: [] });
  }

  written(): readonly Fields[] {
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
function shortest(blocks: readonly Fields[]): string | readonly Fields[] {
  const [only] = blocks;
  const isPlain = blocks.length === 1 && only?.type === 'text' && Object.keys(only).length === 2;
  return isPlain && typeof only.text === 'string' ? only.text : blocks;
}

function writeAssistant(content: AssistantMessage['content'], options: ConversationOptions): readonly Fields[] {
  const blocks = content.flatMap((part): readonly Fields[] => {
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
function writeReasoning(text: string, own: Fields, options: ConversationOptions): readonly Fields[] {
  if (typeof own.redacted === 'string') return [{ type: 'redacted_thinking', data: own.redacted }];
  if (typeof own.signature === 'string') return [{ type: 'thinking', thinking: text, signature: own.signature }];
  if (text === '') return [];
  if (options.unsignedThinking) return [{ type: 'thinking', thinking: text, signature: '' }];
  reportDropped(options.warnings, `Reasoning without a signature of ${wireId} was left out.`);
  return [];
}

function writeResult(message: ToolMessage, warnings: Warning[]): Fields {
  const content = shortest(writeParts(message.content, warnings));
  return {
    ...ownFields(message.extra),
    type: 'tool_result',
    tool_use_id: message.callId,
    ...(content.length === 0 ? {} : { content }),
    ...(message.status === 'error' ? { is_error: true } : {}),
  };
}
