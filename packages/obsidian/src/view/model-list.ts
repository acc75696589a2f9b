import { type DrawIcon, el, iconOf } from './dom.ts';
import type { ModelChoice, ModelList } from './host.ts';
import { placeholder, Sheet, searchField } from './sheet.ts';

export interface ModelSheetOptions {
  readonly icon: DrawIcon;
  readonly current: ModelChoice | undefined;
  readonly list: () => Promise<ModelList>;
  readonly choose: (choice: ModelChoice) => void;
  readonly openSettings: () => void;
  readonly closed: () => void;
}

/** The models of all servers, with what keeps others from being there. */
export class ModelSheet {
  readonly #options: ModelSheetOptions;
  readonly #sheet: Sheet;
  readonly #list = el('div', {});
  #words = '';
  #found: ModelList | undefined;

  constructor(options: ModelSheetOptions) {
    const { icon, closed, openSettings } = options;
    this.#options = options;
    this.#sheet = new Sheet({ title: 'Models', icon, closed });
    const search = searchField('Search models', (words) => {
      this.#words = words.trim().toLowerCase();
      this.#show();
    });
    const settings = () => {
      this.#sheet.close();
      openSettings();
    };
    const button = (text: string, onclick: () => void) =>
      el('button', { type: 'button', class: 'dragoman-button', onclick }, text);
    const tools = el(
      'div',
      { class: 'dragoman-sheet-tools' },
      search,
      button('Look again', () => void this.#ask()),
    );
    this.#sheet.body.append(tools, this.#list, button('Add a server in the settings', settings));
  }

  open(parent: HTMLElement): void {
    this.#sheet.open(parent);
    void this.#ask();
  }

  close(): void {
    this.#sheet.close();
  }

  async #ask(): Promise<void> {
    this.#list.replaceChildren(placeholder('Asking the servers for their models…'));
    this.#found = await this.#options.list();
    this.#show();
  }

  #show(): void {
    if (this.#found === undefined) return;
    const { choices, problems } = this.#found;
    const wanted = choices.filter(({ name, server }) => `${name} ${server}`.toLowerCase().includes(this.#words));
    const servers = [...new Set(wanted.map(({ server }) => server))];
    const groups = servers.flatMap((server) => [
      el('h3', { class: 'dragoman-label' }, server),
      el(
        'ul',
        { class: 'dragoman-rows' },
        ...wanted.filter((each) => each.server === server).map((each) => this.#draw(each)),
      ),
    ]);
    const told = problems.map((problem) => el('p', { class: 'dragoman-problem' }, problem));
    const none = choices.length === 0 ? 'No models were found.' : `No model is called “${this.#words}”.`;
    this.#list.replaceChildren(...groups, ...(wanted.length === 0 ? [placeholder(none)] : []), ...told);
  }

  #draw(choice: ModelChoice): HTMLElement {
    const { icon, current, choose } = this.#options;
    const isCurrent = choice.key === current?.key;
    const take = () => {
      this.#sheet.close();
      choose(choice);
    };
    const window = choice.window === undefined ? [] : [`${choice.window.toLocaleString()} tokens`];
    return el(
      'li',
      { class: 'dragoman-row' },
      el(
        'button',
        { type: 'button', class: 'dragoman-row-main', ...(isCurrent && { 'aria-current': 'true' }), onclick: take },
        el('span', { class: 'dragoman-row-title' }, choice.name),
        ...window.map((text) => el('span', { class: 'dragoman-row-more' }, text)),
      ),
      ...(isCurrent ? [iconOf('check', icon)] : []),
    );
  }
}
