import type { Decision, Proposal } from '@dragoman/agent';
import { drawArguments } from './arguments-view.ts';
import { countChanges, drawDiff } from './diff-view.ts';
import { type DrawIcon, el, iconOf } from './dom.ts';
import { visibleText } from './visible-text.ts';

/** What a proposal is, in words for its person. */
export interface ProposalWords {
  /** A question: "Change notes/a.md?" */
  readonly title: string;
  readonly icon: string;
  readonly approve: string;
  readonly approveAll: string;
}

export function wordsOf(proposal: Proposal): ProposalWords {
  if (proposal.kind === 'call') {
    const tool = visibleText(proposal.tool);
    return {
      title: `Call ${tool} of ${visibleText(proposal.source)}?`,
      icon: 'plug',
      approve: 'Allow',
      approveAll: `Allow all calls of ${tool} in this chat`,
    };
  }
  const path = visibleText(proposal.path);
  const approveAll = 'Allow all changes in this chat';
  switch (proposal.kind) {
    case 'create':
      return { title: `Create ${path}?`, icon: 'file-plus', approve: 'Create', approveAll };
    case 'change':
      return { title: `Change ${path}?`, icon: 'pencil', approve: 'Apply', approveAll };
    case 'move': {
      const title = `Move ${path} to ${visibleText(proposal.to ?? '')}?`;
      return { title, icon: 'folder-input', approve: 'Move', approveAll };
    }
    case 'delete':
      return { title: `Delete ${path}?`, icon: 'trash', approve: 'Delete', approveAll };
    default:
      return proposal satisfies never;
  }
}

export interface ConsentCardOptions {
  readonly proposal: Proposal;
  readonly icon: DrawIcon;
  readonly answer: (decision: Decision) => void;
}

/**
 * Asks a person for one thing: with what it changes, or with what goes to a tool. Nothing in it has the focus by itself, so no
 * key that was meant for something else says yes; within it Control or Command with Enter does, and Escape says no.
 */
export function drawConsent({ proposal, icon, answer }: ConsentCardOptions): HTMLElement {
  const words = wordsOf(proposal);
  const button = (decision: Decision, text: string, kind = '') =>
    el('button', { type: 'button', class: `dragoman-button ${kind}`, onclick: () => answer(decision) }, text);
  const kind = proposal.kind === 'delete' ? 'mod-warning' : 'mod-cta';
  const keys = (event: Event) => {
    if (!(event instanceof KeyboardEvent) || event.repeat) return;
    const isYes = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (!isYes && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    answer(isYes ? 'approve' : 'reject');
  };
  return el(
    'section',
    { class: 'dragoman-consent', role: 'group', 'aria-label': words.title, tabindex: '-1', onkeydown: keys },
    el(
      'div',
      { class: 'dragoman-consent-title' },
      iconOf(words.icon, icon),
      el('span', {}, words.title),
      ...countOf(proposal),
    ),
    ...bodyOf(proposal),
    el(
      'div',
      { class: 'dragoman-buttons' },
      button('approve', words.approve, kind),
      button('reject', 'Reject'),
      button('approve-all', words.approveAll, 'dragoman-quiet'),
    ),
    el('p', { class: 'dragoman-keys' }, 'Ctrl or ⌘ with Enter: yes. Escape: no.'),
  );
}

function countOf(proposal: Proposal): readonly HTMLElement[] {
  if (proposal.kind === 'call' || proposal.diff === '') return [];
  const { added, removed } = countChanges(proposal.diff);
  const label = `${added} lines added, ${removed} removed`;
  return [
    el(
      'span',
      { class: 'dragoman-count', role: 'img', 'aria-label': label },
      el('span', { class: 'is-added' }, `+${added}`),
      el('span', { class: 'is-removed' }, `−${removed}`),
    ),
  ];
}

function bodyOf(proposal: Proposal): readonly HTMLElement[] {
  if (proposal.kind === 'call') {
    const who = `${proposal.source} runs it and gets these arguments. What it does cannot be seen or taken back here.`;
    return [el('p', { class: 'dragoman-muted' }, who), drawArguments(proposal.arguments)];
  }
  if (proposal.kind === 'move') return [];
  if (proposal.diff !== '') return [drawDiff(proposal.diff, 'What changes')];
  return [el('p', { class: 'dragoman-muted' }, 'The file is empty.')];
}
