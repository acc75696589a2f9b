import { homedir } from 'node:os';
import type { AgentEvent, AskConsent, Proposal, TaskEnd, Verdict } from '@dragoman/agent';
import { didYouMean } from '../../config/nearest-name.ts';
import { CommandError, type Terminal } from '../terminal.ts';
import type { ChatFlags } from './chat.ts';
import { asCommandError, type ChatHost } from './chat-host.ts';
import { ConversationView } from './conversation-view.ts';
import { Keyboard } from './keyboard.ts';
import { exitCodes } from './print-answer.ts';
import { Prose, tell } from './prose.ts';
import { Screen, shown } from './screen.ts';
import { type CommandContext, compactionNote, completeCommand, slashCommands } from './slash-commands.ts';

export interface TalkOptions {
  readonly terminal: Terminal;
  readonly flags: ChatFlags;
  readonly open: (ask: AskConsent) => Promise<ChatHost>;
}

/** A chat with a person at the keyboard, until they leave. Returns the exit code. */
export async function talk({ terminal, flags, open }: TalkOptions): Promise<number> {
  const screen = new Screen(terminal.stdout, terminal.env);
  const talking = new Talk({ terminal, screen, approvesAll: flags.approveAll === true });
  const host = await open(talking.ask);
  await host.choose(flags);
  return talking.run(host);
}

/** Chats whose questions the arrow keys bring back. */
const remembered = 10;
const sign = '› ';

class Talk {
  readonly #terminal: Terminal;
  readonly #screen: Screen;
  readonly #view: ConversationView;
  readonly #approvesAll: boolean;
  #keyboard: Keyboard | undefined;
  #history: string[] = [];
  /** Gives up what runs. */
  #cancel: (() => void) | undefined;
  #unwatch = () => {};
  /** Nobody is there any more, whatever still runs. */
  #hasLeft = false;
  #leave = () => {};
  /** Its person has said so. */
  #isOver = false;
  #asking: Promise<unknown> = Promise.resolve();

  constructor({
    terminal,
    screen,
    approvesAll,
  }: { readonly terminal: Terminal; readonly screen: Screen; readonly approvesAll: boolean }) {
    this.#terminal = terminal;
    this.#screen = screen;
    this.#approvesAll = approvesAll;
    this.#view = new ConversationView(screen, '');
  }

