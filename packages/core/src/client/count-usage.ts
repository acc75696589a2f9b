import type { ChatEvent, Usage } from '../chat/event.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { EngineSetup } from '../plan/setup.ts';
import type { Sink, StageFactory } from '../stream/stage.ts';
import type { ReplyHooks } from '../upstream/reply.ts';

/** What is counted, and with what; the hooks say when the terminal event waits and when it has gone out. */
export interface UsageCountOptions extends Pick<ReplyHooks, 'waiting' | 'settled' | 'endsEarly'> {
  /** The request as the upstream got it: what was injected counts too. */
  readonly request: ChatRequest;
  readonly countTokens: EngineSetup['countTokens'];
}

/**
 * Counts tokens for a client that wants usage from an upstream that gives none: at a good end without usage the
 * terminal event waits for the counts, and usage goes out before it. If counting fails, the reply ends without usage. Of
 * a reply that ended before its upstream did, what the upstream told at the start holds for the prompt alone.
 *
 * The only stage that lets something out after `push` and `end` have returned; `waiting` and `settled` say when.
 */
export function createUsageCount(options: UsageCountOptions): StageFactory<ChatEvent, ChatEvent> {
  return (sink) => {
    const parts: string[] = [];
    let told: Usage | undefined;
    let isToldAtStart = false;
    const push = (event: ChatEvent): void => {
      if (event.type === 'message-end' && (told === undefined || (isToldAtStart && options.endsEarly()))) {
        options.waiting();
        void countBefore(event, { ...options, reply: parts.join(''), told, sink });
        return;
      }
      if (event.type === 'usage') {
        isToldAtStart = told === undefined && parts.length === 0;
        told = event.usage;
      } else if (event.type === 'tool-call-start') parts.push(event.name);
      else if (event.type === 'text-delta' || event.type === 'reasoning-delta' || event.type === 'tool-call-delta') {
        parts.push(event.text);
      }
      sink(event);
    };
    return { push, end: () => {} };
  };
}

type PendingCount = UsageCountOptions & {
  readonly reply: string;
  /** Whose count of the prompt holds. */
  readonly told: Usage | undefined;
  readonly sink: Sink<ChatEvent>;
};

async function countBefore(terminal: ChatEvent, pending: PendingCount): Promise<void> {
  const usage = await counted(pending).catch(() => undefined);
  try {
    if (usage !== undefined) pending.sink({ type: 'usage', usage });
    pending.sink(terminal);
    pending.settled();
  } catch (thrown) {
    pending.settled(thrown);
  }
}

async function counted(options: PendingCount): Promise<Usage> {
  const { told } = options;
  if (told !== undefined) return { ...told, outputTokens: await options.countTokens(options.reply), source: 'counted' };
  const [inputTokens, outputTokens] = await Promise.all([
    options.countTokens(promptText(options.request)),
    options.countTokens(options.reply),
  ]);
  return { inputTokens, outputTokens, source: 'counted' };
}

/**
 * Everything of a request that a model reads: the tools as JSON, then messages in order, so that the next request of a conversation
 * begins alike and whoever counts finds most of it counted. Pictures do not count.
 */
export function promptText(request: ChatRequest): string {
  const parts = request.tools.length > 0 ? [JSON.stringify(request.tools)] : [];
  for (const message of request.messages) {
    for (const part of message.content) {
      if (part.type === 'text' || part.type === 'reasoning') parts.push(part.text);
      else if (part.type === 'tool-call') parts.push(part.name, part.arguments);
    }
  }
  return parts.join('\n');
}
