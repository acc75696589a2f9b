import { jsonReply, type ScriptedReply, type Step } from './scripted-reply.ts';

/** What the platform's model answers. */
export interface QwenReply {
  readonly text: string;
  /** What it thinks before, where thinking is switched on. */
  readonly thinking?: string;
  /** What happens after the text instead of an end: the connection is cut, or nothing more comes. */
  readonly breaks?: 'cut' | 'stall';
}

/** How a good reply ends: with the word `finished`, with `[DONE]`, or merely with the stream. */
export type QwenEnd = 'finished' | 'done' | 'silent';

export interface SaidQwenReply extends QwenReply {
  readonly chat: string;
  /** What the next message names as its parent. */
  readonly id: string;
  readonly thinks: boolean;
  readonly end: QwenEnd;
  /** Each frame repeats all text of its phase so far. */
  readonly cumulative: boolean;
  /** Tokens of the prompt, and how many of them were known. */
  readonly prompt: { readonly tokens: number; readonly cached: number };
}

/** Characters of each frame, each of which counts as a token. */
const pieceLength = 7;

/** The reply as a stream: the ids, then thinking, then the answer, each frame with all usage so far. */
export function streamQwenReply(said: SaidQwenReply): ScriptedReply {
  const steps: Step[] = [frame({ 'response.created': announced(said) })];
  const thinking = said.thinks ? (said.thinking ?? '') : '';
  let output = 0;
  let thought = 0;
  const delta = (phase: string, content: string, status = 'typing') => {
    const usage = usageOf(said, { output, thought });
    steps.push(frame({ choices: [{ delta: { role: 'assistant', content, phase, status } }], usage }));
  };
  for (const piece of piecesOf(thinking, said)) {
    output += 1;
    thought += 1;
    delta('think', piece);
  }
  if (thinking !== '' && said.end === 'finished') delta('think', '', 'finished');
  for (const piece of piecesOf(said.text, said)) {
    output += 1;
    delta('answer', piece);
  }
  if (said.breaks === 'cut') return { steps: [...steps, { cut: true }] };
  if (said.breaks === 'stall') return { steps: [...steps, { stall: true }] };
  if (said.end === 'finished') delta('answer', '', 'finished');
  if (said.end === 'done') steps.push({ text: 'data: [DONE]\n\n' });
  return { steps };
}

/** The reply in one piece, without usage. */
export function wholeQwenReply(said: SaidQwenReply): ScriptedReply {
  const { chat, id, text } = said;
  const choices = [{ message: { role: 'assistant', content: text } }];
  return jsonReply(200, {
    success: true,
    data: { chat_id: chat, parent_id: id, message_id: `${id}-message`, choices },
  });
}

/** Only the first id is a parent: the others are there to be mistaken for one. */
function announced({ chat, id }: SaidQwenReply): object {
  return { chat_id: chat, parent_id: id, response_id: `${id}-response` };
}

function usageOf(
  { prompt }: SaidQwenReply,
  { output, thought }: { readonly output: number; readonly thought: number },
) {
  return {
    input_tokens: prompt.tokens,
    output_tokens: output,
    total_tokens: prompt.tokens + output,
    input_tokens_details: { cached_tokens: prompt.cached },
    output_tokens_details: { reasoning_tokens: thought },
  };
}

function frame(value: object): Step {
  return { text: `data: ${JSON.stringify(value)}\n\n` };
}

function piecesOf(text: string, { cumulative }: Pick<SaidQwenReply, 'cumulative'>): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += pieceLength) {
    pieces.push(text.slice(cumulative ? 0 : at, at + pieceLength));
  }
  return pieces;
}
