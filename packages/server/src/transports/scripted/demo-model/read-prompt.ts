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
  const told = messages.filter(({ role }, at) => isSystem(role) || firstReply < 0 || at < firstReply);
  return told.map(({ text }) => text).join('\n\n');
}

/** What the dialects say of calls besides the tools. */
function readRules(text: string): { readonly demand: Demand; readonly oneAtATime: boolean } {
  const name = [...text.matchAll(/Your next reply must call the tool ([^:]+):/g)].at(-1)?.[1];
  const any = text.includes('Your next reply must contain a call');
  return {
    demand: name !== undefined ? { name } : any ? 'any' : 'none',
    oneAtATime: text.includes('at most one call in a reply'),
  };
}

/** `Working directory: /x`, as coding agents tell it. Some read only absolute paths. */
const directoryOf = (text: string): string | undefined => /orking directory: (\/.*)/.exec(text)?.[1]?.trim();

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

/**
 * Reads the results of a round out of the frame in which the dialect puts them. A model knows the frame from its training:
 * here it is what the dialect writes around other texts, whichever of the calls failed.
 */
function readResults(text: string, calls: readonly PastCall[], dialect: Dialect): SeenResults {
  for (const failed of outcomesOf(calls.length)) {
    const results = calls.map((call, index) => {
      return { call, status: failed[index] ? ('error' as const) : ('ok' as const), text: hole(index) };
    });
    const found = matchFrame(text, piecesOf(dialect.renderResults(results), calls.length));
    if (found === undefined) continue;
    const seen = found.texts.map((each, index) => ({ text: each, failed: failed[index] || saysError(each) }));
    return { results: seen, rest: found.rest };
  }
  return { results: [{ text, failed: saysError(text) }], rest: '' };
}

/** Which calls of a round may have failed: none at first. */
function outcomesOf(count: number): readonly (readonly boolean[])[] {
  const ways = count > mostTried ? [0, -1] : [...Array(2 ** count).keys()];
  return ways.map((bits) => Array.from({ length: count }, (_, index) => ((bits >> index) & 1) === 1));
}

const errorMark = 'Error: ';
const saysError = (text: string): boolean => text.trimStart().startsWith(errorMark.trim());

/** What is in front of, between and after the texts. */
function piecesOf(frame: string, count: number): readonly string[] {
  const pieces: string[] = [];
  let rest = frame;
  for (let index = 0; index < count; index += 1) {
    const [piece = '', ...after] = rest.split(hole(index));
    // The word that marks a failure is part of the text.
    pieces.push(piece.endsWith(errorMark) ? piece.slice(0, -errorMark.length) : piece);
    rest = after.join(hole(index));
  }
  return [...pieces, rest];
}

/** Where the inside of a JSON string ends. */
function endOfString(text: string, from: number): number {
  const inside = /(?:[^"\\]|\\.)*/sy;
  inside.lastIndex = from;
  return from + (inside.exec(text)?.[0].length ?? 0);
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
    const next = isLast ? text.length : text.indexOf(piece, isString ? endOfString(text, at) : at);
    if (next < 0) return undefined;
    const inner = text.slice(at, next);
    texts.push(isString ? String(parsed(`"${inner}"`) ?? inner) : inner);
    at = next + piece.length;
    before = piece;
  }
  return { texts, rest: text.slice(at).trim() };
}

/** Blocks in which clients put what the user typed. */
const requestBlocks = ['userRequest', 'user_query', 'task', 'user_input'];

/**
 * What the user asks for in a message: the block that is named so, else what stands outside of blocks `<name …>…</name>`, which
 * hold instructions, context and attachments, else the whole text. A block's opener begins a line.
 */
function readRequest(text: string): string {
  const lastClosers = new Map([...text.matchAll(/<\/([^<>\s]+)>/g)].map(({ 1: name, index }) => [name, index]));
  let outside = '';
  for (let at = 0; at < text.length; ) {
    const lineEnd = text.indexOf('\n', at) + 1 || text.length;
    const line = text.slice(at, lineEnd);
    const { 0: opener = '', 1: name = '' } = /^<([^<>\s]+)[^<>]*>/.exec(line) ?? [];
    const isBlock = (lastClosers.get(name) ?? -1) > at;
    const to = isBlock ? text.indexOf(`</${name}>`, at) : lineEnd;
    if (!isBlock) outside += line;
    else if (requestBlocks.includes(name)) return unquoted(text.slice(at + opener.length, to).trim());
    at = isBlock ? to + name.length + '</>'.length : to;
  }
  return unquoted(outside.trim() || text.trim());
}

/** Some clients put all that the user typed into quotation marks, and a backslash before those that the user typed. */
function unquoted(text: string): string {
  const inner = /^"((?:[^"\\]|\\.)*)"$/s.exec(text)?.[1];
  return inner?.includes(' ') ? inner.replaceAll('\\"', '"').trim() : text;
}
