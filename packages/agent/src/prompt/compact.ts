import type { Compaction } from '../chat/chat.ts';
import type { ChatMessage } from '../chat/message.ts';
import { type Model, type RequestSettings, requestOf } from '../loop/model.ts';
import { readReply } from '../loop/read-reply.ts';
import { fitHistory, lengthOf } from './fit-history.ts';

/** A history that takes more than this share of its room is compacted. */
const fullAt = 0.75;
/** So much of the newest stays as it is. */
const keptShare = 0.25;

export interface CompactOptions {
  readonly messages: readonly ChatMessage[];
  /** What was compacted before. */
  readonly compaction?: Compaction;
  readonly model: Model;
  readonly settings: RequestSettings;
  /** UTF-16 units that there are for the history. */
  readonly room: number;
  readonly signal: AbortSignal;
}

/** Whether a history is so long that it is better compacted before the next request. `room`: as for `compact`. */
export function needsCompaction(
  messages: readonly ChatMessage[],
  { room, compaction }: Pick<CompactOptions, 'room' | 'compaction'>,
): boolean {
  const length = messages.slice(compaction?.upTo ?? 0).reduce((sum, each) => sum + lengthOf(each), 0);
  return length > room * fullAt;
}

/**
 * Asks the model for a summary of all but the newest messages. Nothing of the chat goes: the summary is sent in their place, and
 * without it they are sent again. Undefined where there is nothing to compact, or the model gave no summary.
 */
export async function compact(options: CompactOptions): Promise<Compaction | undefined> {
  const { messages, compaction, model, settings, room, signal } = options;
  const start = compaction?.upTo ?? 0;
  const upTo = endOf(messages, { start, most: room * keptShare });
  if (upTo === undefined) return undefined;
  const before: ChatMessage[] =
    compaction === undefined ? [] : [{ role: 'system', content: `The summary so far:\n${compaction.summary}` }];
  const told = fitHistory([...before, ...messages.slice(start, upTo)], room).messages;
  const ask: ChatMessage = { role: 'user', content: summarise };
  const request = requestOf({ system: '', messages: [...told, ask], tools: [], mayCall: false }, settings);
  const reply = await readReply(model.ask(request, { signal }), () => {});
  if (signal.aborted || reply.error !== undefined || reply.text.trim() === '') return undefined;
  return { upTo, summary: reply.text.trim() };
}

const summarise =
  'Summarise this conversation for yourself, so that you can go on without it: what the user wants, what was found out and done with which files, what was decided, and what is open. No more than 300 words, and nothing else.';

/** Where the newest begin that stay: at something that a person said, so that no task is cut in two. */
function endOf(
  messages: readonly ChatMessage[],
  { start, most }: { readonly start: number; readonly most: number },
): number | undefined {
  let length = 0;
  let end: number | undefined;
  for (let at = messages.length - 1; at > start; at -= 1) {
    const message = messages[at];
    if (message === undefined) continue;
    length += lengthOf(message);
    if (message.role !== 'user') continue;
    if (end !== undefined && length > most) break;
    end = at;
  }
  return end;
}
