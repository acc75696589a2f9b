import { budgetLimits, type Files } from '@dragoman/agent';
import { Notice, type Plugin, PluginSettingTab, SecretComponent, Setting } from 'obsidian';
import { findOldChats, importChats, type OldChats } from './chats/import-chats.ts';
import { ScriptModal } from './script-modal.ts';
import { type Servers, unnamed } from './servers/servers.ts';
import { readFolder, type ServerSettings, type Settings } from './settings.ts';
import type { FoundScript, OwnTools } from './tools/own-tools.ts';

export interface SettingsTabOptions {
  readonly settings: () => Settings;
  readonly save: (change: Partial<Settings>) => Promise<void>;
  readonly servers: Servers;
  readonly tools: OwnTools;
  readonly files: Files;
  /** The folder that chats are kept in where the settings name none. */
  readonly ownFolder: string;
  /** Keeps chats in another folder, and takes those along that there are. Resolves with the paths of those that stayed. */
  readonly moveChats: (folder: string) => Promise<readonly string[]>;
  /** The settings are no longer looked at. */
  readonly closed: () => void;
}

export class SettingsTab extends PluginSettingTab {
  readonly #options: SettingsTabOptions;

  constructor(plugin: Plugin, options: SettingsTabOptions) {
    super(plugin.app, plugin);
    this.#options = options;
  }

  override display(): void {
    this.containerEl.empty();
    this.#showServers();
    this.#showPrompt();
    this.#showTools();
    this.#showChats();
  }

  override hide(): void {
    super.hide();
    this.#options.closed();
  }

