import { type DrawIcon, el, iconOf } from './dom.ts';

export interface Note {
  readonly kind: 'info' | 'error';
  readonly text: string;
  readonly actions?: readonly { readonly label: string; readonly run: () => void }[];
}

/** A line about the chat that neither its person nor the model wrote. */
export function drawNote({ kind, text, actions = [] }: Note, icon: DrawIcon): HTMLElement {
  const buttons = actions.map(({ label, run }) =>
    el('button', { type: 'button', class: 'dragoman-button', onclick: run }, label),
  );
  return el(
    'div',
    { class: `dragoman-note is-${kind}`, ...(kind === 'error' && { role: 'alert' }) },
    iconOf(kind === 'error' ? 'ban' : 'info', icon),
    el(
      'div',
      { class: 'dragoman-note-body' },
      el('p', {}, text),
      ...(buttons.length > 0 ? [el('div', { class: 'dragoman-buttons' }, ...buttons)] : []),
    ),
  );
}
