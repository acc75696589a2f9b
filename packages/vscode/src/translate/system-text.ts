import type { ReadMessage } from './read-messages.ts';

/**
 * VS Code's proposed role of system messages. The stable enum has no name for it, yet Copilot sends it with every request:
 * numbers are compared, never the enum.
 */
const systemRole = 3;

export interface SystemTextOptions {
  /** Whether a first message of the assistant that looks like a system prompt is taken for one. */
  readonly legacy: boolean;
  /** Said where the request has no system text of its own. */
  readonly fallback?: string;
  /** Is told in words what was left out. */
  readonly note: (text: string) => void;
}

export interface SystemText {
  /** Texts of all system messages in their order, an empty line between two of them; `''` for none. */
  readonly text: string;
  /** The conversation without them. */
  readonly messages: readonly ReadMessage[];
}

/**
 * Takes the system text out of the conversation. It must leave the messages: a model that reads its system prompt as
 * something that it or the user said sees a wrong conversation, and its tool calling breaks.
 */
export function takeSystemText(messages: readonly ReadMessage[], options: SystemTextOptions): SystemText {
  const isSystem = ({ role }: ReadMessage) => role === systemRole;
  const system = messages.filter(isSystem);
  const rest = messages.filter((message) => !isSystem(message));
  if (system.length > 0) return { text: joined(system, options), messages: rest };
  const [first, ...others] = messages;
  if (options.legacy && first !== undefined && others.length > 0 && isDisguised(first))
    return { text: joined([first], options), messages: others };
  return { text: options.fallback ?? '', messages };
}

function joined(messages: readonly ReadMessage[], { note }: SystemTextOptions): string {
  const texts = messages.map(({ parts }) => {
    for (const part of parts) if (part.kind !== 'text') note(`a ${part.kind} part of a system message was left out`);
    return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  });
  return texts.filter((text) => text.trim() !== '').join('\n\n');
}

/** How the system prompts of old versions begin. */
const openings = ['You are a ', 'You are an ', 'You are the ', 'You are GitHub', 'Your name is ', 'You must act as '];
/** Tags that instructions are in, and no answer begins with. */
const tags = ['<instructions>', '<instruction>', '<system>', '<system_prompt>', '<role>', '<identity>'];
/** Words that long instructions use, of which a long answer hardly has three. */
const keywords = ['follow the user', 'you must', 'do not', 'instructions', 'when asked', 'tool', 'never '];

/**
 * Old versions of Copilot, which knew no system role, sent its prompt as a first message of the assistant. An answer that
 * is first, as in a conversation that was cut, stays one: only text counts that begins with an opening or a tag, or
 * that is long, addresses the model and uses the words of instructions.
 */
function isDisguised({ role, parts }: ReadMessage): boolean {
  if (role !== 2 || parts.some((part) => part.kind !== 'text')) return false;
  const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  const start = text.trimStart();
  if (openings.some((opening) => start.startsWith(opening)) && start.length >= 100) return true;
  if (tags.some((tag) => start.startsWith(tag))) return true;
  const lower = start.toLowerCase();
  return (
    start.length >= 2000 && lower.includes('you are') && keywords.filter((word) => lower.includes(word)).length >= 3
  );
}
