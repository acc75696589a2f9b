import { type Message, type SystemMessage, type TextPart, textOf, type UserMessage } from '../chat/message.ts';
import type { Warning } from '../chat/warning.ts';
import { isDigit } from '../json/json-characters.ts';
import type { SystemLabels } from '../plan/rules.ts';

/** How system text is moved into a user message; each field has a default. */
export interface InjectOptions {
  readonly labels?: SystemLabels;
  /** `new-conversation` (default): only while no assistant or tool message is in the list; `always`: whenever it can. */
  readonly when?: 'always' | 'new-conversation';
  /** A last section after the client's own, such as the tool documentation. */
  readonly appendix?: { readonly heading: string; readonly text: string };
}

/** The messages with their system text moved, and what had to be said about it. */
export interface Placed {
  readonly messages: readonly Message[];
  readonly warnings: readonly Warning[];
}

/** System text above this many UTF-16 units is reported. */
const longSystem = 10_000;

const firstTag = 'system_context';
const secondTag = 'agent_system_context';

/**
 * Moves all system text into the first user message, for upstreams that read no system messages: a block
 * `<system_context>` with one headed section for each system message, a blank line, and the user's own text unchanged
 * after it. The tag gets another name if any text already uses it. Content that is more than one text gets the block as
 * a new first part.
 *
 * Without a system message, without a user message, or in a running conversation (see `when`) the list comes back as it
 * is; what to do then is the caller's decision. A message that already starts with this very block is not extended. The
 * input is never changed.
 */
export function injectSystemIntoUserMessage(messages: readonly Message[], options: InjectOptions = {}): Placed {
  const running = messages.some((message) => message.role === 'assistant' || message.role === 'tool');
  const at = messages.findIndex((message) => message.role === 'user');
  const user = messages[at];
  const { texts, warnings } = readSystems(messages);
  if (user?.role !== 'user' || (texts.length === 0 && options.appendix === undefined)) return { messages, warnings };
  if (running && options.when !== 'always') return { messages, warnings };
  const sections = writeSections(texts, options);
  if (startsWithBlock(user, sections)) return { messages: withoutSystems(messages), warnings };
  const block = writeBlock(freeTag(messages, sections), sections);
  const injected = messages.map((message, index) => (index === at ? prepend(user, block) : message));
  return { messages: withoutSystems(injected), warnings };
}

/** The inner text of an injected block, wherever it is in a prompt; undefined when there is none. */
export function extractInjectedSystem(text: string): string | undefined {
  let best: { readonly at: number; readonly inner: string } | undefined;
  for (const opener of [`<${firstTag}`, `<${secondTag}`]) {
    for (let at = text.indexOf(opener); at !== -1; at = text.indexOf(opener, at + 1)) {
      if (best !== undefined && best.at < at) break;
      const name = tagAt(text, at);
      if (name === undefined) continue;
      const end = at + name.length + 1;
      const close = text.indexOf(`\n</${name}>`, end + 1);
      if (close === -1) break;
      best = { at, inner: text.slice(end + 2, close) };
      break;
    }
  }
  return best?.inner;
}

/** The system texts that are not empty, with what has to be said about them. */
export function readSystems(messages: readonly Message[]): {
  readonly texts: readonly string[];
  readonly warnings: readonly Warning[];
} {
  const systems = messages.filter((message): message is SystemMessage => message.role === 'system');
  const texts = systems.map((message) => textOf(message.content)).filter((text) => text !== '');
  const warnings: Warning[] = [];
  if (systems.some((message) => message.content.some((part) => part.type === 'image'))) {
    warnings.push({ code: 'part-dropped', message: 'An image in a system message was left out.' });
  }
  const size = texts.reduce((sum, text) => sum + text.length, 0);
  if (size > longSystem) {
    warnings.push({
      code: 'system-long',
      message: `The system text has ${size} characters. Shorten it if the context window is small.`,
    });
  }
  return { texts, warnings };
}

function writeSections(texts: readonly string[], options: InjectOptions): string {
  const sections = texts.map((text, index) => `=== ${heading(index, options.labels ?? 'agent')} ===\n${text}`);
  if (options.appendix !== undefined) sections.push(`=== ${options.appendix.heading} ===\n${options.appendix.text}`);
  return sections.join('\n\n');
}

function heading(index: number, labels: SystemLabels): string {
  if (labels === 'parts') return `System Instructions (Part ${index + 1})`;
  if (index === 0) return 'Agent Instructions';
  return index === 1 && labels === 'workspace' ? 'Workspace Context' : `System Context ${index + 1}`;
}

function writeBlock(tag: string, sections: string): string {
  return `<${tag}>\n${sections}\n</${tag}>\n\n`;
}

function withoutSystems(messages: readonly Message[]): readonly Message[] {
  return messages.filter((message) => message.role !== 'system');
}

function prepend(user: UserMessage, block: string): UserMessage {
  const [first] = user.content;
  const only = user.content.length === 1 && first?.type === 'text' ? first : undefined;
  const content: UserMessage['content'] = only
    ? [{ ...only, text: block + only.text }]
    : [{ type: 'text', text: block } satisfies TextPart, ...user.content];
  return { ...user, content };
}

/** Our own mark is the block itself: only the very same text before the message counts as already there. */
function startsWithBlock(user: UserMessage, sections: string): boolean {
  const [first] = user.content;
  if (first?.type !== 'text' || !first.text.startsWith('<')) return false;
  const name = tagAt(first.text, 0);
  return name !== undefined && first.text.startsWith(writeBlock(name, sections));
}

/** The name of the block whose opening line starts at `at`. */
function tagAt(text: string, at: number): string | undefined {
  const opening = text.slice(at, at + secondTag.length + 24);
  const name = opening.slice(1, Math.max(opening.indexOf('>\n'), 1));
  return isBlockTag(name) ? name : undefined;
}

function isBlockTag(name: string): boolean {
  if (name === firstTag || name === secondTag) return true;
  if (!name.startsWith(`${secondTag}_`)) return false;
  const number = Number(name.slice(secondTag.length + 1));
  return Number.isSafeInteger(number) && number > 1 && name === `${secondTag}_${number}`;
}

/** A tag name that no text of the user and no section uses; numbered from 2 when both usual names are taken. */
function freeTag(messages: readonly Message[], sections: string): string {
  const texts = [sections];
  for (const message of messages) if (message.role === 'user') texts.push(textOf(message.content));
  const taken = new Set<string>();
  for (const text of texts) collectNames(text, taken);
  if (!taken.has(firstTag)) return firstTag;
  if (!taken.has(secondTag)) return secondTag;
  let number = 2;
  while (taken.has(`${secondTag}_${number}`)) number += 1;
  return `${secondTag}_${number}`;
}

/** Which of the names a text uses as a tag, found in one walk. */
function collectNames(text: string, taken: Set<string>): void {
  for (let at = text.indexOf(firstTag); at !== -1; at = text.indexOf(firstTag, at + 1)) {
    const prefix = secondTag.length - firstTag.length;
    const start = text.startsWith(secondTag, at - prefix) ? at - prefix : at;
    const before = text[start - 1];
    if (before !== '<' && !(before === '/' && text[start - 2] === '<')) continue;
    let end = at + firstTag.length;
    if (start === at) {
      taken.add(firstTag);
      continue;
    }
    taken.add(secondTag);
    if (text[end] !== '_') continue;
    const digits = end + 1;
    end = digits;
    while (end - digits < 16 && isDigit(text.charCodeAt(end))) end += 1;
    taken.add(`${secondTag}_${text.slice(digits, end)}`);
  }
}
