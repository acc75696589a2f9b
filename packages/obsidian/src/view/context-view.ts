import {
  type ChatMessage,
  crowdedByToolsText,
  type Prompt,
  type PromptPart,
  type PromptPartName,
  type Session,
} from '@dragoman/agent';
import { drawText } from './arguments-view.ts';
import { type DrawIcon, el } from './dom.ts';
import { placeholder, Sheet } from './sheet.ts';

const names: Readonly<Record<PromptPartName, string>> = {
  charter: 'Charter',
  rules: 'Rules',
  voice: 'Voice',
  guide: 'How to work',
  tools: 'Tools',
  memory: 'Memory',
  summary: 'Summary of earlier messages',
  history: 'Earlier messages',
  activeNote: 'Active note',
  selection: 'Selection',
  request: 'Your message',
};

/** How full the context was at the last request, from 0 to 1; undefined before the first one. */
export function fillOf(prompt: Prompt | undefined): number | undefined {
  if (prompt === undefined) return undefined;
  return Math.min(1, prompt.parts.reduce((sum, { used }) => sum + used, 0) / prompt.room);
}

/** Whether something did not fit. */
export function isCut(prompt: Prompt | undefined): boolean {
  return prompt?.parts.some(({ used, of }) => used < of) === true;
}

export interface ContextSheetOptions {
  readonly icon: DrawIcon;
  readonly session: Session;
  /** Tokens that the model can read, where that is known. */
  readonly window: number | undefined;
  readonly isBusy: boolean;
  readonly compact: () => void;
  readonly expand: () => void;
  readonly closed: () => void;
}

/** What the model was sent at the last request, part by part, and what of it was cut. */
export function openContext(parent: HTMLElement, options: ContextSheetOptions): Sheet {
  const { icon, session, isBusy, compact, expand, closed } = options;
  const sheet = new Sheet({ title: 'What the model was sent', icon, closed });
  const { lastPrompt: prompt } = session;
  const act = (text: string, run: () => void) =>
    el(
      'button',
      {
        type: 'button',
        class: 'dragoman-button',
        disabled: isBusy,
        onclick: () => {
          sheet.close();
          run();
        },
      },
      text,
    );
  const hasSummary = session.chat.compaction !== undefined;
  const tools = el(
    'div',
    { class: 'dragoman-buttons' },
    act('Summarise earlier messages now', compact),
    ...(hasSummary ? [act('Send all messages in full again', expand)] : []),
  );
  if (prompt === undefined) {
    const text =
      'Nothing was sent since this chat was opened. When you send a message, you see here what it was made of.';
    sheet.body.append(placeholder(text), tools);
  } else {
    const crowded = crowdedByToolsText(prompt);
    sheet.body.append(
      el('p', { class: 'dragoman-muted' }, totalsOf(prompt, options)),
      el('ul', { class: 'dragoman-parts' }, ...prompt.parts.map((part) => drawPart(part, prompt.room))),
      ...(crowded === undefined ? [] : [el('p', { class: 'dragoman-crowded' }, crowded)]),
      tools,
      drawDetails('Instructions', prompt.system),
      ...prompt.tools.map(drawTool),
      ...prompt.messages.map(drawMessage),
    );
  }
  sheet.open(parent);
  return sheet;
}

function totalsOf(prompt: Prompt, { session, window }: ContextSheetOptions): string {
  const used = prompt.parts.reduce((sum, part) => sum + part.used, 0);
  const { inputTokens, outputTokens } = session.lastUsage ?? {};
  const tokens = [
    ...(inputTokens === undefined ? [] : [`${inputTokens.toLocaleString()} tokens read`]),
    ...(outputTokens === undefined ? [] : [`${outputTokens.toLocaleString()} written`]),
  ].join(', ');
  const most = window === undefined ? '' : ` The model can read ${window.toLocaleString()} tokens.`;
  const sum = `${used.toLocaleString()} of ${prompt.room.toLocaleString()} characters.`;
  return `${sum}${tokens === '' ? '' : ` Last answer: ${tokens}.`}${most}`;
}

function drawPart({ name, used, of }: PromptPart, room: number): HTMLElement {
  const cut = of - used;
  const bar = el('span', { class: 'dragoman-bar', 'aria-hidden': 'true' }, el('span', {}));
  bar.style.setProperty('--share', String(Math.min(1, used / room)));
  const words = cut > 0 ? `${used.toLocaleString()} of ${of.toLocaleString()}` : used.toLocaleString();
  return el(
    'li',
    { ...(cut > 0 && { class: 'is-cut' }) },
    el('span', { class: 'dragoman-part-name' }, names[name]),
    el('span', { class: 'dragoman-part-count' }, words),
    bar,
    ...(cut > 0
      ? [el('span', { class: 'dragoman-part-cut' }, `${cut.toLocaleString()} characters were left out`)]
      : []),
  );
}

/** As a model of its own reads it; others are told the same in the words of their dialect. */
function drawTool({ name, description = '', inputSchema }: Prompt['tools'][number]): HTMLElement {
  return drawDetails(name, [description, JSON.stringify(inputSchema, null, 2)].join('\n'));
}

const roles = { system: 'Note', user: 'You', assistant: 'Model', tool: 'Result' } as const;

function drawMessage(message: ChatMessage): HTMLElement {
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
  const called = calls.map(({ name, arguments: values }) => `${name} ${JSON.stringify(values)}`);
  return drawDetails(roles[message.role], [message.content, ...called].filter((text) => text !== '').join('\n'));
}

function drawDetails(title: string, text: string): HTMLElement {
  const details = el(
    'details',
    { class: 'dragoman-sent' },
    el(
      'summary',
      {},
      el('strong', {}, title),
      el('span', { class: 'dragoman-muted' }, text.slice(0, 120).split('\n').join(' ')),
    ),
  );
  details.addEventListener('toggle', () => {
    if (details.open && details.childElementCount === 1) details.append(drawText(text));
  });
  return details;
}
