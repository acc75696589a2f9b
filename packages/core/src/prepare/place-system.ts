import { type Message, textOf } from '../chat/message.ts';
import type { PromptRule, SystemLabels, SystemText } from '../plan/rules.ts';
import { extractInjectedSystem, injectSystemIntoUserMessage, type Placed, readSystems } from './inject-system.ts';
import type { SystemNote } from './prompt-notes.ts';

/** What is to be put where the upstream reads it. */
export interface Placement {
  /** The text that teaches the tools; empty: none are taught. */
  readonly toolText: string;
  readonly placement: SystemText;
  readonly labels?: SystemLabels;
  /** A short text for the system message, where the system text itself goes into a user message only. */
  readonly redundant?: string;
}

/** Where a model rule puts system text. */
export function placementOf(rule: PromptRule): Omit<Placement, 'toolText'> {
  const { systemText: placement, systemLabels: labels, redundantSystem: redundant } = rule;
  return { placement, labels, ...(redundant === undefined ? {} : { redundant }) };
}

/** The messages with the system text in its place. */
export interface PlacedSystem extends Placed {
  /** Present when there was system text and it went into a user message. */
  readonly system?: SystemNote;
}

/** Stands between the client's system text and the tool documentation. */
const separator = '\n\n---\n\n';

const defaultSystem = 'You are a helpful assistant.';

const toolHeading = 'Tools';

/**
 * Puts system text and tool documentation where the upstream reads them. The client's own text always comes first and
 * unchanged.
 *
 * `system`: one system message at the front, several joined by a blank line. `first-user`: the block of
 * `injectSystemIntoUserMessage`, and a `redundant` text as the system message; without any user message a synthetic user
 * turn in front carries it. `both`: both. When no tools are taught, `system` changes nothing at all. When they are and the
 * client sent no system text, a short default is in its place. Applied to its own output it changes nothing.
 */
export function placeSystem(messages: readonly Message[], where: Placement): PlacedSystem {
  const own = messages.filter((message) => !isRedundant(message, where));
  const { texts, warnings } = readSystems(own);
  switch (where.placement) {
    case 'system':
      return { messages: asSystem(messages, { texts, toolText: where.toolText }), warnings };
    case 'first-user': {
      const placed = asUser(own, where);
      const told = placed === own ? messages : [...redundantMessage(where), ...placed];
      return { messages: told, warnings, ...noteSystem(texts, 'first-user') };
    }
    case 'both': {
      const front = asSystem(messages, { texts, toolText: where.toolText }).filter(({ role }) => role === 'system');
      return { messages: [...front, ...asUser(messages, where)], warnings, ...noteSystem(texts, 'both') };
    }
    default:
      return where.placement satisfies never;
  }
}

function redundantMessage({ redundant }: Placement): readonly Message[] {
  return redundant === undefined ? [] : [{ role: 'system', content: [{ type: 'text', text: redundant }] }];
}

/** Whether an earlier run has put it there. */
function isRedundant({ role, content }: Message, { redundant }: Placement): boolean {
  return role === 'system' && redundant !== undefined && textOf(content) === redundant;
}

function noteSystem(texts: readonly string[], place: SystemText): Pick<PlacedSystem, 'system'> {
  if (texts.length === 0) return {};
  return { system: { place, texts: texts.length, length: texts.reduce((sum, text) => sum + text.length, 0) } };
}

function asSystem(
  messages: readonly Message[],
  told: { readonly texts: readonly string[]; readonly toolText: string },
): readonly Message[] {
  if (told.toolText === '') return messages;
  const first = messages.find((message) => message.role === 'system');
  const own = told.texts.length === 0 ? defaultSystem : told.texts.join('\n\n');
  const text = own.endsWith(separator + told.toolText) ? own : own + separator + told.toolText;
  const rest = messages.filter((message) => message.role !== 'system');
  return [{ ...first, role: 'system', content: [{ type: 'text', text }] }, ...rest];
}

function asUser(messages: readonly Message[], where: Placement): readonly Message[] {
  const { toolText, labels = 'agent' } = where;
  const { texts } = readSystems(messages);
  const own = texts.map(withoutTools(toolText)).filter((text) => text !== '');
  if (own.length === 0 && toolText === '') return messages;
  const systems: Message[] = (own.length === 0 ? [defaultSystem] : own).map((text) => ({
    role: 'system',
    content: [{ type: 'text', text }],
  }));
  const rest = messages.filter((message) => message.role !== 'system');
  if (teaches(rest, toolText)) return rest;
  const hasUser = rest.some((message) => message.role === 'user');
  const turns: readonly Message[] = hasUser ? rest : [{ role: 'user', content: [{ type: 'text', text: '' }] }, ...rest];
  return injectSystemIntoUserMessage([...systems, ...turns], {
    labels,
    when: 'always',
    ...(toolText === '' ? {} : { appendix: { heading: toolHeading, text: toolText } }),
  }).messages;
}

/** Whether the first user message already starts with a block that ends with this tool documentation. */
function teaches(messages: readonly Message[], toolText: string): boolean {
  const [first] = messages.find((message) => message.role === 'user')?.content ?? [];
  if (toolText === '' || first?.type !== 'text' || !first.text.startsWith('<')) return false;
  return extractInjectedSystem(first.text)?.endsWith(`=== ${toolHeading} ===\n${toolText}`) ?? false;
}

/** A system text without the tool documentation that an earlier run has put after it. */
function withoutTools(toolText: string): (text: string) => string {
  const tail = separator + toolText;
  return (text) => (toolText !== '' && text.endsWith(tail) ? text.slice(0, -tail.length) : text);
}
