import type { ChatEvent } from '../../chat/event.ts';
import type { ReplyContext } from '../wire.ts';
import { wireId } from './types.ts';

/** Tells, once for each kind, what a reply holds and this API has no place for. It is left out. */
export class Unsaid {
  readonly #report: ReplyContext['report'];
  readonly #told = new Set<string>();

  constructor({ report }: ReplyContext) {
    this.#report = report;
  }

  see(event: ChatEvent): void {
    if (event.type === 'reasoning-start') this.drop('Reasoning');
    else if (event.type === 'tool-call-start') this.drop('A call of a tool');
  }

  drop(what: string): void {
    if (this.#told.has(what)) return;
    this.#told.add(what);
    this.#report?.({ code: 'field-dropped', message: `${what} in a reply can't be said in ${wireId}.` });
  }
}
