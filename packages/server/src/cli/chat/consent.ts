import type { Decision } from '@dragoman/agent';
import { CommandError } from '../terminal.ts';
import type { AskInChat, ChatPerson } from './chat-host.ts';
import type { ConversationView } from './conversation-view.ts';
import type { Keyboard } from './keyboard.ts';
import type { AskForScript } from './open-tools.ts';
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
export class Consent implements ChatPerson {
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
  readonly ask: AskInChat = (proposal, { signal, chatId }) => {
    const asked = this.#last.then(async (): Promise<Decision> => {
      signal.throwIfAborted();
      const { view, cancel } = this.#options;
      const hidesSome = !view.propose(proposal, { isWhole: false });
      const isCall = proposal.kind === 'call';
      if (this.#always || (!isCall && this.approvesAll(chatId))) return 'approve';
      const decision = await this.#question({
        words: isCall ? 'Allow this call?' : 'Make this change?',
        all: isCall ? 'all of this tool' : 'all in this chat',
        ...(hidesSome && { showWhole: () => view.propose(proposal, { isWhole: true }) }),
        signal,
      });
      if (decision === 'interrupted') cancel();
      // Changes are shown nevertheless, so whoever allows all of them is asked here, and not by the session.
      if (decision !== 'approve-all' || isCall) return decision === 'interrupted' ? 'reject' : decision;
      this.#chat = chatId;
      return 'approve';
    });
    this.#last = asked.catch(() => {});
    return asked;
  };

  /** Whether a script may run. Rejects with CommandError when its person wants none of it. */
  readonly askForScript: AskForScript = async (script) => {
    const { view } = this.#options;
    const hidesSome = !view.showScript(script, { isWhole: false });
    const decision = await this.#question({
      words: 'Allow it to run?',
      ...(hidesSome && { showWhole: () => view.showScript(script, { isWhole: true }) }),
    });
    if (decision === 'interrupted') throw new CommandError('Cancelled.');
    return decision === 'approve';
  };

  /** Asks until one of the answers comes: nothing else that is typed, or was typed before, is one. */
  async #question({ words, all, showWhole, signal }: Question): Promise<Decision | 'interrupted'> {
    const { screen, keyboard } = this.#options;
    for (let isCut = showWhole !== undefined; ; ) {
      screen.gap();
      this.#choices(words, [
        ['y', 'yes'],
        ['n', 'no'],
        ...(all === undefined ? [] : [['a', all] as const]),
        ...(isCut ? [['v', 'view all of it'] as const] : []),
      ]);
      const sign = `  ${screen.paint(['bold', 'yellow'], '›')} `;
      const typed = await keyboard.ask({ sign, ...(signal !== undefined && { signal }) });
      if (typed === 'interrupt' || typed === 'end') return 'interrupted';
      const answer = typed.text.trim().toLowerCase();
      if (answer === 'y' || answer === 'yes') return 'approve';
      if (answer === 'n' || answer === 'no') return 'reject';
      if (all !== undefined && (answer === 'a' || answer === 'all')) return 'approve-all';
      if (showWhole !== undefined && (answer === 'v' || answer === 'view')) {
        showWhole();
        isCut = false;
      } else screen.line(screen.paint('dim', '  Nothing is done before you answer.'));
    }
  }

  #choices(words: string, choices: readonly (readonly [key: string, means: string])[]): void {
    const line = new Prose(this.#options.screen);
    line.begin({ text: '  ' });
    line.write({ text: `${words} ` });
    for (const [key, means] of choices) {
      line.write({ text: ` ${key}`, look: 'bold' });
      line.write({ text: ` ${means} `, look: 'dim' });
    }
    line.end();
  }
}

interface Question {
  readonly words: string;
  /** What `a` means; without it there is none. */
  readonly all?: string;
  /** Shows what was too long. */
  readonly showWhole?: () => void;
  readonly signal?: AbortSignal;
}
