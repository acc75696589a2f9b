/** An id that somebody else gave a call: the model in its text, or the upstream of that name on its wire. */
export type ForeignId =
  | { readonly kind: 'native'; readonly id: string }
  | { readonly kind: 'wire'; readonly id: string; readonly upstream: string };

/**
 * Remembers which foreign id belongs to an id of ours, for foreign ids that ours cannot carry. A store belongs to one
 * caller and may forget: then call and result still share the id of ours.
 */
export interface CallIdStore {
  put(callId: string, foreign: ForeignId): void;
  get(callId: string): ForeignId | undefined;
}
