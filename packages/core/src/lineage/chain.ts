import { hexDigestOf } from '../chat/digest.ts';
import type { Answered, Input } from './turns.ts';

/** The chain before anything was said. `salt` keeps apart what must never meet: callers, upstreams, models. */
export function firstLink(salt: readonly string[]): string {
  return link(['salt', ...salt]);
}

/** The key of the point behind an answer: it hangs on all that was said before. */
export function nextLink(
  before: string,
  { input, answer }: { readonly input: Input; readonly answer: Answered },
): string {
  return link([before, input.results, input.said, answer.text, answer.calls]);
}

/**
 * All keys under which a client may come back to a new point. Beside the plain one: front ends show a constant block at
 * the end of the newest message only, so in the history the message may lack its last part, or have only its first; and
 * some clients drop the text that stands beside calls.
 */
export function linksOf(
  before: string,
  { input, answer }: { readonly input: Input; readonly answer: Answered },
): string[] {
  const { results, said } = input;
  const inputs = [input, { results, said: said.slice(0, -1) }, { results, said: said.slice(0, 1) }];
  const answers = answer.calls.length === 0 ? [answer] : [answer, { ...answer, text: '' }];
  const shown = inputs.filter((each, at) => at === 0 || each.said.length > 0);
  return [...new Set(shown.flatMap((each) => answers.map((one) => nextLink(before, { input: each, answer: one }))))];
}

/** The key of an answer alone, whatever was said before it. */
export function answerKey(salt: readonly string[], answer: Answered): string {
  return link(['answer', ...salt, answer.text, answer.calls]);
}

/** The length beside the digest makes two texts with one digest rarer still. */
function link(parts: readonly unknown[]): string {
  const text = JSON.stringify(parts);
  return `${hexDigestOf(text)}${text.length.toString(36)}`;
}
