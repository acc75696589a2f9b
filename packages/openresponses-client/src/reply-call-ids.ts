import type { ResponsesRequest } from './request-types.ts';

/** The longest id of a call that OpenResponses takes. */
const longestId = 64;

/** The ids of the calls of one answer: the server's own, unless an earlier call has one already. Some count from zero in every turn. */
export class ReplyCallIds {
  readonly #taken: Set<string>;

  constructor({ input }: ResponsesRequest) {
    const items = Array.isArray(input) ? input : [];
    this.#taken = new Set(items.flatMap((item) => (item.type === 'function_call' ? [item.call_id] : [])));
  }

  claim(_: string, id: string): string {
    let own = id.slice(0, longestId);
    for (let count = 2; own === '' || this.#taken.has(own); count += 1) {
      const end = `_${count}`;
      own = (id === '' ? 'call' : id).slice(0, longestId - end.length) + end;
    }
    this.#taken.add(own);
    return own;
  }
}