  /** One after the other: calls that run side by side may each have to be allowed. */
  readonly ask: AskConsent = (proposal, { signal }) => {
    const asked = this.#asking.then(async (): Promise<Verdict> => {
      signal.throwIfAborted();
      const isWhole = this.#view.propose(proposal, { isWhole: this.#approvesAll });
      return this.#approvesAll ? 'approve-all' : this.#consent(proposal, { isWhole, signal });
    });
    this.#asking = asked.catch(() => {});
    return asked;
  };

  async run(host: ChatHost): Promise<number> {
    const keyboard = new Keyboard(this.#terminal.stdin, this.#screen);
    this.#keyboard = keyboard;
    const left = new Promise<void>((resolve) => {
      this.#leave = () => {
        this.#hasLeft = true;
        this.#cancel?.();
        resolve();
      };
    });
    this.#terminal.onStop(() => this.#leave());
    try {
      await this.#greet(host);
      this.#history = await questionsOf(host);
      await Promise.race([this.#turns(host, keyboard), left]);
      return this.#hasLeft ? exitCodes.cancelled : exitCodes.answer;
    } finally {
      this.#unwatch();
      this.#screen.quiet();
      keyboard.close();
    }
  }

  async #turns(host: ChatHost, keyboard: Keyboard): Promise<void> {
    let interrupts = 0;
    while (!this.#hasLeft && !this.#isOver) {
      const typed = await keyboard.ask({
        sign: this.#sign(host.session.approvesAll ? 'yellow' : 'cyan'),
        furtherSign: this.#screen.paint('dim', '… '),
        history: this.#history,
        complete: completeCommand,
        takesTyped: true,
      });
      if (typed === 'end') return;
      if (typed === 'interrupt') {
        interrupts += 1;
        if (interrupts > 1) return;
        this.#screen.line(this.#screen.paint('dim', '  Ctrl-C once more, or Ctrl-D, leaves.'));
        continue;
      }
      interrupts = 0;
      const { text } = typed;
      if (text.trim() === '') continue;
      this.#history = [text, ...this.#history.filter((each) => each !== text)];
      await this.#take(host, text);
      this.#screen.gap();
    }
  }

  /** A command, or what is sent to the model. What goes wrong with it is told, and the chat goes on. */
  async #take(host: ChatHost, text: string): Promise<void> {
    try {
      if (!text.startsWith('/')) {
        await this.#answer(host, ({ emit, signal }) => host.send(text.trim(), { emit, signal }));
        return;
      }
      const [name = '', ...words] = text.slice(1).trim().split(' ');
      const command = slashCommands.find((each) => each.name === name);
      if (command === undefined) {
        const guess = didYouMean(
          name,
          slashCommands.map((each) => each.name),
        );
        throw new CommandError(
          `There is no command /${name}${guess === '' ? '.' : guess} /help lists them; a space in front sends it to the model.`,
        );
      }
      await command.run(this.#contextOf(host), words.join(' ').trim());
    } catch (thrown) {
      const { message } = asCommandError(thrown);
      this.#view.end(undefined);
      tell(this.#screen, message, 'yellow');
    }
  }

  #sign(look: 'yellow' | 'cyan'): string {
    return this.#screen.paint(['bold', look], sign);
  }

  #contextOf(host: ChatHost): CommandContext {
    return {
      host,
      screen: this.#screen,
      view: this.#view,
      cwd: this.#terminal.cwd,
      work: (task) => this.#work(task),
      retry: (at, text) =>
        this.#answer(host, (request) =>
          host.session.retry(at, { ...host.request, ...request, ...(text === undefined ? {} : { text }) }),
        ),
      showChat: () => this.#showChat(host),
      leave: () => {
        this.#isOver = true;
      },
    };
  }

  async #answer(
    host: ChatHost,
    ask: (request: { readonly emit: (event: AgentEvent) => void; readonly signal: AbortSignal }) => Promise<TaskEnd>,
  ): Promise<void> {
    await this.#work(async (signal) => {
      const before = host.session.chat.compaction;
      let isCompacting = false;
      this.#screen.gap();
      this.#view.start(host.model);
      this.#screen.status(`waiting for ${host.model}`);
      const emit = (event: AgentEvent) => {
        if (this.#hasLeft) return;
        const { chat } = host.session;
        if (event.type === 'compacting') isCompacting = true;
        else if (isCompacting && chat.compaction !== before) {
          this.#view.note(compactionNote(chat), 'dim');
          isCompacting = false;
        }
        this.#view.emit(event);
      };
      const end = await ask({ emit, signal });
      if (!this.#hasLeft) this.#view.end(host.endOf(end));
    });
  }

  /** While it runs, Ctrl-C cancels it, and a second one leaves. */
  async #work(task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const control = new AbortController();
    this.#cancel = () => control.abort();
    this.#watch();
    try {
      await task(control.signal);
    } finally {
      this.#cancel = undefined;
      this.#unwatch();
      this.#unwatch = () => {};
    }
  }

  #watch(): void {
    const keyboard = this.#keyboard;
    if (keyboard === undefined) return;
    let interrupts = 0;
    this.#unwatch = keyboard.watch(() => {
      interrupts += 1;
      if (interrupts > 1) this.#leave();
      else this.#cancel?.();
    });
  }

  /** Asks until one of the answers comes: nothing else that is typed, or was typed before, is one. */
  async #consent(
    proposal: Proposal,
    { isWhole, signal }: { readonly isWhole: boolean; readonly signal: AbortSignal },
  ): Promise<Verdict> {
    const keyboard = this.#keyboard;
    if (keyboard === undefined) return 'reject';
    const isCall = proposal.kind === 'call';
    this.#unwatch();
    try {
      for (let hidesSome = !isWhole; ; ) {
        this.#screen.gap();
        const question = new Prose(this.#screen);
        question.begin({ text: '  ' });
        question.write({ text: isCall ? 'Allow this call? ' : 'Make this change? ' });
        for (const [key, means] of [
          ['y', 'yes'],
          ['n', 'no'],
          ['a', isCall ? 'all of this tool' : 'all in this chat'],
          ...(hidesSome ? ([['v', 'view all of it']] as const) : []),
        ] as const) {
          question.write({ text: ` ${key}`, look: 'bold' });
          question.write({ text: ` ${means} `, look: 'dim' });
        }
        question.end();
        const typed = await keyboard.ask({ sign: `  ${this.#sign('yellow')}`, signal });
        if (typed === 'interrupt' || typed === 'end') {
          this.#cancel?.();
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
            this.#view.propose(proposal, { isWhole: true });
            hidesSome = false;
            break;
          default:
            this.#screen.line(this.#screen.paint('dim', '  Nothing is done before you answer.'));
        }
      }
    } finally {
      this.#watch();
    }
  }

  async #greet(host: ChatHost): Promise<void> {
    const { model, place, vault } = host;
    const rules = (await host.rules()) === undefined ? [] : ['rules of AGENTS.md'];
    const title = new Prose(this.#screen);
    title.write({ text: 'dragoman chat', look: 'bold' });
    title.write({ text: `  ·  ${model} at ${place.url}`, look: 'dim' });
    title.end();
    const below = [tilde(vault.root), ...rules, '/help shows what you can do'];
    title.write({ text: below.join('  ·  '), look: 'dim' });
    title.end();
    this.#screen.gap();
    if (host.session.chat.messages.length > 0) this.#showChat(host);
  }

  /** The last question and what came of it. */
  #showChat(host: ChatHost): void {
    const { messages, title } = host.session.chat;
    const from = Math.max(
      0,
      messages.findLastIndex(({ role }) => role === 'user'),
    );
    if (from > 0) this.#screen.line(this.#screen.paint('dim', `${shown(title)}, ${from} earlier messages`));
    this.#screen.gap();
    this.#view.start(host.model);
    this.#view.replay(messages.slice(from), this.#screen.paint('dim', sign));
  }
}

async function questionsOf(host: ChatHost): Promise<string[]> {
  const asked: string[] = [];
  for (const { id } of (await host.chats()).slice(0, remembered)) {
    const chat = await host.store.open(id).catch(() => undefined);
    const own = (chat?.messages ?? []).flatMap(({ role, content }) => (role === 'user' ? [content] : []));
    asked.push(...own.reverse());
  }
  return [...new Set(asked)];
}

/** A path as people write it. */
function tilde(path: string): string {
  const home = homedir();
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
