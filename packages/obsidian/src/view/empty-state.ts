import { type DrawIcon, el, iconOf } from './dom.ts';

export interface EmptyOptions {
  readonly icon: DrawIcon;
  /** The model that would answer. */
  readonly model: string | undefined;
  readonly suggest: (text: string) => void;
  readonly pickModel: () => void;
  readonly openSettings: () => void;
}

const suggestions = [
  ['file-text', 'Summarise the note that is open'],
  ['search', 'Find my notes about '],
  ['list-checks', 'Collect the open tasks of this week in a new note'],
] as const;

/** What stands in a chat without messages: what can be done here, or what is missing. */
export function drawEmpty({ icon, model, suggest, pickModel, openSettings }: EmptyOptions): HTMLElement {
  const button = (text: string, kind: string, onclick: () => void) =>
    el('button', { type: 'button', class: `dragoman-button ${kind}`, onclick }, text);
  const empty = el('div', { class: 'dragoman-empty', 'data-model': model ?? '' }, iconOf('message-circle', icon));
  if (model === undefined) {
    empty.append(
      el('h2', {}, 'Choose a model first'),
      el(
        'p',
        {},
        'A model answers from a server on this computer or elsewhere: Ollama, llama.cpp, LM Studio, a Dragoman gateway, or any other with an OpenAI-compatible address.',
      ),
      el(
        'div',
        { class: 'dragoman-buttons' },
        button('Choose a model', 'mod-cta', pickModel),
        button('Open settings', '', openSettings),
      ),
    );
    return empty;
  }
  empty.append(
    el('h2', {}, 'Ask about your notes'),
    el(
      'p',
      {},
      'The model reads and searches the vault by itself. Before it changes anything, you see what, and decide.',
    ),
    el(
      'div',
      { class: 'dragoman-suggestions' },
      ...suggestions.map(([name, text]) =>
        el(
          'button',
          { type: 'button', class: 'dragoman-suggestion', onclick: () => suggest(text) },
          iconOf(name, icon),
          text.trim().endsWith('about') ? `${text.trim()} …` : text,
        ),
      ),
    ),
  );
  return empty;
}
