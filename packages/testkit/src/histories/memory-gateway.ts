import {
  answer,
  type ChatEvent,
  type ChatRequest,
  type CollectedMessage,
  collect,
  createConversationUpstream,
  defaultModelRule,
  type EngineSetup,
  MemoryConversationStore,
} from '@dragoman/core';
import type { Platform } from '../upstreams/platform.ts';
import { platformTransport } from '../upstreams/platform-transport.ts';

/** One request of a client, in the terms of its API and as the gateway reads it. */
export interface Sending {
  /** The client's key. */
  readonly owner: string;
  /** The client wire's id. */
  readonly wire: string;
  readonly body: object;
  readonly request: ChatRequest;
  /** Which conversation the client says that it is. */
  readonly name?: string;
}

/** What a client makes of a reply. */
export type Received = Pick<CollectedMessage, 'text' | 'calls' | 'complete'>;

/** A gateway before a platform. */
export interface HistoryGateway {
  send(sending: Sending): Promise<Received>;
  /** Forgets every conversation, as a restart does. */
  forget(): void | Promise<void>;
}

const never = { connect: 0, firstToken: 0, idle: 0, total: 0 };

/** The description of the platform that `createPlatform` is. */
function platformWire(linear: boolean): ReturnType<typeof createConversationUpstream> {
  const parent = linear ? {} : { parent: '{{parent}}' };
  return createConversationUpstream({
    create: { path: '/chats', body: { model: '{{model}}' }, id: ['data', 'id'] },
    send: { path: '/chats/{{conversation}}/messages', body: { model: '{{model}}', text: '{{text}}', ...parent } },
    framing: 'sse',
    reply: {
      text: ['choices', '0', 'delta', 'content'],
      conversation: ['response.created', 'chat_id'],
      parent: ['response.created', 'parent_id'],
      end: { path: ['choices', '0', 'delta', 'status'], is: 'finished' },
    },
    lost: { statuses: [404], words: ['is not exist'] },
    busy: { statuses: [], words: [] },
  });
}

/** The engine without HTTP, before an upstream `platform` whose models `m1` and `m2` write hermes. */
export function createMemoryGateway(platform: Platform, linear: boolean): HistoryGateway {
  // Clients here may say the same over and over.
  const guards = { rounds: 0, repeats: false };
  const rule = { ...defaultModelRule, toolCalling: { dialect: 'hermes' }, guards };
  const upstream = {
    name: 'platform',
    wire: 'conversation',
    transport: platformTransport(platform),
    quirks: {},
    deadlines: never,
    models: new Map(['m1', 'm2'].map((model) => [model, rule])),
  };
  let conversations = new MemoryConversationStore({ maxSize: 10_000_000 });
  let drawn = 0;
  const setup: EngineSetup = {
    upstreams: new Map([[upstream.name, upstream]]),
    wires: new Map([['conversation', platformWire(linear)]]),
    aliases: new Map(),
    maxTools: 8,
    maxReplyBytes: 1_000_000,
    toolCalling: true,
    countTokens: async (texts) => texts.join('').length,
    now: () => 0,
    every: () => () => {},
    randomHex: (length) => {
      drawn += 1;
      return drawn.toString(16).padStart(length, '0');
    },
  };
  return {
    send({ owner, request }) {
      const events: ChatEvent[] = [];
      return new Promise((resolve) => {
        const event = (each: ChatEvent) => {
          events.push(each);
          if (each.type === 'message-end' || each.type === 'error') resolve(collect(events));
        };
        answer(request, { ...setup, conversations: conversations.of(owner) }, { event, flush: () => {} });
      });
    },
    forget: () => {
      conversations = new MemoryConversationStore({ maxSize: 10_000_000 });
    },
  };
}
