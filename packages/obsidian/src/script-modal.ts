import { type App, Modal, Setting } from 'obsidian';
import type { FoundScript } from './tools/own-tools.ts';
import { visibleText } from './view/visible-text.ts';

/** Shows a script, and asks whether it may run. */
export class ScriptModal extends Modal {
  readonly #script: FoundScript;
  readonly #answer: (decision: boolean) => void;
  #decision = false;

  constructor(app: App, script: FoundScript, answer: (decision: boolean) => void) {
    super(app);
    this.#script = script;
    this.#answer = answer;
  }

  override onOpen(): void {
    const { path, text } = this.#script;
    this.setTitle(`Allow ${path} to run?`);
    this.contentEl.createEl('p', {
      text: 'It sees notes of the vault, and asks before it changes one. It has no network.',
    });
    const lines = text.split('\r\n').join('\n');
    this.contentEl.createEl('pre', { cls: 'dragoman-script', text: visibleText(lines) });
    new Setting(this.contentEl)
      .addButton((button) => button.setButtonText('Not now').onClick(() => this.close()))
      .addButton((button) =>
        button
          .setCta()
          .setButtonText('Allow')
          .onClick(() => {
            this.#decision = true;
            this.close();
          }),
      );
  }

  override onClose(): void {
    this.contentEl.empty();
    this.#answer(this.#decision);
  }
}
