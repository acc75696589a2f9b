import { keepFacts } from '@dragoman/agent';
import { Notice, Plugin, type WorkspaceLeaf } from 'obsidian';
import { findOldChats } from './chats/import-chats.ts';
import { moveChats } from './chats/move-chats.ts';
import { createHost } from './host.ts';
import { selectionIn } from './notes.ts';
import { PanelView, panelType } from './panel-view.ts';
import { createPageFetch, fetchWhole } from './servers/page-fetch.ts';
import { Servers } from './servers/servers.ts';
import { readSettings, type Settings } from './settings.ts';
import { SettingsTab } from './settings-tab.ts';
import { OwnTools } from './tools/own-tools.ts';
import { createObsidianVault } from './vault/obsidian-vault.ts';
import { createPluginFiles } from './vault/plugin-files.ts';

/** Milliseconds; long enough to be read. */
const noticeTime = 12_000;
const factsKey = 'dragoman-learnt-of-models';

// biome-ignore lint/style/noDefaultExport: Obsidian takes the plugin from there.
export default class DragomanPlugin extends Plugin {
  #settings: Settings = readSettings(undefined);
  readonly #listeners = new Set<(what?: 'servers') => void>();

  override async onload(): Promise<void> {
    const saved: unknown = await this.loadData();
    this.#settings = readSettings(saved);
    const { app, manifest } = this;
    const settings = () => this.#settings;
    const pageFetch = createPageFetch((origin) => {
      new Notice(
        `${origin} lets no page read its answers, so they come whole instead of word by word. To stream, let it accept ${window.location.origin} (Ollama: OLLAMA_ORIGINS).`,
        noticeTime,
      );
    });
    const ownFolder = this.#ownFolder;
    const files = createPluginFiles(app.vault.adapter, () => this.#chatFolder);
    const secret = (name: string) => app.secretStorage.getSecret(name) ?? '';
    // For this device alone: on another one, other servers are at the same addresses.
    const facts = keepFacts(app.loadLocalStorage(factsKey), (text) => app.saveLocalStorage(factsKey, text));
    const servers = new Servers({ settings, secret, facts, fetch: pageFetch, fetchWhole });
    const tools = new OwnTools({ app, settings, version: manifest.version, fetch: pageFetch });
    const save = (change: Partial<Settings>) => this.#save(change);

    this.registerView(panelType, (leaf) => {
      const host = createHost({
        app,
        files,
        servers,
        tools,
        settings,
        save,
        vault: createObsidianVault(app),
        openSettings: () => this.#openSettings(),
        onChange: (listener) => {
          this.#listeners.add(listener);
          return () => void this.#listeners.delete(listener);
        },
        shown: (chat) => view.show(chat),
      });
      const view = new PanelView(leaf, host);
      return view;
    });
    const move = async (folder: string) => {
      const from = this.#chatFolder;
      // What is said from now on goes there at once; the rest follows.
      await save({ chats: folder });
      return this.#moveChats(from);
    };
    const closed = () => this.#changed('servers');
    const about = { settings, save, servers, tools, files, ownFolder, moveChats: move, closed };
    this.addSettingTab(new SettingsTab(this, about));

    this.addRibbonIcon('message-circle', 'Open chat', () => void this.#open());
    this.addCommand({ id: 'open-chat', name: 'Open chat', callback: () => void this.#open() });
    this.addCommand({
      id: 'new-chat',
      name: 'New chat',
      callback: () => void this.#open().then((view) => view?.newChat()),
    });
    this.addCommand({
      id: 'ask-about-note',
      name: 'Ask about this note',
      editorCallback: () => {
        void save({ activeNote: true, selection: true })
          .then(() => this.#open())
          .then((view) => view?.focus());
      },
    });
    this.addCommand({
      id: 'reload-tools',
      name: 'Reload scripts and MCP servers',
      callback: () => void this.#loadTools(tools),
    });

    const changed = () => this.#changed();
    this.registerEvent(app.workspace.on('file-open', changed));
    this.registerEvent(app.workspace.on('active-leaf-change', changed));
    let selected = 0;
    this.registerDomEvent(document, 'selectionchange', () => {
      // Each letter that somebody writes in a note moves the cursor, too.
      const { length } = selectionIn(app);
      if (length !== selected) changed();
      selected = length;
    });
    this.register(() => void tools.close());
    app.workspace.onLayoutReady(() => {
      void this.#loadTools(tools);
      // Settings may have come from another device, where chats were moved; those of this one follow.
      void this.#moveChats(ownFolder);
      // Somebody who begins here may come from somewhere.
      if (saved === null || saved === undefined) void this.#offerOldChats(ownFolder);
    });
  }

  override async onExternalSettingsChange(): Promise<void> {
    const from = this.#chatFolder;
    this.#settings = readSettings(await this.loadData());
    await this.#moveChats(from);
    this.#changed();
  }

  /** What Obsidian has for the plugin; it goes when the plugin is uninstalled. */
  get #ownFolder(): string {
    const { app, manifest } = this;
    return manifest.dir ?? `${app.vault.configDir}/plugins/${manifest.id}`;
  }

  get #chatFolder(): string {
    return this.#settings.chats === '' ? this.#ownFolder : this.#settings.chats;
  }

  /** Moves what was kept there to where chats are kept now. Resolves with the paths of those that stayed. */
  async #moveChats(from: string): Promise<readonly string[]> {
    return this.#chatFolder === from ? [] : moveChats(this.app.vault.adapter, { from, to: this.#chatFolder });
  }

  async #save(change: Partial<Settings>): Promise<void> {
    this.#settings = readSettings({ ...this.#settings, ...change });
    await this.saveData(this.#settings);
    this.#changed();
  }

  #changed(what?: 'servers'): void {
    for (const listener of this.#listeners) listener(what);
  }

  /** Once: afterwards there are saved settings. */
  async #offerOldChats(ownFolder: string): Promise<void> {
    const count = (await findOldChats(this.app, [ownFolder])).reduce((sum, each) => sum + each.count, 0);
    await this.#save({});
    if (count > 0) new Notice(`Chats of another plugin are here: ${count}. Import them in the settings.`, noticeTime);
  }

  async #loadTools(tools: OwnTools): Promise<void> {
    for (const problem of await tools.load()) new Notice(problem, noticeTime);
  }

  /** The panel in the right sidebar, or where its person has moved it. */
  async #open(): Promise<PanelView | undefined> {
    const { workspace } = this.app;
    const leaf: WorkspaceLeaf | null = workspace.getLeavesOfType(panelType)[0] ?? workspace.getRightLeaf(false);
    if (leaf === null) return undefined;
    await leaf.setViewState({ type: panelType, active: true });
    await workspace.revealLeaf(leaf);
    return leaf.view instanceof PanelView ? leaf.view : undefined;
  }

  #openSettings(): void {
    // Obsidian has no public way to open a settings tab; where this one has gone, nothing happens.
    const { setting } = this.app as { setting?: { open?: () => void; openTabById?: (id: string) => void } };
    setting?.open?.();
    setting?.openTabById?.(this.manifest.id);
  }
}
