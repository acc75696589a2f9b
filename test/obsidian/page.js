// Runs in the page: an Obsidian in memory, with the plugin's own script in it.
import * as obsidian from 'obsidian-test-mocks/obsidian';
import { setup } from 'obsidian-test-mocks/setup';
import { lucideIcon } from './view/lucide-icons.ts';

setup();

/** Obsidian's own requests come from no page, so CORS does not hold for them: the server of this page makes them. */
async function requestUrl(asked) {
  const response = await fetch('/request', { method: 'POST', body: JSON.stringify(asked) });
  if (!response.ok) throw new Error('net::ERR_CONNECTION_REFUSED');
  const { status, headers, text } = await response.json();
  return { status, headers, text, arrayBuffer: new TextEncoder().encode(text).buffer };
}

// Buttons of the mock draw themselves, and hear no click.
obsidian.ButtonComponent.prototype.onClick = function onClick(callback) {
  this.buttonEl.addEventListener('click', callback);
  return this;
};

// Nor do its fields hear what is written into them.
obsidian.TextComponent.prototype.onChange = function onChange(callback) {
  this.inputEl.addEventListener('input', () => callback(this.inputEl.value));
  return this;
};

// Nor can its switches be seen, and its dialogs close by themselves.
obsidian.ToggleComponent.prototype.onChange = function onChange(callback) {
  this._onChange = callback;
  this.toggleEl.className = 'checkbox-container';
  this.toggleEl.setAttribute('role', 'switch');
  this.toggleEl.addEventListener('click', () => this.onClick());
  return this;
};
obsidian.Modal.prototype.open = function open() {
  this.containerEl.className = 'modal-container';
  this.containerEl.setAttribute('role', 'dialog');
  this.modalEl.prepend(this.titleEl);
  document.body.append(this.containerEl);
  this.onOpen();
};
obsidian.Modal.prototype.close = function close() {
  this.containerEl.remove();
  this.onClose();
};

window.notices = [];
class Notice extends obsidian.Notice {
  constructor(message, ...rest) {
    super(message, ...rest);
    window.notices.push(message);
  }
}

/** Opens a vault with these files and the plugin in it. What tests need of both is `window.vault`. */
window.openVault = async ({ files, script, manifest, data }) => {
  const app = obsidian.App.createConfigured__({ files });
  const module = { exports: {} };
  new Function('module', 'exports', 'require', script)(module, module.exports, (name) => {
    if (name !== 'obsidian') throw new Error(`The plugin wants ${name}, which a phone does not have.`);
    return { ...obsidian, requestUrl, Notice, getIcon: (icon) => lucideIcon(icon) ?? null };
  });
  const Plugin = module.exports;
  const dir = `${app.vault.configDir}/plugins/${manifest.id}`;
  const plugin = new Plugin(app, { ...manifest, dir });
  // The mock keeps settings in no file.
  let saved = data;
  plugin.loadData = async () => structuredClone(saved);
  plugin.saveData = async (next) => {
    saved = structuredClone(next);
  };
  await plugin.onload();
  const opened = { app, plugin, saved: () => saved, view: undefined };
  window.vault = opened;
  // The mock makes no views by itself.
  const [create] = plugin.views__.values();
  opened.view = create(app.workspace.getLeaf(true));
  opened.view.contentEl.className = 'view-content';
  window.openPanel();
  await opened.view.onOpen();
  app.workspace.setLayoutReady__();
};

/** Shows the settings of the plugin in place of the panel. */
window.openSettings = () => {
  const [tab] = window.vault.plugin.settingTabs__;
  tab.display();
  document.querySelector('#panel').replaceChildren(tab.containerEl);
};

/** Closes the settings, so that the panel is seen again. */
window.closeSettings = () => {
  window.vault.plugin.settingTabs__[0].hide();
  window.openPanel();
};

window.openPanel = () => document.querySelector('#panel').replaceChildren(window.vault.view.contentEl);

window.readNote = (path) => window.vault.app.vault.adapter.read(path);
window.noteExists = (path) => window.vault.app.vault.adapter.exists(path);
