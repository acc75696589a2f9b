import type { ItemKey, ReplyItem, ReplyItemKind } from './reply-item.ts';

/**
 * Decides which item of a reply an event is about. Servers differ in what they name: the item's id, the call's id in its
 * place, the position, or nothing at all.
 */
export class ItemFinder {
  readonly #byName = new Map<string, ReplyItem>();
  readonly #byIndex = new Map<string, ReplyItem>();
  readonly #last = new Map<ReplyItemKind, ReplyItem>();

  add(item: ReplyItem): void {
    this.#last.set(item.kind, item);
    if (item.index !== undefined) this.#byIndex.set(`${item.kind} ${item.index}`, item);
    this.addName(item, item.id);
    this.addName(item, item.callId);
  }

  /** A name that has become known later. */
  addName(item: ReplyItem, name: string): void {
    if (name !== '') this.#byName.set(`${item.kind} ${name}`, item);
  }

  /** `isItem`: the event holds the item itself, so that another id means another item. */
  find(key: ItemKey, { isItem }: { readonly isItem: boolean }): ReplyItem | undefined {
    const { kind, index, id, callId } = key;
    const named = this.#byName.get(`${kind} ${id}`) ?? this.#byName.get(`${kind} ${callId}`);
    if (named !== undefined) {
      const isOther = callId !== '' && named.callId !== '' && named.callId !== callId;
      return !isOther && isSamePlace(named, key) ? named : undefined;
    }
    if (index !== undefined) {
      const placed = this.#byIndex.get(`${kind} ${index}`);
      const isOther = isItem && placed !== undefined && id !== '' && placed.id !== '';
      return isOther ? undefined : placed;
    }
    const last = this.#last.get(kind);
    return id === '' && callId === '' && last?.ended === false ? last : undefined;
  }
}

/** One call id at two places, under two item ids: whether they are one call is seen when both are whole. */
function isSamePlace(item: ReplyItem, { kind, index, id }: ItemKey): boolean {
  if (kind !== 'call' || id === '' || item.id === '' || item.id === id || item.callId === id) return true;
  return index === undefined || item.index === undefined || item.index === index;
}
