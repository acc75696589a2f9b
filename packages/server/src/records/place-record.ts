import { type collect, type Message, readHistory } from '@dragoman/core';
import type { RecordedConversation, RecordHead } from './exchange-record.ts';

/** What places an exchange in a conversation. */
export interface PlaceQuestion {
  readonly owner: string;
  /** The client's history. */
  readonly messages: readonly Message[];
  /** What the client says that the conversation is. */
  readonly identity?: string | undefined;
}

/** Where a record stands: what the next one needs to know of it. */
export type RecordPlace = Pick<RecordHead, 'id' | 'conversation'>;

/** Under which names the exchange that this one goes on from may be found, and under which it is found itself. */
export interface PlaceNames {
  /** Best first: all of the history is the same, then what clients cannot leave out of it; the last answer is the same; the client gives the same name. */
  readonly before: readonly string[];
  /** `reply`: what the model answered; undefined where that is unknown or broke off, so that no history will hold it. */
  own(reply: ReturnType<typeof collect> | undefined): readonly string[];
}

/**
 * Names of a place, out of the history alone (`core/conversation`). No two callers share one. Linear in the history.
 */
export function placeNames({ owner, messages, identity }: PlaceQuestion): PlaceNames {
  const { depth, lookUps, pointAfter } = readHistory(messages, { salt: ['record', owner] });
  const said = identity === undefined ? [] : [`identity ${owner.length} ${owner} ${identity}`];
  // Where no model has said anything yet a conversation begins, whatever the client calls it.
  return {
    before: depth === 0 ? [] : [...new Set(lookUps.map(linkName)), ...said],
    own: (reply) => [...(reply?.complete === true ? pointAfter(reply.content).keys : []).map(linkName), ...said],
  };
}

/**
 * The place after one of these exchanges, the latest last: of those that a better name leads to, the latest that the
 * client calls by the same name. Undefined where a conversation begins.
 */
export function placeAfter(
  found: readonly RecordPlace[],
  identity: string | undefined,
): Pick<RecordedConversation, 'id' | 'step' | 'parent'> | undefined {
  const agree = found.filter(({ conversation }) => conversation.identity === identity);
  const may = found.filter(({ conversation }) => conversation.identity === undefined || identity === undefined);
  const parent = agree.at(-1) ?? may.at(-1);
  if (parent === undefined) return undefined;
  return { id: parent.conversation.id, step: parent.conversation.step + 1, parent: parent.id };
}

function linkName(key: string): string {
  return `link ${key}`;
}
