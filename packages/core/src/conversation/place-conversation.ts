import type { Message } from '../chat/message.ts';
import type { Warning } from '../chat/warning.ts';
import type { SystemTold } from '../plan/rules.ts';
import type { Prompt, Said } from '../prepare/prompt.ts';
import type { KnownPoint } from '../stores/conversation-store.ts';
import type { ConversationPlace } from '../wires/wire.ts';
import type { Claim } from './claiming.ts';
import { unseenBlocks } from './shown-blocks.ts';

/** Where in an upstream's conversations a request goes, and what the upstream has to be told there. */
export interface ConversationStep extends Claim {
  /** What is sent: only what the upstream has not seen. */
  readonly said: Said;
  /** What is sent into a new conversation, should this one be lost: everything. */
  readonly whole: () => Said;
  /** What was said in the whole history, as it is told. */
  readonly spoken: readonly Message[];
  readonly warnings: readonly Warning[];
}

/** The warning of a history that an upstream is told as text, in words of why. */
export function replayed(why: string): Warning {
  return {
    code: 'conversation-replayed',
    message: `${why}, so the whole history was sent into a new conversation as text.`,
  };
}

const replayReasons = {
  unclear: 'What is known looks like the history, but nothing says that it is the same conversation',
  aside: 'The client asks something about its conversation, which goes on from where it was',
  branch: 'The client went back in its history, and the upstream takes messages after its last reply only',
  compacted: 'The client has made its history shorter',
  diverged: 'The history holds what the upstream has not seen',
  unreachable: 'What is kept of conversations cannot be reached',
} as const;

/**
 * Places a request with the prompt of it. System text and tools go along again exactly when they are not what the
 * upstream was told last, or always; so do blocks that the client shows in its past otherwise than before. Changes nothing
 * that is kept.
 */
export function placeConversation(prompt: Prompt, claim: Claim, inject: SystemTold): ConversationStep {
  const { spoken } = prompt;
  const step = { ...claim, whole: () => prompt.whole(), spoken };
  const { kind, point } = claim;
  if (point !== undefined) {
    const newest = spoken.findLastIndex(({ role }) => role === 'assistant') + 1;
    const changed = point.exact === claim.exact ? [] : unseenBlocks(spoken.slice(0, newest), point.shown);
    const said = prompt.news(inject === 'always' || point.told !== claim.told, changed);
    const warnings = kind === 'branch' ? [branched] : claim.queued === true ? [queued] : [];
    return { ...step, said, warnings };
  }
  const warnings = kind === 'new' || kind === 'continue' ? [] : [replayed(replayReasons[kind])];
  return { ...step, said: prompt.whole(), warnings };
}

const branched: Warning = {
  code: 'conversation-branched',
  message: 'After this point the conversation has gone on already; the request became a branch of its own.',
};

const queued: Warning = {
  code: 'conversation-queued',
  message: 'Another request went on from the same place; this one waited and became the message after its reply.',
};

/** A point in the upstream's terms. */
export function placeOf({ conversation, parent }: KnownPoint): ConversationPlace {
  return { ...(conversation === '' ? {} : { id: conversation }), ...(parent === undefined ? {} : { parent }) };
}
