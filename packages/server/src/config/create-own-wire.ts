import { createConversationUpstream, createQwenChatUpstream, type JsonPath, type UpstreamWire } from '@dragoman/core';
import { type ConversationConfig, conversationSchema } from './conversation-schema.ts';
import type { UpstreamConfig } from './schema.ts';

/** The wire that an upstream has for itself, because its configuration says how it is spoken; undefined where none does. */
export function createOwnWire(entry: UpstreamConfig): UpstreamWire | undefined {
  const conversation = descriptionOf(entry);
  if (conversation !== undefined) return createConversationWire(conversation);
  const { qwenChat } = entry;
  return qwenChat && createQwenChatUpstream({ ...qwenChat, parent: stepsOf(qwenChat.parent) });
}

/** The wire that a configuration describes. */
function createConversationWire({ create, first, send, framing, reply, lost, busy }: ConversationConfig): UpstreamWire {
  const { reasoning, conversation, parent, error, end, cumulative } = reply;
  return createConversationUpstream({
    ...(create === undefined ? {} : { create: { ...create, id: stepsOf(create.id) } }),
    ...(first === undefined ? {} : { first }),
    send,
    framing,
    reply: {
      text: stepsOf(reply.text),
      ...(reasoning === undefined ? {} : { reasoning: stepsOf(reasoning) }),
      ...(conversation === undefined ? {} : { conversation: stepsOf(conversation) }),
      ...(parent === undefined ? {} : { parent: stepsOf(parent) }),
      ...(error === undefined ? {} : { error: stepsOf(error) }),
      ...(end === undefined ? {} : { end: { ...end, path: stepsOf(end.path) } }),
      ...(cumulative === undefined ? {} : { cumulative }),
    },
    lost,
    busy,
  });
}

function stepsOf(path: string | readonly string[]): JsonPath {
  return typeof path === 'string' ? path.split('.') : path;
}

/**
 * How workers that keep conversations are spoken to where the configuration does not say: by the commands
 * `createConversation` and `sendMessage`, whose answers hold `response`, `reasoning`, `conversationId` and `error`.
 */
const workerConversation: ConversationConfig = conversationSchema.parse({
  first: { path: '/createConversation', body: { prompt: '{{text}}', model: '{{model}}', systemMessage: '' } },
  send: {
    path: '/sendMessage',
    body: { conversationId: '{{conversation}}', prompt: '{{text}}', model: '{{model}}', systemMessage: '' },
  },
  framing: 'ndjson',
  reply: { text: 'response', reasoning: 'reasoning', conversation: 'conversationId', error: 'error' },
});

/** How an upstream that keeps conversations is spoken to; undefined for others. */
export function descriptionOf({
  conversation,
  workers,
}: Pick<UpstreamConfig, 'conversation' | 'workers'>): ConversationConfig | undefined {
  return conversation ?? (workers?.speak === 'commands' ? workerConversation : undefined);
}
