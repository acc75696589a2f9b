import {
  type Activity,
  type AssistantChatMessage,
  activitiesOf,
  type Change,
  type ChatCall,
  type ChatMessage,
  diffOf,
} from '@dragoman/agent';
import { drawArguments, drawText } from './arguments-view.ts';
import { drawDiff } from './diff-view.ts';
import { type DrawIcon, el, iconOf } from './dom.ts';

export interface ActivityOptions {
  readonly icon: DrawIcon;
  /** Keeps which lines are open while the view is. */
  readonly expanded: Set<string>;
  readonly undo: (change: Change) => void;
}

/** What the calls of one message are shown with. */
export interface ActivityState {
  /** The messages after it. */
  readonly rest: readonly ChatMessage[];
  readonly changes: readonly Change[];
  /** The chat is at work: nothing can be taken back now. */
  readonly isBusy: boolean;
}

const icons = {
  running: 'loader',
  ok: 'check',
  error: 'x',
  rejected: 'ban',
  cancelled: 'circle-slash',
} as const;

/** The lines of what one message called. Each opens, and then shows the arguments and the result. */
export class ActivityLines {
  readonly element = el('ul', { class: 'dragoman-activities', 'aria-label': 'What was done' });
  readonly #message: AssistantChatMessage;
  readonly #options: ActivityOptions;
  readonly #drawn = new Map<string, { readonly key: string; readonly line: HTMLElement }>();

  constructor(message: AssistantChatMessage, options: ActivityOptions) {
    this.#message = message;
    this.#options = options;
  }

  /** Draws anew the lines that are others now. */
  update(state: ActivityState): void {
    const lines = activitiesOf(this.#message, state.rest) ?? [];
    for (const activity of lines) {
      const call = this.#message.tool_calls?.find(({ id }) => id === activity.callId);
      if (call === undefined) continue;
      const changes = state.changes.filter(({ callId }) => callId === activity.callId);
      const undone = changes.map(({ id, undone: isUndone }) => `${id}${isUndone === true}`);
      const key = JSON.stringify([activity.status, undone]);
      const drawn = this.#drawn.get(activity.callId);
      for (const button of drawn?.line.querySelectorAll<HTMLButtonElement>('.dragoman-undo') ?? []) {
        button.disabled = state.isBusy;
      }
      if (drawn?.key === key) continue;
      // A page tells later that a line was opened.
      if (drawn?.line.querySelector('details')?.open === true) this.#options.expanded.add(activity.callId);
      const line = this.#draw({ activity, call, changes, state });
      const hadFocus = drawn?.line.contains(document.activeElement) === true;
      if (drawn === undefined) this.element.append(line);
      else drawn.line.replaceWith(line);
      if (hadFocus) line.querySelector('summary')?.focus();
      this.#drawn.set(activity.callId, { key, line });
    }
  }

  #draw({ activity, call, changes, state }: LineOptions): HTMLElement {
    const { icon, expanded, undo } = this.#options;
    const { status, text, callId } = activity;
    const isUndone = changes.length > 0 && changes.every((change) => change.undone === true);
    const summary = el(
      'summary',
      {},
      iconOf(isUndone ? 'undo-2' : icons[status], icon),
      el('span', { class: 'dragoman-activity-text' }, text),
      ...(isUndone ? [el('span', { class: 'dragoman-muted' }, 'taken back')] : []),
    );
    const details = el('details', { class: 'dragoman-activity', 'data-status': isUndone ? 'undone' : status }, summary);
    const open = () => {
      if (details.childElementCount === 1) details.append(drawDetails({ activity, call, changes, state }));
    };
    details.addEventListener('toggle', () => {
      if (details.open) expanded.add(callId);
      else expanded.delete(callId);
      if (details.open) open();
    });
    if (expanded.has(callId)) {
      open();
      details.open = true;
    }
    const buttons = changes
      .filter((change) => change.undone !== true)
      .map((change) =>
        el(
          'button',
          {
            type: 'button',
            class: 'dragoman-link dragoman-undo',
            'aria-label': `Undo: ${text}`,
            disabled: state.isBusy,
            onclick: () => undo(change),
          },
          'Undo',
        ),
      );
    return el('li', {}, details, ...buttons);
  }
}

interface LineOptions {
  readonly activity: Activity;
  readonly call: ChatCall;
  readonly changes: readonly Change[];
  readonly state: ActivityState;
}

function drawDetails({ activity, call, changes, state }: LineOptions): HTMLElement {
  const result = state.rest.find((message) => message.role === 'tool' && message.tool_call_id === activity.callId);
  const diffs = changes
    .filter(({ kind }) => kind !== 'move')
    .map((change) => drawDiff(diffOf(change), 'What was changed'));
  return el(
    'div',
    { class: 'dragoman-activity-details' },
    el('div', { class: 'dragoman-label' }, `${call.name}: ${diffs.length > 0 ? 'what was changed' : 'arguments'}`),
    ...(diffs.length > 0 ? diffs : [drawArguments(call.arguments)]),
    ...(result === undefined ? [] : [el('div', { class: 'dragoman-label' }, 'Result'), drawText(result.content)]),
  );
}
