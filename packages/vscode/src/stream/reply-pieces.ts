import { closeArguments, type ReplyPart } from '@dragoman/openresponses-client';
import { isObject } from '../read-fields.ts';
import type { ToolNames } from '../translate/tools.ts';

/** A call as VS Code gets it. */
export interface ReplyCall {
  readonly kind: 'call';
  readonly callId: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A step of a reply, on its way to VS Code. */
export type ReplyPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string; readonly sealed?: string }
  | ReplyCall;

/** What a reply has cost, in tokens. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly reasoning: number;
}

/** How a reply ended. */
export interface ReplyEnd {
  /** Absent where the server counts nothing. */
  readonly usage?: Usage;
  readonly calls: number;
  /** All of its text, for the diagnosis. */
  readonly text: string;
}

export interface ReplyPiecesOptions {
  /** Gets each piece at once. */
  readonly emit: (piece: ReplyPiece) => void;
  readonly names: ToolNames;
  /** Is told in words what was unexpected. */
  readonly warn: (text: string) => void;
}

type CutCall = Extract<ReplyPart, { readonly type: 'call-cut' }>;
type End = Extract<ReplyPart, { readonly type: 'end' }>;

/**
 * What the chat shows of the parts that the client reads: text, thoughts and calls as they are, and in words what VS Code has
 * no part for. A reply never ends without having said something.
 */
export class ReplyPieces {
  readonly #options: ReplyPiecesOptions;
  readonly #links = new Set<string>();
  readonly #cut: CutCall[] = [];
  #text = '';
  #calls = 0;
  #refused = false;
  #thought = false;
  #usage: Usage | undefined;

  constructor(options: ReplyPiecesOptions) {
    this.#options = options;
  }

  push(part: ReplyPart): void {
    const { emit } = this.#options;
    if (part.type === 'text') this.#show(part.text);
    else if (part.type === 'refusal') this.#showRefusal(part.text);
    else if (part.type === 'reasoning') {
      this.#thought = true;
      emit({ kind: 'thinking', text: part.text });
    } else if (part.type === 'reasoning-sealed') emit({ kind: 'thinking', text: '', sealed: part.encrypted });
    else if (part.type === 'annotations') this.#showLinks(part.annotations);
    else if (part.type === 'call') this.#call(part);
    else if (part.type === 'call-cut') this.#cut.push(part);
    else if (part.type === 'usage') this.#usage = usageOf(part.usage);
    else this.#end(part);
  }

  end(): ReplyEnd {
    return {
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
      calls: this.#calls,
      text: this.#text,
    };
  }

  #show(text: string): void {
    this.#text += text;
    this.#options.emit({ kind: 'text', text });
  }

  /** Marked once, where it begins. */
  #showRefusal(text: string): void {
    this.#show(this.#refused ? text : `**The model refused:** ${text}`);
    this.#refused = true;
  }

  /** A paragraph of its own. */
  #say(paragraph: string): void {
    this.#show(this.#text === '' ? paragraph : `\n\n${paragraph}`);
  }

  /** Each address once in a reply. */
  #showLinks(annotations: readonly Readonly<Record<string, unknown>>[]): void {
    const lines: string[] = [];
    for (const { url, title } of annotations) {
      if (typeof url !== 'string' || this.#links.has(url)) continue;
      this.#links.add(url);
      lines.push(`- [${typeof title === 'string' && title !== '' ? title : url}](${url})`);
    }
    if (lines.length > 0) this.#say(`Sources:\n${lines.join('\n')}`);
  }

  #call({ callId, name: written, arguments: text }: Omit<CutCall, 'type'>): void {
    const { names, warn, emit } = this.#options;
    const name = names.read(written);
    const { input, warning } = readArguments(text);
    if (warning !== undefined) warn(`the call ${callId} of ${name}: ${warning}`);
    this.#calls += 1;
    emit({ kind: 'call', callId, name, input });
  }

  #end({ reason, response }: End): void {
    for (const call of this.#cut) this.#settleCut(call, { reason, response });
    if (reason === 'length') this.#say(notices.length);
    else if (reason === 'content-filter') this.#say(notices.filter);
    else if (this.#text.trim() === '' && this.#calls === 0) this.#say(emptyNotice(this.#thought, this.#usage));
  }

  /**
   * Arguments that are no object, of a call that the server says is whole, still become a call: the tool tells the model what
   * it lacks. A call that never ended does not run.
   */
  #settleCut(call: CutCall, { reason, response }: Pick<End, 'reason' | 'response'>): void {
    const items: readonly Readonly<Record<string, unknown>>[] = response.output.map((item) => ({ ...item }));
    const item = items.find(({ type, call_id: id }) => type === 'function_call' && id === call.callId);
    const isWhole = reason !== 'length' && item?.status === 'completed' && call.name !== '';
    if (isWhole) {
      this.#call(call);
      return;
    }
    if (reason !== 'length') this.#say('*The model began a tool call and did not end it. Try again.*');
  }
}

function usageOf(told: Extract<ReplyPart, { readonly type: 'usage' }>['usage']): Usage {
  const { inputTokens, outputTokens, cachedInputTokens = 0, reasoningTokens = 0 } = told;
  return { input: inputTokens, output: outputTokens, cached: cachedInputTokens, reasoning: reasoningTokens };
}

const notices = {
  length: '*The answer was cut off: it reached the longest output that this model may write.*',
  filter: '*The answer was cut off by a content filter of the server.*',
};

function emptyNotice(thought: boolean, usage: Usage | undefined): string {
  const cost = usage === undefined ? '' : ` (${usage.output} tokens)`;
  return thought
    ? `*The model thought${cost}, and gave no answer. Ask again, or allow it a longer output.*`
    : `*The model answered with nothing${cost}. Ask again, or run "Dragoman: Explain Last Turn" to see what was sent.*`;
}

/** The arguments of a call as VS Code takes them, and what had to be repaired. */
interface ReadArguments {
  readonly input: Readonly<Record<string, unknown>>;
  readonly warning?: string;
}

/**
 * Reads the arguments of a call that the server says is whole. What the client has cut, because a call that breaks off looks
 * the same, gets the brackets that are missing at its end. What is still no object is `{}` with a warning: the tool then tells
 * the model what it lacks.
 */
function readArguments(text: string): ReadArguments {
  const json = closeArguments(text);
  const input: unknown = json === undefined ? undefined : JSON.parse(json);
  if (!isObject(input)) return { input: {}, warning: `the arguments are not a JSON object: ${text.slice(0, 200)}` };
  return json === text.trim() ? { input } : { input, warning: 'the arguments were not quite JSON, and were repaired' };
}
