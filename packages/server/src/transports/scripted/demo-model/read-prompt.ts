import type { Dialect, PastCall, ToolCall, ToolDefinition } from '@dragoman/core';
import { parsed, readCalls, readTools } from './read-tools.ts';

/** One message as a text-only model sees it. */
export interface PromptMessage {
  /** `system`, `user` or `assistant`; anything else is read as `user`. */
  readonly role: string;
  readonly text: string;
}

/** A result as the prompt tells it. */
export interface SeenResult {
  readonly text: string;
  readonly failed: boolean;
}

/** One request with the calls that were made for it and what came of them. */
export interface AnsweredRequest {
  readonly request: string;
  readonly calls: readonly ToolCall[];
  readonly results: readonly SeenResult[];
}

/** What the prompt demands of the next reply: nothing, any call, or a call of one tool. */
export type Demand = 'none' | 'any' | { readonly name: string };

/** A prompt as the demo model understands it. */
export interface PromptConversation {
  readonly tools: readonly ToolDefinition[];
  readonly demand: Demand;
  /** At most one call in a reply. */
  readonly oneAtATime: boolean;
  /** Where the agent says that it works. */
  readonly directory: string | undefined;
  /** In order; the last one is what has to be answered now. Never empty. */
  readonly exchanges: readonly AnsweredRequest[];
  /** Calls made in the whole conversation. */
  readonly callCount: number;
}

/** Reads a prompt: tools and rules out of what stands before the model's first words, then requests, calls and results. */
export function readPrompt(messages: readonly PromptMessage[], dialect: Dialect): PromptConversation {
  const instructions = instructionText(messages);
  const tools = readTools(instructions, dialect);
  const exchanges: { request: string; calls: ToolCall[]; results: SeenResult[] }[] = [];
  /** Calls whose results have to come next. */
  let open: readonly PastCall[] = [];
  let callCount = 0;
  const begin = (request: string) => exchanges[exchanges.push({ request, calls: [], results: [] }) - 1];
  const current = () => exchanges.at(-1) ?? begin('');
  for (const { role, text } of messages) {
    if (isSystem(role)) continue;
    if (role === 'assistant') {
      open = readCalls(text, tools, dialect).map((call, index) => ({
        ...call,
        ...(call.callId === '' ? {} : { nativeId: call.callId }),
        ordinal: callCount + index,
      }));
      callCount += open.length;
      current()?.calls.push(...open);
    } else if (open.length === 0) begin(readRequest(text));
    else {
      const { results, rest } = readResults(text, open, dialect);
      open = [];
      current()?.results.push(...results);
      if (rest !== '') begin(readRequest(rest));
    }
  }
  current();
  return { tools, ...readRules(instructions), directory: directoryOf(instructions), exchanges, callCount };
}

const isSystem = (role: string): boolean => role === 'system' || role === 'developer';

/** System messages, and what users said before the first reply: there clients put what a model is to know. */
function instructionText(messages: readonly PromptMessage[]): string {
  const firstReply = messages.findIndex(({ role }) => role === 'assistant');
  const before = firstReply === -1 ? messages : messages.slice(0, firstReply);
  const later = firstReply === -1 ? [] : messages.slice(firstReply).filter(({ role }) => isSystem(role));
  return [...before, ...later].map(({ text }) => text).join('\n\n');
}

/** What the dialects say of calls besides the tools. */
function readRules(text: string): { readonly demand: Demand; readonly oneAtATime: boolean } {
  const mustCall = 'Your next reply must call the tool ';
  const at = text.lastIndexOf(mustCall);
  const from = at + mustCall.length;
  const named = at < 0 ? undefined : text.slice(from, text.indexOf(':', from));
  const any = text.includes('Your next reply must contain a call');
  return {
    demand: named !== undefined ? { name: named } : any ? 'any' : 'none',
    oneAtATime: text.includes('at most one call in a reply'),
  };
}

/** `Working directory: /x`, as coding agents tell it. Some read only absolute paths. */
function directoryOf(text: string): string | undefined {
  const label = 'orking directory: ';
  const at = text.indexOf(label);
  const path = text.slice(at + label.length).split('\n', 1)[0] ?? '';
  return at >= 0 && path.startsWith('/') ? path.trim() : undefined;
}

interface SeenResults {
  /** One for each call where they can be told apart, otherwise one for all. */
  readonly results: readonly SeenResult[];
  /** What the user said after them; empty when nothing. */
  readonly rest: string;
}

/** What stands for the text of a result where the dialect writes its frame. */
const hole = (index: number): string => `HOLE${index}HOLE`;
/** Rounds with more calls are tried only as all well and all failed. */
const mostTried = 4;

/** A text that begins so is in JSON's quotation marks where a dialect writes others between marks of its own. */
const quotedFront = '\\u';

/**
 * Reads the results of a round out of the frame in which the dialect puts them. A model knows the frame from its training:
 * here it is what the dialect writes around other texts, whichever of the calls failed, and whichever text is quoted.
 */
