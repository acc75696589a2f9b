/**
 * Words that say where they come from: `user12` was said by a user, `said3` by the model, `path2` is in a call,
 * `result7` is what a tool returned, `block5` is in a block that a client adds by itself, `rules1` in system text. By
 * them a test reads out of any prompt what the model has been told, however it is written.
 */
export type MarkKind = 'user' | 'said' | 'path' | 'result' | 'block' | 'rules';

/** One mark of a conversation that should be there. */
export interface WantedMark {
  readonly mark: string;
  /** Clients may have dropped it. */
  readonly optional?: boolean;
}

/** All marks of a text, in order. */
export function marksIn(text: string, ...kinds: readonly MarkKind[]): readonly string[] {
  const found = text.match(/\b(?:user|said|path|result|block|rules)\d+\b/g) ?? [];
  return kinds.length === 0 ? found : found.filter((mark) => kinds.some((kind) => mark.startsWith(kind)));
}

/** Whether the marks are the wanted ones in that order, and no others. */
export function areWanted(marks: readonly string[], wanted: readonly WantedMark[]): boolean {
  let at = 0;
  for (const { mark, optional = false } of wanted) {
    if (marks[at] === mark) at += 1;
    else if (!optional) return false;
  }
  return at === marks.length;
}
