import { turnMarkers } from '../../chat/turn-markers.ts';
import { dialects } from '../registry.ts';
import { dialectSample } from './dialect-sample.ts';
import { commonestFirst } from './read-any.ts';

/**
 * The built-in dialect that a chat template writes calls in, as far as its source shows it: the one of whose call all tags
 * are there, and of several the one with the most of them. Undefined where there is none. Nothing is rendered, so it is a
 * guess and no proof, which `dragoman derive` gives.
 */
export function dialectOfTemplate(source: string): string | undefined {
  let best: { readonly id: string; readonly weight: number } | undefined;
  for (const { id, tags } of callTags()) {
    const weight = tags.every((tag) => source.includes(tag)) ? tags.join('').length : 0;
    if (weight > (best?.weight ?? 0)) best = { id, weight };
  }
  return best?.id;
}

interface CallTags {
  readonly id: string;
  readonly tags: readonly string[];
}

let known: readonly CallTags[] | undefined;

/** What is around the values of a call, by dialect, the commonest first; without dialects that write nothing of the kind. */
function callTags(): readonly CallTags[] {
  known ??= commonestFirst(dialects).flatMap((dialect) => {
    const { call } = dialectSample(dialect);
    const markers = dialect.markers([]).map((marker) => marker.trim());
    const tags = [...new Set([...markers, ...tagsIn(call)])].filter((tag) => call.includes(tag) && isOwn(tag));
    // A code fence alone is in many templates.
    return tags.some((tag) => !tag.startsWith('```')) ? [{ id: dialect.id, tags }] : [];
  });
  return known;
}

const closers: Readonly<Record<string, string>> = { '<': '>', '[': ']' };

/** Every `<…>` and `[…]` without a blank or a quotation mark within. */
function tagsIn(text: string): readonly string[] {
  const tags: string[] = [];
  let begun = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (sign in closers) begun = at;
    else if (sign === closers[text[begun] ?? '']) tags.push(text.slice(begun, at + 1));
  }
  return tags.filter((tag) => !tag.includes(' ') && !tag.includes('"'));
}

/** Short signs may be anywhere, marks of turns in every template, and names of parameters in none. */
function isOwn(tag: string): boolean {
  return tag.length >= 5 && !turnMarkers.includes(tag) && !['read', 'path', 'limit'].some((name) => tag.includes(name));
}
