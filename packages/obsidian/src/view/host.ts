import type { AskConsent, Chat, ChatSettings, ChatStore, Model, RequestSettings, Session } from '@dragoman/agent';

/** A model that a person can choose. */
export interface ModelChoice {
  /** Tells it from those of all other servers. */
  readonly key: string;
  /** As its server calls it. */
  readonly name: string;
  /** The address of its server, or a name for it. */
  readonly server: string;
  /** Tokens that it can read, where that is known. */
  readonly window?: number;
}

export interface ModelList {
  readonly choices: readonly ModelChoice[];
  /** What keeps models from being listed, each with what to do: one sentence or two for each server. */
  readonly problems: readonly string[];
}

/** What a request goes to. */
export interface Connection {
  readonly model: Model;
  readonly settings: RequestSettings;
}

/** Something of the workspace that can go with a request. */
export interface Attachment {
  readonly kind: 'active-note' | 'selection';
  /** The path of the note, or how much is selected. */
  readonly label: string;
  readonly isOn: boolean;
}

/** What the panel needs of the program that it is in. The panel itself knows a page and nothing else. */
export interface PanelHost {
  readonly store: ChatStore;
  /** A session over a chat. `ask` is the panel's: it shows what is asked in the chat. */
  openSession(chat: Chat, ask: AskConsent): Session;
  /** Writes a chat as a note; resolves with its path. */
  exportChat(chat: Chat): Promise<string>;

  /** The models of all servers, asked for anew. Never rejects: what goes wrong is a problem in the list. */
  models(): Promise<ModelList>;
  /** The model of a chat, or the one for all chats that have none of their own; undefined where none was ever chosen. */
  chosen(settings: ChatSettings): ModelChoice | undefined;
  /** Takes a model for new chats; gives what the chat keeps in which it was chosen. */
  choose(choice: ModelChoice): Promise<ChatSettings>;
  connect(choice: ModelChoice): Connection;

  /** What can go with the next request. */
  attachments(): readonly Attachment[];
  attach(kind: Attachment['kind'], isOn: boolean): void;

  /** Opens a note: the target of a wiki link, with its heading, or a path. */
  openNote(link: string): void;
  openSettings(): void;
  /** Draws one of Lucide's icons, such as `arrow-up`; undefined where there is none of this name. */
  icon(name: string): Element | undefined;
  /** The panel shows another chat, or this one has another title now. */
  shown(chat: Chat): void;
  /** Calls `listener` when attachments or settings may be others, or the servers themselves; what it gives ends that. */
  onChange(listener: (what?: 'servers') => void): () => void;
}
