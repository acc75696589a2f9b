import { plainConversations, type Render, type SampleCall, sentinels } from './samples.ts';
import { sharedFront, tokensIn } from './tokens.ts';

/** What is around a reply of plain text. */
export interface Turns {
  /** Between the user's text and the reply's. */
  readonly front: string;
  /** After the reply. */
  readonly back: string;
  /** After the user's text, where the model is to go on. */
  readonly prompt: string;
  /** What opens the next turn after every reply, as some templates do unasked; else empty. */
  readonly next: string;
}

/** Reads how the template writes turns; undefined where it writes no plain conversation. */
export function readTurns(render: Render): Turns | undefined {
  const said = render(plainConversations.said);
  const [front, after] = said === undefined ? [] : afterUser(said).split(sentinels.text);
  if (front === undefined || after === undefined) return undefined;
  const asked = render(plainConversations.asked);
  const prompt = asked === undefined ? front : afterUser(asked);
  // A first token ends the turn of the user, and perhaps that of the reply as well.
  const [end = ''] = tokensIn(prompt);
  const opening = prompt.startsWith(end) ? prompt.slice(end.length) : prompt;
  const next = opening.trim() !== '' && after.endsWith(opening) ? opening : '';
  return { front, back: after.slice(0, after.length - next.length), prompt, next };
}

/** What comes after the user's last text. */
export function afterUser(rendering: string): string {
  const at = rendering.lastIndexOf(sentinels.user);
  return at < 0 ? rendering : rendering.slice(at + sentinels.user.length);
}

/** What a model would write in a reply: without what belongs to the turn. */
export function replyIn(rendering: string, turns: Turns): string {
  const whole = afterUser(rendering);
  const reply = whole.endsWith(turns.next) ? whole.slice(0, whole.length - turns.next.length) : whole;
  const rest = reply.slice(frontLength(reply, turns));
  const back = turns.back.trimEnd();
  const end = back === '' ? -1 : rest.lastIndexOf(back);
  return end >= 0 && rest.slice(end + back.length).trim() === '' ? rest.slice(0, end) : rest;
}

/** Calls may be in another channel than text: then only what the prompt ends with is the turn's. */
function frontLength(reply: string, { front, prompt }: Turns): number {
  const whole = [front, prompt].find((each) => each !== '' && reply.startsWith(each));
  return whole?.length ?? Math.max(sharedFront(reply, front), sharedFront(reply, prompt));
}

/** Where the sentinels of a call stand: from the first to after the last. */
export function spanOf(
  reply: string,
  { id, name, values }: SampleCall,
  from: number,
): { readonly start: number; readonly end: number } | undefined {
  const words = [name, id, ...Object.keys(values), ...Object.values(values).filter((each) => typeof each === 'string')];
  const found = words.flatMap((word) => {
    const at = reply.indexOf(word, from);
    return at < 0 ? [] : [{ start: at, end: at + word.length }];
  });
  if (!reply.includes(name, from) || found.length === 0) return undefined;
  return { start: Math.min(...found.map(({ start }) => start)), end: Math.max(...found.map(({ end }) => end)) };
}