function readResults(text: string, calls: readonly PastCall[], dialect: Dialect): SeenResults {
  const count = calls.length;
  const every = 2 ** count - 1;
  const tried = count > mostTried ? [0, 1] : [...Array(every + 1).keys()];
  const flags = (bits: number) =>
    calls.map((_, index) => (count > mostTried ? bits === 1 : ((bits >> index) & 1) === 1));
  const frame = (failed: number, quoted: number): readonly string[] => {
    const [fails, quotes] = [flags(failed), flags(quoted)];
    const results = calls.map((call, index) => ({
      call,
      status: fails[index] ? ('error' as const) : ('ok' as const),
      text: (quotes[index] ? quotedFront : '') + hole(index),
    }));
    return piecesOf(dialect.renderResults(results), count);
  };
  const quotes = frame(0, 0).join('') === frame(0, tried.length - 1).join('') ? [0] : tried;
  for (const quoted of quotes) {
    for (const bits of tried) {
      const found = matchFrame(text, frame(bits, quoted));
      if (found === undefined) continue;
      const failed = flags(bits);
      const results = found.texts.map((each, index) => ({ text: each, failed: failed[index] || saysError(each) }));
      return { results, rest: found.rest };
    }
  }
  return { results: [{ text, failed: saysError(text) }], rest: '' };
}

const saysError = (text: string): boolean => text.trimStart().startsWith('Error:');

/** What is in front of, between and after the texts. */
function piecesOf(frame: string, count: number): readonly string[] {
  const pieces: string[] = [];
  let rest = frame;
  for (let index = 0; index < count; index += 1) {
    const [piece = '', ...after] = rest.split(hole(index));
    // The word that marks a failure is part of the text, and so is what has it quoted.
    pieces.push([`\\${quotedFront}`, quotedFront, 'Error: '].reduce(withoutEnd, piece));
    rest = after.join(hole(index));
  }
  return [...pieces, rest];
}

function withoutEnd(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, -end.length) : text;
}

/** The texts between the pieces. A frame of nothing but white space frames nothing. */
function matchFrame(
  text: string,
  [first = '', ...pieces]: readonly string[],
): { readonly texts: readonly string[]; readonly rest: string } | undefined {
  if (!text.startsWith(first) || (first + pieces.join('')).trim() === '') return undefined;
  const texts: string[] = [];
  let at = first.length;
  let before = first;
  for (const [index, piece] of pieces.entries()) {
    const isString = before.endsWith('"') && piece.startsWith('"');
    const isLast = piece === '' && index === pieces.length - 1;
    const next = isLast ? text.length : isString ? endOfString(text, piece, at) : text.indexOf(piece, at);
    if (next < 0) return undefined;
    const inner = text.slice(at, next);
    texts.push(isString ? String(parsed(`"${inner}"`) ?? inner) : inner);
    at = next + piece.length;
    before = piece;
  }
  return { texts, rest: text.slice(at).trim() };
}

/** Where a JSON string ends and the piece begins that its closing quotation mark is part of; -1: nowhere. */
function endOfString(text: string, piece: string, from: number): number {
  let backslashes = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '"' && backslashes % 2 === 0 && text.startsWith(piece, at)) return at;
    backslashes = text[at] === '\\' ? backslashes + 1 : 0;
  }
  return -1;
}

/** Blocks in which clients put what the user typed. */
const requestBlocks = ['userRequest', 'user_query', 'task', 'user_input'];

/**
 * What the user asks for in a message: the block that is named so, else the text outside of blocks, which hold
 * instructions, context and attachments, else the whole text.
 */
function readRequest(text: string): string {
  let outside = '';
  let at = 0;
  for (const block of blocksOf(text)) {
    if (requestBlocks.includes(block.name) && block.inner.trim() !== '') return unquoted(block.inner.trim());
    outside += text.slice(at, block.from);
    at = block.to;
  }
  outside = (outside + text.slice(at)).trim();
  return unquoted(outside === '' ? text.trim() : outside);
}

interface Block {
  readonly name: string;
  readonly inner: string;
  readonly from: number;
  readonly to: number;
}

/** After so many openers without a closer the rest of a text counts as plain: this bounds the search. */
const mostUnclosed = 64;

/** The outermost blocks `<name …>inner</name>` whose opener begins a line. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let unclosed = 0;
  for (let from = text.indexOf('<'); from !== -1 && unclosed < mostUnclosed; ) {
    const tag = text.slice(from + 1, from + 200).split('>', 1)[0] ?? '';
    const [name = ''] = tag.split(' ', 1);
    const closer = `</${name}>`;
    const isOpener = name !== '' && !name.includes('\n') && (from === 0 || '\n>'.includes(text.charAt(from - 1)));
    const close = isOpener ? text.indexOf(closer, from) : -1;
    if (close < 0) {
      if (isOpener) unclosed += 1;
      from = text.indexOf('<', from + 1);
      continue;
    }
    const to = close + closer.length;
    blocks.push({ name, inner: text.slice(from + tag.length + 2, close), from, to });
    from = text.indexOf('<', to);
  }
  return blocks;
}

/** Some clients put all that the user typed into quotation marks, and a backslash before those that the user typed. */
function unquoted(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"') || !text.includes(' ')) return text;
  const inner = text.slice(1, -1).replaceAll('\\"', '\0');
  return inner.includes('"') ? text : inner.replaceAll('\0', '"').trim();
}
