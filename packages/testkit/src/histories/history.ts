import { marksIn, type WantedMark } from './marks.ts';

/** A call as a client got it. */
export interface HistoryCall {
  readonly id: string;
  readonly path: string;
}

/** One step of a conversation as its client remembers it, before it is written for any API. */
export type Entry =
  /** Blocks come before the user's words and after them. */
  | {
      readonly kind: 'asked';
      readonly text: string;
      readonly front: readonly string[];
      readonly after: readonly string[];
    }
  | { readonly kind: 'answered'; readonly text: string; readonly calls: readonly HistoryCall[] }
  | { readonly kind: 'returned'; readonly id: string; readonly text: string };

export type Answered = Extract<Entry, { kind: 'answered' }>;
export type Asked = Extract<Entry, { kind: 'asked' }>;
export type Returned = Extract<Entry, { kind: 'returned' }>;

/** The calls of the last answer that have no result yet. */
export function openCalls(history: readonly Entry[]): readonly HistoryCall[] {
  const last = history.findLast((entry): entry is Answered => entry.kind === 'answered');
  const returned = new Set(history.map((entry) => (entry.kind === 'returned' ? entry.id : '')));
  return (last?.calls ?? []).filter(({ id }) => !returned.has(id));
}

/** Whether the newest input brings a result of a round before the last one. */
export function hasLateResult(history: readonly Entry[]): boolean {
  const past = upToLastAnswer(history);
  const calls = new Set(
    past.findLast((entry): entry is Answered => entry.kind === 'answered')?.calls.map(({ id }) => id),
  );
  return history.slice(past.length).some((entry) => entry.kind === 'returned' && !calls.has(entry.id));
}

/** Everything up to the last answer, that one included. */
export function upToLastAnswer(history: readonly Entry[]): readonly Entry[] {
  return history.slice(0, history.findLastIndex(({ kind }) => kind === 'answered') + 1);
}

/**
 * What a model must have been told to have been told this history, in order: results come after their round in the order
 * of its calls. Text beside calls is optional where `dropsText`.
 */
export function wantedMarks(history: readonly Entry[], dropsText: boolean): readonly WantedMark[] {
  const results = new Map(history.flatMap((entry) => (entry.kind === 'returned' ? [[entry.id, entry.text]] : [])));
  return history.flatMap((entry): readonly WantedMark[] => {
    if (entry.kind === 'returned') return [];
    const optional = dropsText && entry.kind === 'answered' && entry.calls.length > 0;
    const text = marksIn(entry.text).map((mark) => ({ mark, optional }));
    if (entry.kind === 'asked') return text;
    const paths = entry.calls.map(({ path }) => ({ mark: path }));
    const returned = entry.calls.flatMap(({ id }) => {
      const mark = results.get(id);
      return mark === undefined ? [] : [{ mark }];
    });
    return [...text, ...paths, ...returned];
  });
}
