import { createReasonedCalls } from '../calls/reasoned-calls.ts';
import { createUnescapeStage } from '../calls/unescape.ts';
import type { ChatEvent } from '../chat/event.ts';
import type { Message } from '../chat/message.ts';
import { type Checks, checkOptions, flag, having } from '../check-value.ts';
import { CallIds } from '../prepare/call-ids.ts';
import { randomHex } from '../random-hex.ts';
import type { CallIdStore } from '../stores/call-id-store.ts';
import { MemoryCallIdStore } from '../stores/memory-call-id-store.ts';
import type { Sink, StageFactory } from '../stream/stage.ts';
import { checkMessages } from './check-messages.ts';
import type { ReplyConversation } from './create-reply-parser.ts';

/** The conversation that a reply goes on with. */
export interface ConversationOptions {
  /** What was said so far. With it no call gets an id that a past call has. */
  readonly messages?: readonly Message[] | undefined;
  /** `renderMessages` told `text-escaped`: its escapes are taken out of what the model wrote. Default false. */
  readonly escaped?: boolean | undefined;
  /** Keeps ids of the model that ours cannot carry, for `renderMessages`. Default: one store for the whole process. */
  readonly callIds?: CallIdStore | undefined;
}

/** Some thousand ids: enough for the conversations of one program. */
export const sharedCallIds: CallIdStore = new MemoryCallIdStore({ maxSize: 1_000_000 }).of('');

export const callIdsCheck = having(['put', 'get'], 'a CallIdStore, such as a MemoryCallIdStore, or leave it out');

export const conversationChecks: Checks<ConversationOptions> = {
  messages: checkMessages,
  callIds: callIdsCheck,
  escaped: flag,
};

/**
 * What a reply needs to be part of a conversation that is written again by `renderMessages`: ids of calls as the gateway
 * mints them, which carry the model's own, escapes taken out, and with the policy `reasoning` `fire` the calls that a model hid
 * in its reasoning. Throws DragomanError `config-invalid` for options that would not do what they say.
 */
export function conversationOf(options: ConversationOptions = {}): ReplyConversation {
  checkOptions(options, conversationChecks, 'the conversation options');
  const { messages = [], callIds: store = sharedCallIds, escaped = false } = options;
  return (sink, { dialect, context }) => {
    const callIds = new CallIds({ request: { messages }, randomHex, store });
    const unescaped = escaped ? before(sink, createUnescapeStage()) : sink;
    if (context.policy?.reasoning !== 'fire') return { callIds, sink: unescaped };
    return { callIds, sink: before(unescaped, createReasonedCalls({ dialect, context, callIds }, 'fire')) };
  };
}

/** The sink of a stage that lets its own output into `sink`, and holds nothing at its end. */
function before(sink: Sink<ChatEvent>, stage: StageFactory<ChatEvent, ChatEvent>): Sink<ChatEvent> {
  const next = stage(sink);
  return (event) => next.push(event);
}
