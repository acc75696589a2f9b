import { type Message, textOf } from '../chat/message.ts';
import type { SystemText } from '../plan/rules.ts';
import type { Prompt, Said } from './prompt.ts';

/** How a platform that has a field for system text is told of it. */
export interface SystemField {
  /** `system`: in the field, with each message; `first-user`: in what is said, where it is due; `both`: both. */
  readonly placement: SystemText;
  /** What is in the field where the system text is not. */
  readonly redundant?: string | undefined;
}

/**
 * A short text that sends a model to its instructions, for the field of a platform that may begin to read it. The
 * instructions themselves would then be told twice.
 */
export const shortSystemText = 'Follow the instructions and use the tools that this conversation begins with.';

/** A prompt for a platform with a field for system text: what is a system message then goes there. */
export function promptWithField(prompt: Prompt, { placement, redundant }: SystemField): Prompt {
  const inText = placement !== 'system';
  const short = redundant === undefined ? [] : [systemMessage(redundant)];
  const inField = () => (placement === 'first-user' ? short : prompt.system());
  const said = ({ messages, ...rest }: Said): Said => ({
    ...rest,
    messages: [...inField(), ...messages.map(asSpoken)],
  });
  return {
    ...prompt,
    whole: (withSystem = true) => said(prompt.whole(withSystem && inText)),
    news: (withSystem, changed) => said(prompt.news(withSystem && inText, changed)),
  };
}

/** A prompt without its system text and tools, which the platform knows from somewhere else. */
export function promptWithoutSystem(prompt: Prompt): Prompt {
  return {
    ...prompt,
    system: () => [],
    whole: () => prompt.whole(false),
    news: (_, changed) => prompt.news(false, changed),
  };
}

function asSpoken(message: Message): Message {
  return message.role === 'system'
    ? { role: 'user', content: [{ type: 'text', text: textOf(message.content) }] }
    : message;
}

function systemMessage(text: string): Message {
  return { role: 'system', content: [{ type: 'text', text }] };
}
