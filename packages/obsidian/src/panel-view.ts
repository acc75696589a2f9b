import type { Chat } from '@dragoman/agent';
import { ItemView, type ViewStateResult, type WorkspaceLeaf } from 'obsidian';
import type { PanelHost } from './view/host.ts';
import { Panel } from './view/panel.ts';

export const panelType = 'dragoman-chat';

/** The panel as a view of Obsidian's. Which chat it shows is kept with the layout of the workspace. */
export class PanelView extends ItemView {
  readonly #host: PanelHost;
  #panel: Panel | undefined;
  #title = 'Chat';

  constructor(leaf: WorkspaceLeaf, host: PanelHost) {
    super(leaf);
    this.#host = host;
    this.navigation = false;
    this.icon = 'message-circle';
  }

  override getViewType(): string {
    return panelType;
  }

  override getDisplayText(): string {
    return this.#title;
  }

  override async onOpen(): Promise<void> {
    this.contentEl.empty();
    this.#panel = new Panel({ host: this.#host, parent: this.contentEl });
    await this.#panel.open();
  }

  override async onClose(): Promise<void> {
    await this.#panel?.close();
    this.#panel = undefined;
  }

  override getState(): Record<string, unknown> {
    return { chat: this.#panel?.chat?.id };
  }

  override async setState(state: unknown, result: ViewStateResult): Promise<void> {
    await super.setState(state, result);
    const id = typeof state === 'object' && state !== null && 'chat' in state ? state.chat : undefined;
    if (typeof id === 'string' && id !== this.#panel?.chat?.id) await this.#panel?.open(id);
  }

  newChat(): void {
    this.#panel?.newChat();
  }

  focus(): void {
    this.#panel?.focus();
  }

  /** A chat is shown, or has another title: the layout remembers it. */
  show({ title }: Chat): void {
    this.#title = title;
    this.app.workspace.requestSaveLayout();
  }
}
