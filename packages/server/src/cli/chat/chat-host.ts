import { createHash } from 'node:crypto';
import { basename, join, resolve } from 'node:path';
import {
  type Chat,
  ChatError,
  ChatStore,
  contextOf,
  type Decision,
  endText,
  type ListedChat,
  type PromptSources,
  type Proposal,
  Session,
  type TaskEnd,
  type TaskRequest,
  type Tool,
} from '@dragoman/agent';
import { stateFolder } from '../state-folder.ts';
import { CommandError, type Terminal } from '../terminal.ts';
import { type ModelPlace, modelNamed } from './find-server.ts';
import { FolderVault, whyNoFolder } from './folder-vault.ts';
import { NodeFiles } from './node-files.ts';
import type { AskForScript } from './open-tools.ts';

/** Which chat is meant. Nothing: a new one. */
export interface ChatChoice {
  /** The one that was used last in this folder. */
  readonly continue?: true;
  /** An id, or the beginning of one. */
  readonly resume?: string;
}

/** Asks a person about what the model wants to do in a chat. */
export type AskInChat = (
  proposal: Proposal,
  options: { readonly signal: AbortSignal; readonly chatId: string },
) => Promise<Decision>;

/** Who is asked. */
export interface ChatPerson {
  readonly ask: AskInChat;
  readonly askForScript: AskForScript;
}

export interface HostOptions {
  readonly terminal: Terminal;
  readonly folder: string;
  readonly place: ModelPlace;
  readonly model?: string;
  /** Tokens, where a person says it. */
  readonly contextWindow?: number;
  readonly ask: AskInChat;
  /** Of scripts and MCP servers. */
  readonly tools: readonly Tool[];
}

/** Instructions for agents, as many projects have them. */
const rulesFile = 'AGENTS.md';

/** The chats over one folder: which one is open, what it is asked with, and where all of them are kept. */
export class ChatHost {
  readonly place: ModelPlace;
  readonly vault: FolderVault;
  readonly store: ChatStore;
  readonly #files: NodeFiles;
  readonly #options: HostOptions;
  #session: Session;
  #model: string;

