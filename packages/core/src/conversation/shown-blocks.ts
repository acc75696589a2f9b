import { hexDigestOf } from '../chat/digest.ts';
import { type Message, textOf } from '../chat/message.ts';
import { findClientBlocks } from '../prepare/client-tags.ts';
import { mostShown } from './choose-point.ts';

/** Whether messages show a block, by its digest; they are looked through when that is first asked. */
export function shownIn(messages: readonly Message[]): (digest: string) => boolean {
  let digests: ReadonlySet<string> | undefined;
  return (digest) => {
    digests ??= new Set(blocksIn(messages).map(hexDigestOf));
    return digests.has(digest);
  };
}

/** Digests of the blocks that an upstream has been shown, once it has heard these messages, too. */
export function shownAfter(before: readonly string[], messages: readonly Message[]): readonly string[] {
  return [...new Set([...before, ...blocksIn(messages).map(hexDigestOf)])].slice(-mostShown);
}

/** Blocks that the client shows in its past and the upstream has not seen: there, they say something else now. */
export function unseenBlocks(past: readonly Message[], shown: readonly string[]): readonly string[] {
  return [...new Set(blocksIn(past).filter((block) => !shown.includes(hexDigestOf(block))))];
}

/** Blocks as they are told: in messages that have been rendered, so that their markers are escaped. */
function blocksIn(messages: readonly Message[]): readonly string[] {
  const texts = messages.flatMap(({ role, content }) => (role === 'user' ? [textOf(content)] : []));
  return texts.flatMap((text) => findClientBlocks(text).blocks);
}
