import type { AssistantMessage, Message, ToolCallPart, ToolMessage } from '../chat/message.ts';
import type { ToolCall } from '../chat/tool.ts';
import type { CallIdForm } from './call-id-forms.ts';

/** How an upstream wants past calls written. */
export interface Expression {
  readonly form: CallIdForm;
  /** The id that this upstream itself issued for a call, where we know it. */
  readonly ownIdOf: (call: Pick<ToolCall, 'callId' | 'name'>) => string | undefined;
  /** A tool's name as the upstream takes it. */
  readonly nameOf: (name: string) => string;
}

/**
 * The history with ids and names of calls as the upstream takes them. What it issued itself goes back untouched; any
 * other id that it would not take is written anew, the same in every request. No id stands on two calls, except one that
 * the upstream itself uses in several turns. Call and result always share theirs: results come right after their calls,
 * as `repairHistory` puts them. The same array if nothing changes; the input is never changed.
 */
export function expressCalls(messages: readonly Message[], expression: Expression): readonly Message[] {
  if (!messages.some(({ role }) => role === 'assistant' || role === 'tool')) return messages;
  const ids = new ChosenIds(expression);
  let turn: Turn | undefined;
  let changed = false;
  const expressed = messages.map((message): Message => {
    let written: Message = message;
    if (message.role === 'assistant') {
      turn = new Turn();
      written = expressTurn(message, { expression, ids, turn });
    } else if (message.role === 'tool') written = expressResult(message, { expression, turn });
    changed ||= written !== message;
    return written;
  });
  return changed ? expressed : messages;
}

/** The ids of one assistant message. */
class Turn {
  readonly ids = new Set<string>();
  /** By the id that the client knows: the calls that have it, in order, and how many of them have their result. */
  readonly #calls = new Map<string, { readonly ids: string[]; answered: number }>();

  add(callId: string, id: string): void {
    this.ids.add(id);
    const calls = this.#calls.get(callId);
    if (calls === undefined) this.#calls.set(callId, { ids: [id], answered: 0 });
    else calls.ids.push(id);
  }

  /** The id for the next result that names this call. */
  answer(callId: string): string | undefined {
    const calls = this.#calls.get(callId);
    if (calls === undefined) return undefined;
    const id = calls.ids[Math.min(calls.answered, calls.ids.length - 1)];
    calls.answered += 1;
    return id;
  }
}

/** The ids that the calls of one request have got. */
class ChosenIds {
  readonly #expression: Expression;
  readonly #used = new Set<string>();
  /** How many ids have been made for one of the client's: many calls may share one. */
  readonly #made = new Map<string, number>();

  constructor(expression: Expression) {
    this.#expression = expression;
  }

  choose({ callId, name }: ToolCallPart, turn: Turn): string {
    const { form, ownIdOf, nameOf } = this.#expression;
    const known = nameOf(name);
    const own = ownIdOf({ callId, name });
    let id: string;
    if (own !== undefined && form.trustsOwn && !turn.ids.has(own)) id = own;
    else if (own !== undefined && form.fits(own, known) && !this.#used.has(own)) id = own;
    else if (form.fits(callId, known) && !this.#used.has(callId)) id = callId;
    else id = this.#make({ callId, name: known });
    this.#used.add(id);
    form.chosen?.(id);
    turn.add(callId, id);
    return id;
  }

  #make(call: { readonly callId: string; readonly name: string }): string {
    for (let attempt = this.#made.get(call.callId) ?? 0; ; attempt += 1) {
      const id = this.#expression.form.make(call, attempt);
      if (this.#used.has(id)) continue;
      this.#made.set(call.callId, attempt + 1);
      return id;
    }
  }
}

function expressTurn(
  message: AssistantMessage,
  { expression, ids, turn }: { readonly expression: Expression; readonly ids: ChosenIds; readonly turn: Turn },
): AssistantMessage {
  let changed = false;
  const content = message.content.map((part) => {
    if (part.type !== 'tool-call') return part;
    const callId = ids.choose(part, turn);
    const name = expression.nameOf(part.name);
    if (callId === part.callId && name === part.name) return part;
    changed = true;
    return { ...part, callId, name };
  });
  return changed ? { ...message, content } : message;
}

function expressResult(
  message: ToolMessage,
  { expression, turn }: { readonly expression: Expression; readonly turn: Turn | undefined },
): ToolMessage {
  const callId = turn?.answer(message.callId) ?? message.callId;
  const name = message.name === undefined ? undefined : expression.nameOf(message.name);
  if (callId === message.callId && name === message.name) return message;
  return { ...message, callId, ...(name === undefined ? {} : { name }) };
}
