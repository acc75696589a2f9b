import type { AroundTable } from '@dragoman/core';
import { afterUser, spanOf, type Turns } from './call-region.ts';
import {
  plainConversations,
  type Render,
  resultConversation,
  type SampleCall,
  sampleCalls,
  sentinels,
  type Variant,
} from './samples.ts';
import { sharedBack, sharedFront, tokensIn } from './tokens.ts';

/** Thinking as the template writes it. */
export interface FoundReasoning {
  readonly reasoning: AroundTable;
  /** The prompt has opened it already. */
  readonly opened: boolean;
}

/** Finds what is around the thinking of a reply. Undefined where the template leaves it out. */
export function findReasoning(render: Render, turns: Turns): FoundReasoning | undefined {
  const rendering = render(plainConversations.reasoned);
  const [front, after] = rendering === undefined ? [] : afterUser(rendering).split(sentinels.reasoning);
  const end = after?.indexOf(sentinels.text) ?? -1;
  if (front === undefined || after === undefined || end < 0) return undefined;
  const prompt = turns.prompt.trimEnd();
  const opened = front.trimEnd() === prompt && prompt !== '';
  const own = opened ? (tokensIn(front).at(-1) ?? '') : front.slice(sharedFront(front, turns.prompt));
  const closer = after.slice(0, end).trim();
  const opener = own.trim();
  if (opener === '' || closer === '') return undefined;
  return { reasoning: { opener: own.trimStart().endsWith('\n') ? `${opener}\n` : opener, closer }, opened };
}

/** Tokens after a reply of text, and the token that ends all texts. */
export function findTurnEnds({ back }: Turns, eos: string): readonly string[] {
  return [...new Set([...tokensIn(back), eos])].filter((token) => token.trim().length > 2);
}

/** The word that a template writes for the user's role. */
const userRole = 'user';

/** What is known of turns before results are looked at. */
interface TurnFrame {
  readonly turns: Turns;
  /** Tokens that end a turn. */
  readonly turnEnds: readonly string[];
}

/** Finds what is around a result in its turn. Undefined where nothing is. */
export function findResult(render: Render, variant: Variant, { turns, turnEnds }: TurnFrame): AroundTable | undefined {
  const gaps = gapsOfTwo(render, variant) ?? gapsOfOne(render, variant);
  if (gaps === undefined) return undefined;
  const own = userTurn(render, turnEnds);
  const { front, middle, back } = gaps;
  const closer = cutTurnEnd(middle === undefined ? back : back.slice(0, sharedFront(back, middle)), turns, own);
  const shared = middle === undefined ? front.length : sharedBack(front, middle);
  const length = Math.min(shared, (middle ?? front).length - (middle === undefined ? 0 : closer.length));
  const opener = cutTurnStart(afterTurnEnd(front.slice(front.length - length), turnEnds), own);
  const frame = { opener: opener.trimStart(), closer: closer.trimEnd() };
  return isFrame(frame) ? frame : undefined;
}

function gapsOfTwo(render: Render, variant: Variant): ResultGaps | undefined {
  return gapsAround(render(resultConversation(variant, 'two')), sentinels.results, sampleCalls(variant).two);
}

/** For templates that take one call only: then the turn alone tells what the frame is. */
function gapsOfOne(render: Render, variant: Variant): ResultGaps | undefined {
  const results = sentinels.results.slice(0, 1);
  return gapsAround(render(resultConversation(variant, 'one')), results, sampleCalls(variant).one);
}

interface ResultGaps {
  readonly front: string;
  /** Between two results. */
  readonly middle?: string;
  readonly back: string;
}

/** What is around results, with slots for the names and ids of their calls. */
function gapsAround(
  rendering: string | undefined,
  results: readonly string[],
  calls: readonly SampleCall[],
): ResultGaps | undefined {
  const written = rendering === undefined ? '' : afterUser(rendering);
  const [first = '', second] = results;
  const firstAt = written.indexOf(first);
  const secondAt = second === undefined ? firstAt : written.indexOf(second);
  if (firstAt < 0 || secondAt < firstAt) return undefined;
  const slotted = (text: string) =>
    calls.reduce((all, { name, id }) => all.replaceAll(id, '{id}').replaceAll(name, '{name}'), text);
  const afterCalls = calls.reduce(
    (end, call) => Math.max(end, spanOf(written.slice(0, firstAt), call, 0)?.end ?? 0),
    0,
  );
  const firstEnd = firstAt + first.length;
  const back = written.slice(secondAt + (second ?? first).length).split(sentinels.text)[0] ?? '';
  return {
    front: slotted(written.slice(afterCalls, firstAt)),
    ...(second === undefined ? {} : { middle: slotted(written.slice(firstEnd, secondAt)) }),
    back: slotted(back),
  };
}

/** What comes before the end of the turn, and of the next one. */
function cutTurnEnd(closer: string, { back }: Turns, turn: UserTurn | undefined): string {
  const tokens = [back.trim(), tokensIn(turn?.before ?? '').at(-1) ?? ''].filter((token) => token !== '');
  const ends = tokens.map((token) => closer.indexOf(token)).filter((at) => at >= 0);
  return closer.slice(0, Math.min(closer.length, ...ends));
}

/** A frame begins with a marker, and no JSON, in which a result would have to be escaped. */
function isFrame({ opener }: AroundTable): boolean {
  const front = opener.trim();
  return (
    front.length > 2 &&
    !front.includes('"') &&
    (front.startsWith('<') || front.startsWith('[') || front.startsWith('#'))
  );
}

interface UserTurn {
  readonly before: string;
  readonly after: string;
}

/** What is around the role before a user's text. */
function userTurn(render: Render, turnEnds: readonly string[]): UserTurn | undefined {
  const rendering = render(plainConversations.answered);
  const [, after] = rendering === undefined ? [] : afterUser(rendering).split(sentinels.text);
  const header = after?.split(sentinels.next)[0];
  // Before it the role may be in a token as well.
  const at = header?.lastIndexOf(userRole) ?? -1;
  if (header === undefined || at < 0) return undefined;
  return { before: afterTurnEnd(header.slice(0, at), turnEnds), after: header.slice(at + userRole.length) };
}

/** What ends a turn belongs to the one before, and to no message of a user. */
function afterTurnEnd(text: string, turnEnds: readonly string[]): string {
  const cuts = turnEnds.map((token) => (text.includes(token) ? text.lastIndexOf(token) + token.length : 0));
  return text.slice(Math.max(0, ...cuts));
}

/** The part after the header of the turn, whatever its role is called. */
function cutTurnStart(opener: string, turn: UserTurn | undefined): string {
  const token = tokensIn(turn?.before ?? '').at(-1);
  if (turn === undefined || token === undefined) return opener;
  if (!opener.includes(token)) {
    // Each role may have a token of its own, and the one after the role is that of all.
    const [shut = ''] = tokensIn(turn.after);
    return shut !== '' && opener.includes(shut) ? opener.slice(opener.indexOf(shut) + shut.length) : opener;
  }
  const after = opener.slice(opener.lastIndexOf(token) + token.length);
  const end = turn.after === '' ? -1 : after.indexOf(turn.after);
  return end < 0 ? after : after.slice(end + turn.after.length);
}
