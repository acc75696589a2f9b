/** A finished reply, ready to be sent. */
export interface ChatReply {
  readonly id: string;
  readonly model: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly text: string;
  readonly finishReason: 'stop' | 'length';
}

export interface TokenUsage {
  readonly prompt: number;
  readonly completion: number;
}

/** The frames of a streamed reply up to the finishing one, in order, one small piece of text in each. */
export function* chatFrames(reply: ChatReply): Generator<string> {
  yield frame(reply, { choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] });
  for (const content of cutPieces(reply.text)) {
    yield frame(reply, { choices: [{ index: 0, delta: { content }, finish_reason: null }] });
  }
  yield frame(reply, { choices: [{ index: 0, delta: {}, finish_reason: reply.finishReason }] });
}

/** The frame that reports usage; it comes after the finishing one and has no choices. */
export function usageFrame(reply: ChatReply, usage: TokenUsage): string {
  return frame(reply, { choices: [], usage: usageBody(usage) });
}

/** What ends the stream. */
export const doneFrame = 'data: [DONE]\n\n';

/** The body of a reply that was not streamed. */
export function chatBody(reply: ChatReply, usage: TokenUsage): string {
  const { id, created, model, text, finishReason } = reply;
  const message = { role: 'assistant', content: text };
  const choices = [{ index: 0, message, finish_reason: finishReason }];
  return JSON.stringify({ id, object: 'chat.completion', created, model, choices, usage: usageBody(usage) });
}

function frame({ id, created, model }: ChatReply, rest: object): string {
  return `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created, model, ...rest })}\n\n`;
}

function usageBody({ prompt, completion }: TokenUsage): object {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

/** Piece sizes in code points, taken in turn: uneven, so that markers and words are cut at many places. */
const sizes = [3, 5, 2, 6, 4, 1] as const;

/** Cuts a reply into small uneven pieces that add up to it. Never halves a surrogate pair; the same text is always cut the same way. */
export function* cutPieces(text: string): Generator<string> {
  let piece = '';
  let count = 0;
  let turn = 0;
  for (const character of text) {
    piece += character;
    count += 1;
    if (count < (sizes[turn % sizes.length] ?? 1)) continue;
    yield piece;
    piece = '';
    count = 0;
    turn += 1;
  }
  if (piece !== '') yield piece;
}
