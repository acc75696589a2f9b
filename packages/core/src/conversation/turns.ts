import type { AssistantMessage, Message, Part, ToolCallPart, ToolMessage } from '../chat/message.ts';
import type { ToolDefinition } from '../chat/tool.ts';
import { canonicalArguments, defaultsIn } from '../json/canonical-json.ts';

/** What a client put in between two answers, in the one form that all ways of writing it share. */
export interface Input {
  /** Results by the place of their calls in the answer before; undefined where there is none. */
  readonly results: readonly (string | undefined)[];
  /** What users said, and results that fit no call: one text for each part. */
  readonly said: readonly string[];
  /** The same without the blocks that clients add by themselves; the very same list where none are taken out. */
  readonly words: readonly string[];
}

/** What a model answered, in the one form that all ways of writing it share. */
export interface Answered {
  /** Without any white space: clients trim texts and join them. */
  readonly text: string;
  /** Name and arguments of each call. */
  readonly calls: readonly string[];
  /** The id of each call. Some clients give them another form. */
  readonly callIds: readonly string[];
}

/** Takes the blocks that a client adds by itself out of a text: what is left. */
export type WithoutBlocks = (text: string) => string;

/** How histories are read. */
export interface HistoryReading {
  readonly withoutBlocks: WithoutBlocks | undefined;
  /** A call in the one form that all ways of writing it share. */
  readonly writeCall: (call: Pick<ToolCallPart, 'name' | 'arguments'>) => string;
}

/** Calls as they are written by who may leave out a default, and may add one. */
export function callWriter(tools: readonly ToolDefinition[]): HistoryReading['writeCall'] {
  const schemas = new Map(tools.map(({ name, inputSchema }) => [name, inputSchema]));
  const defaults = new Map<string, ReadonlyMap<string, string>>();
  return ({ name, arguments: json }) => {
    const own = defaults.get(name) ?? defaultsIn(schemas.get(name) ?? {});
    defaults.set(name, own);
    return `${name} ${own.size === 0 ? canonicalForm(json) : canonicalArguments(json, own)}`;
  };
}

/** `canonicalArguments`, found again: an agent sends its calls with each request. */
function canonicalForm(json: string): string {
  if (json.length > longestKept) return canonicalArguments(json);
  const form = forms.get(json) ?? canonicalArguments(json);
  if (forms.size >= mostForms) forms.clear();
  forms.set(json, form);
  return form;
}

/** By the arguments as they came; some megabytes at most. */
const forms = new Map<string, string>();
const mostForms = 5_000;
const longestKept = 500;

/** A history as inputs and answers in turn. */
export interface Turns {
  /** Before the first answer, between any two, and after the last: one more than there are answers. */
  readonly inputs: readonly Input[];
  readonly answers: readonly Answered[];
}

interface OpenTurn {
  readonly texts: string[];
  readonly calls: string[];
  readonly callIds: string[];
  readonly results: (string | undefined)[];
  readonly said: string[];
  readonly words: string[];
}

/** Where a call stands: its answer, and which of the answer's calls it is. */
interface CallPlace {
  readonly turn: OpenTurn;
  readonly at: number;
}

function emptyTurn(withoutBlocks: WithoutBlocks | undefined): OpenTurn {
  const said: string[] = [];
  return { texts: [], calls: [], callIds: [], results: [], said, words: withoutBlocks === undefined ? said : [] };
}

/**
 * Reads a history as turns. System messages are left out: they may change without anything being said. Reasoning is,
 * too: many clients drop it. A result belongs after the answer that holds its call, wherever it stands, so a late one
 * changes the past and cannot go unseen; of two for one call the last counts.
 */
export function readTurns(messages: readonly Message[], { withoutBlocks, writeCall }: HistoryReading): Turns {
  // What stands before the first answer hangs on an answer that is none.
  let open = emptyTurn(withoutBlocks);
  const turns: OpenTurn[] = [open];
  let answering = false;
  const places = new Map<string, CallPlace>();
  for (const message of messages) {
    if (message.role === 'system') continue;
    if (message.role === 'assistant' && !answering) {
      open = emptyTurn(withoutBlocks);
      turns.push(open);
    }
    answering = message.role === 'assistant';
    if (message.role === 'assistant') readAnswer(message, { open, places, writeCall });
    else if (message.role === 'user') readWords(saidIn(message.content), open, withoutBlocks);
    else readResult(message, { open, places });
  }
  return {
    inputs: turns,
    answers: turns
      .slice(1)
      .map(({ texts, calls, callIds }) => ({ text: withoutSpace(texts.join('')), calls, callIds })),
  };
}

/** An answer as `readTurns` reads it out of the history that will hold it. */
export function answeredOf(content: AssistantMessage['content'], reading: HistoryReading): Answered {
  const { answers } = readTurns([{ role: 'assistant', content }], reading);
  return answers[0] ?? { text: '', calls: [], callIds: [] };
}

/** Whether an input holds anything. */
export function isEmptyInput({ results, said }: Input): boolean {
  return said.length === 0 && results.every((result) => result === undefined);
}

function readAnswer(
  { content }: AssistantMessage,
  {
    open,
    places,
    writeCall,
  }: Pick<HistoryReading, 'writeCall'> & {
    readonly open: OpenTurn;
    readonly places: Map<string, CallPlace>;
  },
): void {
  for (const part of content) {
    if (part.type === 'text') open.texts.push(part.text);
    if (part.type !== 'tool-call') continue;
    // Of calls with one id the first of the latest answer counts.
    if (places.get(part.callId)?.turn !== open) places.set(part.callId, { turn: open, at: open.calls.length });
    open.calls.push(writeCall(part));
    open.callIds.push(part.callId);
    open.results.push(undefined);
  }
}

function readWords(said: readonly string[], open: OpenTurn, withoutBlocks: WithoutBlocks = (same) => same): void {
  for (const text of said) {
    open.said.push(text);
    if (open.words === open.said) continue;
    const words = withoutBlocks(text).trim();
    if (words !== '') open.words.push(words);
  }
}

function readResult(
  message: ToolMessage,
  { open, places }: { readonly open: OpenTurn; readonly places: ReadonlyMap<string, CallPlace> },
): void {
  const text = saidIn(message.content).join('\n');
  const place = message.callId === '' ? undefined : places.get(message.callId);
  if (place === undefined) readWords([`=${text}`], open);
  else place.turn.results[place.at] = text;
}

function saidIn(content: readonly Part[]): readonly string[] {
  const texts = content.map((part) =>
    part.type === 'text' ? part.text.replaceAll('\r\n', '\n').trim() : `picture ${part.url}`,
  );
  return texts.filter((text) => text !== '');
}

function withoutSpace(text: string): string {
  return text.replaceAll(' ', '').replaceAll('\n', '').replaceAll('\r', '').replaceAll('\t', '');
}
