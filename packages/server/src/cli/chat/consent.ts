import type { Proposal, Verdict } from '@dragoman/agent';
import type { ConversationView } from './conversation-view.ts';
import type { Keyboard } from './keyboard.ts';
import { Prose } from './prose.ts';
import type { Screen } from './screen.ts';

export interface ConsentOptions {
  readonly screen: Screen;
  readonly view: ConversationView;
  readonly keyboard: Keyboard;
  /** All is allowed from the beginning. */
  readonly always: boolean;
  /** Its person wants none of it any more: Ctrl-C in place of an answer. */
  readonly cancel: () => void;
}

/** Shows what the model wants to do, and asks for it. What was allowed is shown, too. */
export class Consent {
  readonly #options: ConsentOptions;
  #always: boolean;
  /** The chat whose changes are all allowed. */
  #chat: string | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ConsentOptions) {
    this.#options = options;
    this.#always = options.always;
  }

  /** Whether the changes of a chat are made without asking. */
  approvesAll(chatId: string): boolean {
    return this.#always || this.#chat === chatId;
  }

  askAgain(): void {
    this.#always = false;
    this.#chat = undefined;
  }

  /** One after the other: calls that run side by side may each have to be allowed. */
  ask(
    proposal: Proposal,
    { signal, chatId }: { readonly signal: AbortSignal; readonly chatId: string },
  ): Promise<Verdict> {
    const asked = this.#last.then(async (): Promise<Verdict> => {
      signal.throwIfAborted();
      const hidesSome = !this.#options.view.propose(proposal, { isWhole: false });
      const isCall = proposal.kind === 'call';
      if (this.#always || (!isCall && this.approvesAll(chatId))) return 'approve';
      const verdict = await this.#question({ proposal, hidesSome, signal });
      // Changes are shown nevertheless, so whoever allows all of them is asked here, and not by the session.
      if (verdict !== 'approve-all' || isCall) return verdict;
      this.#chat = chatId;
      return 'approve';
    });
    this.#last = asked.catch(() => {});
    return asked;
  }

  /** Asks until one of the answers comes: nothing else that is typed, or was typed before, is one. */
  async #question({
    proposal,
    hidesSome,
    signal,
  }: {
    readonly proposal: Proposal;
    readonly hidesSome: boolean;
    readonly signal: AbortSignal;
  }): Promise<Verdict> {
    const { screen, view, keyboard, cancel } = this.#options;
    for (let isCut = hidesSome; ; ) {
      screen.gap();
      this.#choices(proposal.kind === 'call', isCut);
      const typed = await keyboard.ask({ sign: `  ${screen.paint(['bold', 'yellow'], '›')} `, signal });
      if (typed === 'interrupt' || typed === 'end') {
        cancel();
        return 'reject';
      }
      switch (typed.text.trim().toLowerCase()) {
        case 'y':
        case 'yes':
          return 'approve';
        case 'n':
        case 'no':
          return 'reject';
        case 'a':
        case 'all':
          return 'approve-all';
        case 'v':
        case 'view':
          view.propose(proposal, { isWhole: true });
          isCut = false;
          break;
        default:
          screen.line(screen.paint('dim', '  Nothing is done before you answer.'));
      }
    }
  }

  #choices(isCall: boolean, isCut: boolean): void {
    const line = new Prose(this.#options.screen);
    line.begin({ text: '  ' });
    line.write({ text: isCall ? 'Allow this call? ' : 'Make this change? ' });
    const choices: readonly (readonly [key: string, means: string])[] = [
      ['y', 'yes'],
      ['n', 'no'],
      ['a', isCall ? 'all of this tool' : 'all in this chat'],
      ...(isCut ? [['v', 'view all of it'] as const] : []),
    ];
    for (const [key, means] of choices) {
      line.write({ text: ` ${key}`, look: 'bold' });
      line.write({ text: ` ${means} `, look: 'dim' });
    }
    line.end();
  }
}