  #showServers(): void {
    const { settings, save, servers } = this.#options;
    const around = this.#setting(
      'Find servers on this device',
      'Ollama, LM Studio, llama.cpp, a Dragoman gateway and other servers at their usual ports are used without being added.',
    )
      .addToggle((toggle) => toggle.setValue(settings().looksAround).onChange((looksAround) => save({ looksAround })))
      .addButton((button) =>
        button.setButtonText('Test').onClick(async () => {
          around.setDesc('Looking for them…');
          around.setDesc(await servers.lookAround());
        }),
      );
    for (const [at, server] of settings().servers.entries()) this.#showServer(server, at);
    new Setting(this.containerEl).addButton((button) =>
      button.setButtonText('Add server').onClick(async () => {
        await save({ servers: [...settings().servers, unnamed('')] });
        this.display();
      }),
    );
  }

  #showServer(server: ServerSettings, at: number): void {
    const { settings, save, servers } = this.#options;
    const change = (own: Partial<ServerSettings>) =>
      save({ servers: settings().servers.map((each, index) => (index === at ? { ...each, ...own } : each)) });
    const current = () => settings().servers[at] ?? server;
    const status = this.#setting(
      `Server ${at + 1}`,
      'Its address, such as http://192.168.1.20:11434 or https://api.mistral.ai/v1.',
    )
      .addText((text) =>
        text
          .setPlaceholder('http://127.0.0.1:11434')
          .setValue(server.url)
          .onChange((url) => change({ url: url.trim() })),
      )
      .addButton((button) =>
        button.setButtonText('Test').onClick(async () => {
          const { url } = current();
          const isAddress = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
          status.setDesc(isAddress ? 'Asking for its models…' : 'An address begins with http:// or https://.');
          if (isAddress) status.setDesc(await servers.test(current()));
        }),
      )
      .addExtraButton((button) =>
        button
          .setIcon('trash-2')
          .setTooltip('Remove server')
          .onClick(async () => {
            await save({ servers: settings().servers.filter((_, index) => index !== at) });
            this.display();
          }),
      );
    this.#setting('Key', "Kept in Obsidian's keychain. Most local servers need none.").addComponent((element) =>
      new SecretComponent(this.app, element).setValue(server.secret).onChange((secret) => void change({ secret })),
    );
    this.#setting('Models of this server cannot call tools', 'They are taught to call tools in text.').addToggle(
      (toggle) => toggle.setValue(server.taught).onChange((taught) => change({ taught })),
    );
  }

  #showPrompt(): void {
    const { settings, save } = this.#options;
    new Setting(this.containerEl).setName('What the model reads').setHeading();
    this.#setting(
      'Folder',
      'Its notes charter.md, rules.md, voice.md and memory.md go with every request; its folder tools holds scripts.',
    ).addText((text) =>
      text.setValue(settings().folder).onChange((folder) => save({ folder: folder.replaceAll(/^\/+|\/+$/g, '') })),
    );
    for (const [name, label, description] of [
      ['context', 'Longest prompt', 'In characters; four are about a token. Longer chats are summarised.'],
      ['memory', 'Longest memory', 'In characters of memory.md.'],
    ] as const) {
      const { least, most } = budgetLimits[name];
      this.#setting(label, `${description} ${least} to ${most}.`).addText((text) => {
        text.inputEl.type = 'number';
        text.setValue(String(settings()[name])).onChange((value) => save({ [name]: Number(value) }));
      });
    }
    this.#setting(
      'Keep what models think',
      'Thinking is shown in any case. This keeps it in the files of chats, too.',
    ).addToggle((toggle) => toggle.setValue(settings().keepThink).onChange((keepThink) => save({ keepThink })));
  }

  #showTools(): void {
    const { settings, save, tools } = this.#options;
    new Setting(this.containerEl).setName('Tools').setHeading();
    const list = this.containerEl.createDiv();
    void tools.scripts().then((scripts) => {
      for (const script of scripts) this.#showScript(script, list);
    });
    this.#setting(
      'MCP servers',
      'In the form that MCP clients share, with a url each. You are asked before each call.',
    ).addTextArea((area) =>
      area
        .setPlaceholder('{ "mcpServers": { "wiki": { "url": "http://127.0.0.1:3001/mcp" } } }')
        .setValue(settings().mcp)
        .onChange((mcp) => save({ mcp })),
    );
    new Setting(this.containerEl).addButton((button) =>
      button.setButtonText('Reload tools').onClick(async () => {
        const problems = await tools.load();
        const names = tools.tools.map(({ name }) => name).join(', ');
        new Notice(
          problems.length > 0
            ? problems.join('\n')
            : names === ''
              ? 'There are no tools of your own.'
              : `Chats have them from now on: ${names}`,
        );
      }),
    );
  }

  #showScript(script: FoundScript, list: HTMLElement): void {
    const { settings, save, tools } = this.#options;
    const { path, id } = script;
    const allow = async (isAllowed: boolean) => {
      const { [path]: _, ...others } = settings().scripts;
      await save({ scripts: isAllowed ? { ...others, [path]: id } : others });
      await tools.load();
    };
    new Setting(list)
      .setName(path)
      .setDesc('A script. It runs isolated, and only if you allow it as it is now.')
      .addToggle((toggle) =>
        toggle.setValue(script.isAllowed).onChange((isAllowed) => {
          if (!isAllowed) return void allow(false);
          new ScriptModal(this.app, script, (decision) => {
            if (decision) void allow(true);
            else toggle.setValue(false);
          }).open();
        }),
      );
  }

  #showChats(): void {
    const { settings, ownFolder, moveChats } = this.#options;
    new Setting(this.containerEl).setName('Chats').setHeading();
    let wanted = settings().chats;
    this.#setting(
      'Folder of chats',
      "Empty: the plugin's own folder, which goes when the plugin is uninstalled and which no sync service takes along. A folder of the vault stays and is synced.",
    )
      .addText((text) =>
        text
          .setPlaceholder(ownFolder)
          .setValue(wanted)
          .onChange((value) => {
            wanted = value;
          }),
      )
      .addButton((button) =>
        button.setButtonText('Move').onClick(async () => {
          const folder = readFolder(wanted);
          if (folder === undefined)
            return void new Notice('Give a folder of the vault: no "..", and no name that begins with a dot.');
          const left = await moveChats(folder);
          new Notice(
            left.length === 0
              ? 'Chats are kept there from now on.'
              : `Chats are kept there from now on. These stayed, because others have their names: ${left.join(', ')}`,
          );
          this.display();
        }),
      );
    const found = this.containerEl.createDiv();
    void findOldChats(this.app, [ownFolder, ...(wanted === '' ? [] : [wanted])]).then((all) => {
      for (const each of all) this.#showOldChats(each, found);
    });
    let folder = '';
    this.#setting(
      'Import chats',
      'The folder of the vault in which another plugin has kept its chats, a JSON file each. It stays as it is.',
    )
      .addText((text) =>
        text.setPlaceholder(`${this.app.vault.configDir}/plugins/…/chats`).onChange((value) => {
          folder = value.trim();
        }),
      )
      .addButton((button) =>
        button.setButtonText('Import').onClick(async () => {
          if (folder === '' || !(await this.app.vault.adapter.exists(folder))) {
            return void new Notice('There is no such folder.');
          }
          await this.#import(folder);
        }),
      );
  }

  #showOldChats({ folder, count }: OldChats, list: HTMLElement): void {
    new Setting(list)
      .setName(`Chats of another plugin: ${count}`)
      .setDesc(`In ${folder}. They are copied, and that folder stays as it is.`)
      .addButton((button) => button.setButtonText('Import').onClick(() => this.#import(folder)));
  }

  async #import(folder: string): Promise<void> {
    const { files } = this.#options;
    const { taken, left } = await importChats(folder, { adapter: this.app.vault.adapter, files });
    const rest = left.length === 0 ? '' : ` These are not chats: ${left.join(', ')}`;
    new Notice(`Imported chats: ${taken}.${rest}`);
  }

  #setting(name: string, description: string): Setting {
    return new Setting(this.containerEl).setName(name).setDesc(description);
  }
}
