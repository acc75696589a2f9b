import { type Dialect, type PastCall, run, type ToolCall, type ToolDefinition } from '@dragoman/core';
import type { PromptMessage } from './prompt.ts';
import { readRequest } from './read-request.ts';
import { holdsResults, readResults, type SeenResult } from './read-results.ts';
import { type Rules, readRules } from './read-rules.ts';
import { readTools } from './read-tools.ts';

/** One request with the calls that were made for it and what came of them. */
export interface Exchange {
  readonly request: string;
  readonly calls: readonly ToolCall[];
  readonly results: readonly SeenResult[];
}

/** A prompt as the demo model understands it. */
export interface Conversation {
  readonly tools: readonly ToolDefinition[];
  readonly rules: Rules;
  /** In order; the last one is what has to be answered now. Never empty. */
  readonly exchanges: readonly Exchange[];
  /** Calls made in the whole conversation. */
  readonly callCount: number;
}

/** Reads a prompt: tools and rules out of what stands before the model's first words, then requests, calls and results. */
export function readConversation(messages: readonly PromptMessage[], dialect: Dialect): Conversation {
  const { tools, prose } = readTools(instructionText(messages));
  const reader = new ExchangeReader(tools, dialect);
  for (const message of messages) {
    if (message.role === 'assistant') reader.readOwn(message.text);
    else if (message.role !== 'system' && message.role !== 'developer') reader.readOther(message.text);
  }
  return { tools, rules: readRules(prose, tools), exchanges: reader.exchanges(), callCount: reader.callCount };
}

/** System messages, and what users said before the first reply: there clients put what a model is to know. */
function instructionText(messages: readonly PromptMessage[]): string {
  const firstReply = messages.findIndex((message) => message.role === 'assistant');
  const isInstruction = (message: PromptMessage, index: number): boolean =>
    message.role === 'system' ||
    message.role === 'developer' ||
    (message.role !== 'assistant' && (firstReply === -1 || index < firstReply));
  return messages
    .filter(isInstruction)
    .map((message) => message.text)
    .join('\n\n');
}

class ExchangeReader {
  readonly #tools: readonly ToolDefinition[];
  readonly #dialect: Dialect;
  readonly #exchanges: { request: string; calls: ToolCall[]; results: SeenResult[] }[] = [];
  /** Calls whose results have to come next. */
  #open: readonly PastCall[] = [];
  callCount = 0;

  constructor(tools: readonly ToolDefinition[], dialect: Dialect) {
    this.#tools = tools;
    this.#dialect = dialect;
  }

  readOwn(text: string): void {
    const calls = readOwnCalls(text, this.#tools, this.#dialect);
    this.#open = calls.map((call, index) => {
      const past = { ...call, ordinal: this.callCount + index };
      return call.callId === '' ? past : { ...past, nativeId: call.callId };
    });
    this.callCount += this.#open.length;
    this.#current().calls.push(...this.#open);
  }

  readOther(text: string): void {
    if (this.#open.length === 0 && !holdsResults(text)) {
      this.#begin(readRequest(text));
      return;
    }
    const { results, rest } = readResults(text, this.#open, this.#dialect);
    this.#open = [];
    this.#current().results.push(...results);
    if (rest !== '') this.#begin(readRequest(rest));
  }

  exchanges(): Exchange[] {
    this.#current();
    return this.#exchanges;
  }

  #begin(request: string): void {
    this.#exchanges.push({ request, calls: [], results: [] });
  }

  #current(): { calls: ToolCall[]; results: SeenResult[] } {
    if (this.#exchanges.length === 0) this.#begin('');
    return this.#exchanges.at(-1) ?? { calls: [], results: [] };
  }
}

/** The calls in an earlier reply. A model knows what it wrote: it reads its own dialect. */
function readOwnCalls(text: string, tools: readonly ToolDefinition[], dialect: Dialect): ToolCall[] {
  const calls: { callId: string; name: string; arguments: string }[] = [];
  let current: { callId: string; name: string; arguments: string } | undefined;
  for (const span of run(dialect.createParser({ tools }), [text])) {
    if (span.kind === 'call') current = { callId: span.nativeId ?? '', name: span.name, arguments: '' };
    else if (span.kind === 'arguments' && current !== undefined) current.arguments += span.text;
    else if (span.kind === 'call-end' && current !== undefined) {
      calls.push({ ...current, callId: span.nativeId ?? current.callId });
    }
  }
  return calls;
}