  private constructor(options: HostOptions, vault: FolderVault) {
    this.#options = options;
    this.place = options.place;
    this.vault = vault;
    this.#files = new NodeFiles(chatsFolder(options.terminal, vault.root));
    this.store = new ChatStore({ files: this.#files });
    this.#model = modelNamed(options.place, options.model);
    this.#session = this.#sessionOf(this.store.create({ model: this.#model }));
  }

  /** Rejects with CommandError for what is no folder, or a model that is not there. */
  static async open(options: HostOptions): Promise<ChatHost> {
    const folder = resolve(options.terminal.cwd, options.folder);
    const vault = await FolderVault.open(folder).catch((thrown: unknown): never => {
      throw new CommandError(`${options.folder} cannot be worked on: ${whyNoFolder(thrown)}.`);
    });
    return new ChatHost(options, vault);
  }

  get session(): Session {
    return this.#session;
  }

  /** Of the tools those that are not ours. */
  get ownTools(): readonly Tool[] {
    return this.#options.tools;
  }

  get model(): string {
    return this.#model;
  }

  /** Asks another model from now on in this chat. Rejects with CommandError for one that is not there. */
  async changeModel(wanted: string): Promise<void> {
    this.#model = modelNamed(this.place, wanted);
    const { settings } = this.#session.chat;
    // A session of its own: the window is another.
    this.#session = this.#sessionOf(await this.#session.update({ settings: { ...settings, model: this.#model } }));
  }

  /** Opens the chat that is meant. Rejects with CommandError where there is none, and with ChatError for a damaged one. */
  async choose({ continue: newest, resume }: ChatChoice): Promise<void> {
    if (newest !== true && resume === undefined) return;
    const listed = await this.chats();
    const found = resume === undefined ? listed.slice(0, 1) : listed.filter(({ id }) => id.startsWith(resume));
    const [only, another] = found;
    if (only === undefined) {
      throw new CommandError(
        resume === undefined
          ? `There is no chat over ${this.vault.root} yet.`
          : `There is no chat ${JSON.stringify(resume)} over ${this.vault.root}.`,
      );
    }
    if (another !== undefined && only.id !== resume) {
      throw new CommandError(
        `Several chats begin with ${JSON.stringify(resume)}: ${found.map(({ id }) => id).join(', ')}.`,
      );
    }
    await this.openChat(only.id);
  }

  /** The chats over this folder that can be opened, the one that was used last first. */
  async chats(): Promise<readonly ListedChat[]> {
    return (await this.store.list()).filter(({ fault }) => fault === undefined);
  }

  async openChat(id: string): Promise<void> {
    const chat = await this.store.open(id);
    const { model } = chat.settings;
    // What is said on the command line counts more, and a model that has gone leaves the chat as it is.
    const isThere = this.place.models.some(({ id: each }) => each === model);
    if (model !== undefined && isThere && this.#options.model === undefined) this.#model = model;
    this.#session = this.#sessionOf(chat);
  }

  /** Deletes a chat. Of the open one, a new one begins. */
  async deleteChat(id: string): Promise<void> {
    await this.store.delete(id);
    if (this.#session.chat.id === id) this.newChat();
  }

  newChat(): void {
    this.#session = this.#sessionOf(this.store.create({ model: this.#model }));
  }

  /** Begins a new chat as the open one does, up to a message. */
  async branch(at: number): Promise<void> {
    this.#session = this.#sessionOf(await this.store.branch(this.#session.chat, at));
  }

  send(text: string, request: Pick<TaskRequest, 'signal' | 'emit'>): Promise<TaskEnd> {
    return this.#session.send(text, { ...this.request, ...request });
  }

  /** What a person reads of the end of a task; undefined where the answer says all. */
  endOf(end: TaskEnd): string | undefined {
    return endText(end, { server: this.place.urlOf(this.#model), model: this.#model });
  }

  /** What each task is asked with. */
  get request(): Pick<TaskRequest, 'model' | 'settings'> {
    return { model: this.place.direct, settings: { model: this.#model } };
  }

  /** The instructions for agents that are in the folder. */
  async rules(): Promise<string | undefined> {
    try {
      const found = await this.vault.stat(rulesFile);
      return found?.kind === 'file' ? await this.vault.read(rulesFile) : undefined;
    } catch {
      // A link out, or no text.
      return undefined;
    }
  }

  #sessionOf(chat: Chat): Session {
    const { ask, contextWindow, place, tools } = this.#options;
    const window = contextWindow ?? place.models.find(({ id }) => id === this.#model)?.contextWindow;
    return new Session({
      chat,
      store: this.store,
      files: this.#files,
      vault: this.vault,
      ask: (proposal, { signal }) => ask(proposal, { signal, chatId: chat.id }),
      tools,
      sources: () => this.#sources(),
      ...(window === undefined ? {} : { budgets: { context: contextOf(window) } }),
    });
  }

  async #sources(): Promise<PromptSources> {
    const rules = await this.rules();
    const today = new Date().toLocaleDateString('en-CA');
    return {
      charter: `You are a careful assistant in a terminal, for the files of the folder "${basename(this.vault.root)}". Today is ${today}.`,
      ...(rules === undefined ? {} : { rules }),
    };
  }
}

/** Each folder has its chats in a folder of ours, not among its files. */
function chatsFolder(terminal: Terminal, root: string): string {
  const digest = createHash('sha256').update(root).digest('hex').slice(0, 12);
  const name = basename(root)
    .replaceAll(/[^\w.-]+/g, '-')
    .slice(0, 40);
  return join(stateFolder(terminal), 'chats', `${name}-${digest}`);
}

/** What a person can do something about: a chat, or a file of ours or of theirs. Throws all else. */
export function asCommandError(thrown: unknown): CommandError {
  if (thrown instanceof CommandError) return thrown;
  // Of a call of the system, Node's words name the place and the reason.
  if (thrown instanceof ChatError || (thrown instanceof Error && 'syscall' in thrown)) {
    return new CommandError(thrown.message);
  }
  throw thrown;
}
