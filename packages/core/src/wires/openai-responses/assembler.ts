import { quoteName } from '../../chat/warning.ts';
import { BlockQueue } from '../block-queue.ts';
import { type ItemKey, ReplyItem } from './reply-item.ts';

/**
 * Puts the items of a reply in order. A call starts as soon as its name and id are known. One that repeats the id of another
 * waits for its end: the same call once more is left out, another one gets a new id.
 */
export class Assembler extends BlockQueue<ReplyItem> {
  /** All that have come. */
  readonly items: ReplyItem[] = [];
  /** Those that have left. */
  readonly #callsById = new Map<string, ReplyItem>();

  /** The item is last in line. */
  open(key: ItemKey): ReplyItem {
    const item = this.add(new ReplyItem(key));
    this.items.push(item);
    return item;
  }

  protected override mayStart({ name, callId }: ReplyItem): boolean {
    return name !== '' && callId !== '' && !this.#callsById.has(callId);
  }

  protected override endCall(call: ReplyItem): void {
    if (call.name !== '' && call.contradicted) this.calls.drop(call, 'its arguments came twice and differ');
    else if (call.started || !this.#cameBefore(call)) super.endCall(call);
    if (call.started && !this.#callsById.has(call.callId)) this.#callsById.set(call.callId, call);
  }

  /** Whether a call is one that has left already. */
  #cameBefore({ callId, name, text, gate }: ReplyItem): boolean {
    const other = this.#callsById.get(callId);
    if (other?.name !== name || other.text !== text || gate.end().kind === 'broken') return false;
    const message = `The call of ${quoteName(name)} came twice; one of them counts.`;
    this.writer.warning({ code: 'id-repaired', message });
    return true;
  }
}
