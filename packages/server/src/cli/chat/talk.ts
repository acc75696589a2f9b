import { homedir } from 'node:os';
import type { AgentEvent, TaskEnd, TaskRequest } from '@dragoman/agent';
import { didYouMean } from '../../config/nearest-name.ts';
import { CommandError, type Terminal } from '../terminal.ts';
import { asCommandError, type ChatChoice, type ChatHost, type ChatPerson } from './chat-host.ts';
import { Consent } from './consent.ts';
import { ConversationView } from './conversation-view.ts';
import { Keyboard } from './keyboard.ts';
import { exitCodes } from './print-answer.ts';
import { Prose, report } from './prose.ts';
import { Screen, shown } from './screen.ts';
import { type CommandContext, compactionNote, completeCommand, slashCommands } from './slash-commands.ts';

export interface TalkOptions {
  readonly terminal: Terminal;
  readonly choice: ChatChoice;
  /** All that the model wants to change is allowed. */
  readonly approvesAll: boolean;
  readonly open: (person: ChatPerson) => Promise<ChatHost>;
}

/** Chats whose questions the arrow keys bring back. */
const remembered = 10;
const sign = '› ';

/** A chat with a person at the keyboard, until they leave. Returns the exit code. */
export async function talk({ terminal, choice, approvesAll, open }: TalkOptions): Promise<number> {
  const screen = new Screen(terminal.stdout, terminal.env);
  const keyboard = new Keyboard(terminal.stdin, screen);
  try {
    const talking = new Talk({ terminal, screen, keyboard, approvesAll });
    const host = await open(talking.consent);
    await host.choose(choice);
    return await talking.run(host);
  } finally {
    screen.quiet();
    keyboard.close();
  }
}

interface TalkParts {
  readonly terminal: Terminal;
  readonly screen: Screen;
  readonly keyboard: Keyboard;
  readonly approvesAll: boolean;
}

class Talk {
  readonly consent: Consent;
  readonly #terminal: Terminal;
  readonly #screen: Screen;
  readonly #keyboard: Keyboard;
  readonly #view: ConversationView;
  /** What was asked, the newest first. */
  #history: string[] = [];
  /** Gives up what runs. */
  #cancel = () => {};
  /** `over`: its person has said so; `gone`: they have left in the middle of something. */
  #state: 'there' | 'over' | 'gone' = 'there';
  #leave = () => {};

  constructor({ terminal, screen, keyboard, approvesAll: always }: TalkParts) {
    this.#terminal = terminal;
    this.#screen = screen;
    this.#keyboard = keyboard;
    this.#view = new ConversationView(screen);
    this.consent = new Consent({ screen, view: this.#view, keyboard, always, cancel: () => this.#cancel() });
  }

  async run(host: ChatHost): Promise<number> {
    const gone = new Promise<void>((resolve) => {
      this.#leave = () => {
        this.#state = 'gone';
        this.#cancel();
        resolve();
      };
    });
    this.#terminal.onStop(() => this.#leave());
    this.#terminal.onHangUp(() => this.#leave());
    await this.#greet(host);
    this.#history = await questionsOf(host);
    await Promise.race([this.#turns(host), gone]);
    return this.#isGone ? exitCodes.cancelled : exitCodes.answer;
  }

  get #isGone(): boolean {
    return this.#state === 'gone';
  }

  async #turns(host: ChatHost): Promise<void> {
    let interrupts = 0;
    while (this.#state === 'there') {
      const typed = await this.#keyboard.ask({
        sign: this.#screen.paint(['bold', this.consent.approvesAll(host.session.chat.id) ? 'yellow' : 'cyan'], sign),
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
      if (!this.#isGone) this.#screen.gap();
    }
  }

  /** A command, or what is sent to the model. What goes wrong with it is told, and the chat goes on. */
  async #take(host: ChatHost, text: string): Promise<void> {
    try {
      if (text.startsWith('/')) await this.#command(host, text);
      else await this.#answer(host, (request) => host.send(text.trim(), request));
    } catch (thrown) {
      const { message } = asCommandError(thrown);
      this.#view.end(undefined);
      report(this.#screen, message, 'yellow');
    }
  }

  async #command(host: ChatHost, text: string): Promise<void> {
    const [name = '', ...words] = text.slice(1).trim().split(' ');
    const command = slashCommands.find((each) => each.name === name);
    if (command !== undefined) return command.run(this.#contextOf(host), words.join(' ').trim());
    const names = slashCommands.map((each) => `/${each.name}`);
    throw new CommandError(
      `There is no command /${name}${didYouMean(`/${name}`, names) || '.'} /help lists them; a space in front sends it to the model.`,
    );
  }

  #contextOf(host: ChatHost): CommandContext {
    return {
      host,
      screen: this.#screen,
      cwd: this.#terminal.cwd,
      work: (task) => this.#work(task),
      send: (text) => this.#answer(host, (request) => host.send(text, request)),
      retry: (at, text) =>
        this.#answer(host, (request) =>
          host.session.retry(at, { ...host.request, ...request, ...(text === undefined ? {} : { text }) }),
        ),
      askAgain: () => {
        this.consent.askAgain();
        host.session.askAgain();
      },
      showChat: () => this.#showChat(host),
      leave: () => {
        this.#state = 'over';
      },
    };
  }

  async #answer(
    host: ChatHost,
    ask: (request: Required<Pick<TaskRequest, 'signal' | 'emit'>>) => Promise<TaskEnd>,
  ): Promise<void> {
    await this.#work(async (signal) => {
      const before = host.session.chat.compaction;
      let isCompacting = false;
      this.#screen.gap();
      this.#view.start(host.model);
      const emit = (event: AgentEvent) => {
        if (this.#isGone) return;
        const { chat } = host.session;
        if (event.type === 'compacting') isCompacting = true;
        else if (isCompacting && chat.compaction !== before) {
          this.#view.note(compactionNote(chat), 'dim');
          isCompacting = false;
        }
        this.#view.emit(event);
      };
      const end = await ask({ emit, signal });
      if (!this.#isGone) this.#view.end(host.endOf(end));
    });
  }

  /** While it runs, Ctrl-C cancels it, and a second one leaves. */
  async #work(task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const control = new AbortController();
    this.#cancel = () => control.abort();
    const unwatch = this.#keyboard.watch(() => {
      if (control.signal.aborted) this.#leave();
      else control.abort();
    });
    try {
      await task(control.signal);
    } finally {
      this.#cancel = () => {};
      unwatch();
    }
  }

  async #greet(host: ChatHost): Promise<void> {
    const { model, place, vault } = host;
    const rules = (await host.rules()) === undefined ? [] : ['rules of AGENTS.md'];
    const { length } = host.ownTools;
    const own = length === 0 ? [] : [`${length} more tool${length === 1 ? '' : 's'}`];
    const below = [tilde(vault.root), ...rules, ...own, '/help shows what you can do'];
    this.#screen.gap();
    const title = new Prose(this.#screen);
    title.write({ text: 'dragoman chat', look: 'bold' });
    title.write({ text: `  ·  ${model} at ${place.urlOf(model)}`, look: 'dim' });
    title.end();
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
