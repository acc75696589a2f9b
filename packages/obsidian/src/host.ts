import { type Chat, type ChatSettings, ChatStore, contextOf, type Files, Session, type Vault } from '@dragoman/agent';
import { type App, getIcon } from 'obsidian';
import { exportChat } from './chats/export-chat.ts';
import { readSources, selectionIn } from './notes.ts';
import { choiceOf, keyOf, type Servers } from './servers/servers.ts';
import type { Settings } from './settings.ts';
import type { OwnTools } from './tools/own-tools.ts';
import { hiddenIn } from './vault/obsidian-vault.ts';
import type { Attachment, ModelChoice, PanelHost } from './view/host.ts';

export interface HostOptions {
  readonly app: App;
  readonly files: Files;
  readonly vault: Vault;
  readonly servers: Servers;
  readonly tools: OwnTools;
  readonly settings: () => Settings;
  readonly save: (change: Partial<Settings>) => Promise<void>;
  readonly openSettings: () => void;
  readonly onChange: PanelHost['onChange'];
  readonly shown: (chat: Chat) => void;
}

/** What the panel gets of Obsidian. */
export function createHost({ app, files, vault, servers, tools, settings, save, ...own }: HostOptions): PanelHost {
  const store = new ChatStore({
    files,
    get keepThink() {
      return settings().keepThink;
    },
  });
  const chosen = ({ model, baseUrl }: ChatSettings): ModelChoice | undefined => {
    const own = model === undefined || baseUrl === undefined ? settings().model : keyOf(baseUrl, model);
    const { choices } = servers;
    return choices.find(({ key }) => key === own) ?? choiceOf(own) ?? choices[0];
  };
  return {
    store,
    openSession: (chat, ask) => {
      const session: Session = new Session({
        chat,
        ask,
        store,
        files,
        vault,
        // Servers may answer later than a chat is opened.
        get tools() {
          return tools.tools;
        },
        isHidden: hiddenIn(app, settings().chats),
        sources: () => readSources(app, settings()),
        // What the settings and the model of the chat say when it is asked.
        budgets: {
          get context() {
            const { window } = chosen(session.chat.settings) ?? {};
            const { context } = settings();
            return window === undefined ? context : Math.min(context, contextOf(window));
          },
          get memory() {
            return settings().memory;
          },
        },
      });
      return session;
    },
    exportChat: (chat) => exportChat(app, chat),
    models: () => servers.list(),
    chosen,
    choose: async ({ key, name, server }) => {
      await save({ model: key });
      return { model: name, baseUrl: server };
    },
    connect: (choice) => servers.connect(choice),
    attachments: () => {
      const { activeNote, selection } = settings();
      const file = app.workspace.getActiveFile();
      const { length } = selectionIn(app);
      const all: Attachment[] = [];
      if (file?.extension === 'md') all.push({ kind: 'active-note', label: file.path, isOn: activeNote });
      if (length > 0) all.push({ kind: 'selection', label: `${length} characters selected`, isOn: selection });
      return all;
    },
    attach: (kind, isOn) => void save(kind === 'active-note' ? { activeNote: isOn } : { selection: isOn }),
    openNote: (link) => void app.workspace.openLinkText(link, app.workspace.getActiveFile()?.path ?? ''),
    openSettings: own.openSettings,
    icon: (name) => getIcon(name) ?? undefined,
    shown: own.shown,
    onChange: own.onChange,
  };
}
