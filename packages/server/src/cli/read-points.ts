import { type ConversationStore, DragomanError } from '@dragoman/core';
import type { Config } from '../config/schema.ts';
import { findPoints } from '../stores/find-points.ts';
import { openExisting } from '../stores/open-existing.ts';
import type { Terminal } from './terminal.ts';

/** Where conversations stand, for who only looks. */
export interface PointsReader {
  readonly conversations: ConversationStore;
  close(): Promise<void>;
}

/**
 * Reads the points of one caller from the database that the configuration names. What cannot be read is said on standard
 * error once somebody asks for it, and `find` rejects with `store-failed`.
 */
export async function readPoints(
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
  const message = `Where conversations stand cannot be told: ${reason}.`;
  stderr.write(`${message}\n`);
  return new DragomanError('store-failed', message);
}

function lookingOnly(find: ConversationStore['find']): ConversationStore {
  return { find, take: async () => undefined, settle: () => {}, put: () => undefined };
}
