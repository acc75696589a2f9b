/** One thing that the scripted upstream does while it answers. */
export type Step =
  | { readonly text: string }
  | { readonly bytes: Uint8Array }
  /** Waits, in milliseconds. */
  | { readonly delay: number }
  /** Sends status and headers now; means something only with `holdHead`. */
  | { readonly head: true }
  /** Destroys the socket: the client sees a reset, never an end. */
  | { readonly cut: true }
  /** Sends nothing more and keeps the connection until the client goes or the upstream closes. */
  | { readonly stall: true };

/** One answer. `steps` may be endless (a generator): it is read only as fast as the client takes the bytes. */
export interface ScriptedReply {
  /** Default: 200. */
  readonly status?: number;
  /** Default: `content-type: text/event-stream`. Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly steps: Iterable<Step>;
  /** Status and headers wait for the first bytes or a `head` step. Default: they leave at once. */
  readonly holdHead?: boolean;
  /** Byte offsets in the whole body at which a write of its own begins. */
  readonly cutAt?: readonly number[];
  /** Each byte in a write of its own. */
  readonly everyByte?: boolean;
}

export interface ChatStreamOptions {
  /** How the text is divided over frames: a number of UTF-16 units for each (default 4), or the pieces themselves. */
  readonly pieces?: number | readonly string[];
  readonly model?: string;
  readonly id?: string;
  /** Default `stop`; null leaves the finishing frame out. */
  readonly finishReason?: string | null;
  /** Reasoning text, sent in one frame before the text. */
  readonly reasoning?: string;
  /** Prompt and completion tokens, sent in a frame without choices. */
  readonly usage?: { readonly prompt: number; readonly completion: number };
  /** Default true: `data: [DONE]` comes last. */
  readonly done?: boolean;
  /** Waits before each frame but the first, in milliseconds. Default 0: none. */
  readonly delay?: number;
}

/** The SSE frames, as strings, with which an OpenAI-compatible server would stream `text`. Written without our own writer. */
export function chatFrames(text: string, options: ChatStreamOptions = {}): string[] {
  const envelope = {
    id: options.id ?? 'chatcmpl-scripted',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: options.model ?? 'scripted',
  };
  const frame = (delta: object, finishReason: string | null = null) =>
    sse({ ...envelope, choices: [{ index: 0, delta, finish_reason: finishReason }] });

  const frames = [frame({ role: 'assistant', content: '' })];
  if (options.reasoning !== undefined) frames.push(frame({ reasoning_content: options.reasoning }));
  for (const piece of piecesOf(text, options.pieces ?? 4)) frames.push(frame({ content: piece }));
  if (options.finishReason !== null) frames.push(frame({}, options.finishReason ?? 'stop'));
  if (options.usage !== undefined) frames.push(sse({ ...envelope, choices: [], usage: usageOf(options.usage) }));
  if (options.done ?? true) frames.push('data: [DONE]\n\n');
  return frames;
}

/** A streamed chat completion whose text is `text`. */
export function chatStream(text: string, options: ChatStreamOptions = {}): ScriptedReply {
  const delay = options.delay ?? 0;
  const steps: Step[] = [];
  for (const frame of chatFrames(text, options)) {
    if (delay > 0 && steps.length > 0) steps.push({ delay });
    steps.push({ text: frame });
  }
  return { steps };
}

/** A chat completion in one piece of JSON. */
export function chatMessage(text: string, options: Pick<ChatStreamOptions, 'model' | 'usage'> = {}): ScriptedReply {
  return jsonReply(200, {
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: options.model ?? 'scripted',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    ...(options.usage === undefined ? {} : { usage: usageOf(options.usage) }),
  });
}

/** What a text completion may be besides its text. */
export type CompletionOptions = Pick<ChatStreamOptions, 'pieces' | 'model' | 'finishReason' | 'usage' | 'done'>;

/** A streamed text completion, as servers of the older Completions API write it. */
export function completionStream(text: string, options: CompletionOptions = {}): ScriptedReply {
  const frame = (rest: object): Step => ({ text: sse({ ...completionEnvelope(options), ...rest }) });
  const choice = (piece: string, finishReason: string | null): Step =>
    frame({ choices: [{ index: 0, text: piece, logprobs: null, finish_reason: finishReason }] });
  const steps = piecesOf(text, options.pieces ?? 4).map((piece) => choice(piece, null));
  if (options.finishReason !== null) steps.push(choice('', options.finishReason ?? 'stop'));
  if (options.usage !== undefined) steps.push(frame({ choices: [], usage: usageOf(options.usage) }));
  if (options.done ?? true) steps.push({ text: 'data: [DONE]\n\n' });
  return { steps };
}

/** A text completion in one piece of JSON. */
export function completionMessage(text: string, options: CompletionOptions = {}): ScriptedReply {
  return jsonReply(200, {
    ...completionEnvelope(options),
    choices: [{ index: 0, text, logprobs: null, finish_reason: options.finishReason ?? 'stop' }],
    ...(options.usage === undefined ? {} : { usage: usageOf(options.usage) }),
  });
}

function completionEnvelope({ model = 'scripted' }: CompletionOptions): object {
  return { id: 'cmpl-scripted', object: 'text_completion', created: 1_700_000_000, model };
}

/** An error answer in OpenAI's shape. */
export function errorReply(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): ScriptedReply {
  const reply = jsonReply(status, { error: { message, type: 'scripted_error', param: null, code: null } });
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

/** Any JSON answer. */
export function jsonReply(status: number, body: unknown): ScriptedReply {
  return { status, headers: { 'content-type': 'application/json' }, steps: [{ text: JSON.stringify(body) }] };
}

function sse(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

function usageOf({ prompt, completion }: { readonly prompt: number; readonly completion: number }): object {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

function piecesOf(text: string, pieces: number | readonly string[]): readonly string[] {
  if (typeof pieces !== 'number') return pieces;
  const size = Math.max(1, Math.floor(pieces));
  const list: string[] = [];
  for (let at = 0; at < text.length; at += size) list.push(text.slice(at, at + size));
  return list;
}
