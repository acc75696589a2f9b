import {
  type ConversationStore,
  DragomanError,
  explain,
  openaiChatClient,
  planRequest,
  writeJson,
} from '@dragoman/core';
import { createSetup } from '../config/create-setup.ts';
import type { Config } from '../config/schema.ts';
import { dependsOnServer } from '../discovery/depends-on-server.ts';
import { conversationIdentity } from '../http/conversation-identity.ts';
import { relayable } from '../http/relay.ts';
import { findPoints } from '../stores/find-points.ts';
import { openExisting } from '../stores/open-existing.ts';
import { ownCommand } from './how-started.ts';
import { readInput } from './read-input.ts';
import { readLearnt } from './read-learnt.ts';
import { readConfig } from './read-setup.ts';
import { CommandError, type Terminal } from './terminal.ts';

export interface ExplainFlags {
  readonly config?: string;
  /** The name of the key that would ask. */
  readonly as?: string;
}

/**
 * `dragoman explain`: the plan for a request on standard input, and what its upstream would get. Asks upstreams for their
 * lists, as the gateway does, and sends nothing else; where the upstream keeps conversations it looks into the store, and
 * changes nothing there.
 */
export async function explainRequest(terminal: Terminal, flags: ExplainFlags): Promise<number> {
  const { config } = readConfig(terminal, flags.config === undefined ? {} : { config: flags.config });
  const made = createSetup(config, { env: terminal.env, cwd: terminal.cwd });
  const { setup, discovery, close } = made;
  const body = await readRequest(terminal);
  const conversation = conversationIdentity({}, body);
  const read = openaiChatClient.readRequest(body);
  const request = conversation === undefined ? read : { ...read, conversation };
  const relay = relayable(body, { wire: openaiChatClient, request });
  try {
    discovery.start({ now: () => performance.now(), log: { info: () => {}, warn: () => {} } });
    await discovery.freshen();
    const plan = planRequest(request, setup);
    if (dependsOnServer(request, plan, setup)) await discovery.identify(plan.upstream);
    const points = await readPoints(terminal, { config, as: flags.as });
    const facts = await readLearnt(terminal, config);
    try {
      const { conversations } = points;
      terminal.stdout.write(`${writeJson(await explain(request, { ...setup, conversations, facts }, relay), 2)}\n`);
    } finally {
      await points.close();
    }
  } finally {
    await close();
  }
  return 0;
}

async function readRequest(terminal: Terminal): Promise<unknown> {
  const input = await readInput(terminal, 'The request');
  try {
    return JSON.parse(input);
  } catch {
    throw new CommandError(`Standard input is not a request in JSON. Use: ${ownCommand} explain < request.json`);
  }
}

/** Where conversations stand, for who only looks. */
interface PointsReader {
  readonly conversations: ConversationStore;
  close(): Promise<void>;
}

/**
 * Reads the points of one caller from the database that the configuration names. What cannot be read is said on standard
 * error once somebody asks for it, and `find` rejects with `store-failed`.
 */
async function readPoints(
  terminal: Terminal,
  { config, as }: { readonly config: Config; readonly as: string | undefined },
): Promise<PointsReader> {
  const { store, keys } = config;
  const owner = as ?? (keys.length > 1 ? undefined : (keys[0]?.name ?? ''));
  const unknown = (reason: string): PointsReader => ({
    conversations: unreadable(terminal, reason),
    close: async () => {},
  });
  if (store === 'memory') return unknown('"store" is "memory", so only the running gateway knows it');
  if (owner === undefined) return unknown('there are several keys; --as NAME says whose conversations are meant');
  const client = await openExisting({ store, env: terminal.env, cwd: terminal.cwd });
  if ('missing' in client) return unknown(`there is no file ${client.missing}`);
  return {
    conversations: lookingOnly(async (keysAsked) => {
      try {
        return await findPoints(client, { owner, keys: keysAsked, now: Date.now() });
      } catch (thrown) {
        throw failed(terminal, thrown instanceof Error ? thrown.message : String(thrown));
      }
    }),
    close: () => client.close(),
  };
}

function unreadable(terminal: Terminal, reason: string): ConversationStore {
  return lookingOnly(async () => {
    throw failed(terminal, reason);
  });
}

function failed({ stderr }: Terminal, reason: string): DragomanError {
  const message = `Whether the request continues a conversation is not known: ${reason}.`;
  stderr.write(`${message}\n`);
  return new DragomanError('store-failed', message);
}

function lookingOnly(find: ConversationStore['find']): ConversationStore {
  return { find, take: async () => undefined, settle: () => {}, put: () => undefined };
}
