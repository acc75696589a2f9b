import { type DrawIcon, el, iconOf } from './dom.ts';
import type { ModelList } from './host.ts';

export interface EmptyOptions {
  readonly icon: DrawIcon;
  /** There is a model that would answer. */
  readonly hasModel: boolean;
  /** A note is open, and goes along. */
  readonly hasNote: boolean;
  /** What the servers have said; undefined while they are asked. */
  readonly found: ModelList | undefined;
  readonly suggest: (text: string) => void;
  readonly lookAgain: () => void;
  readonly openSettings: () => void;
}

const suggestions = [
  ['search', 'Find my notes about '],
  ['list-checks', 'Collect my open tasks in a new note'],
] as const;

/** What is in a chat without messages: what can be asked here, or how to come to a model. */
export function drawEmpty({ icon, hasModel, hasNote, found, ...on }: EmptyOptions): HTMLElement {
  const empty = (title: string, ...more: HTMLElement[]) =>
    el('div', { class: 'dragoman-empty' }, iconOf('message-circle', icon), el('h2', {}, title), ...more);
  if (hasModel) {
    const about =
      'The model reads and searches the vault by itself. Before it changes anything, you see what, and decide.';
    const first = hasNote
      ? (['file-text', 'Summarise the note that is open'] as const)
      : (['file-text', 'What is in this vault?'] as const);
    const buttons = [first, ...suggestions].map(([name, text]) =>
      el(
        'button',
        { type: 'button', class: 'dragoman-suggestion', onclick: () => on.suggest(text) },
        iconOf(name, icon),
        text.endsWith(' ') ? `${text}…` : text,
      ),
    );
    return empty('Ask about your notes', el('p', {}, about), el('div', { class: 'dragoman-suggestions' }, ...buttons));
  }
  if (found === undefined) return empty('Looking for models…');
  const button = (text: string, kind: string, onclick: () => void) =>
    el('button', { type: 'button', class: `dragoman-button ${kind}`, onclick }, text);
  return empty(
    'No model yet',
    ...found.problems.map((problem) => el('p', {}, problem)),
    el(
      'div',
      { class: 'dragoman-buttons' },
      button('Look again', 'mod-cta', on.lookAgain),
      button('Add a server', '', on.openSettings),
    ),
  );
}
