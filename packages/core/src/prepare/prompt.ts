import { hexDigestOf } from '../chat/digest.ts';
import { type Message, textOf } from '../chat/message.ts';
import type { Warning } from '../chat/warning.ts';
import type { TemplateName } from '../plan/prompt-template.ts';

/** What is said to an upstream. */
export interface Said {
  readonly messages: readonly Message[];
  /** The template that it was written by; absent: by none. */
  readonly template?: TemplateName;
  readonly warnings: readonly Warning[];
}

/** What an upstream is told in a request: all of it, or what it does not know yet. */
export interface Prompt {
  /** Digest of the system text and tools of the request. */
  digest(): string;
  /** All that the model has been told or is told now, for whoever looks for words in it. */
  messagesSeen(): readonly Message[];
  /** System text and tools, as messages of their own. */
  system(): readonly Message[];
  /** Everything, for one that knows nothing of it; unless `withSystem` is false with system text and tools. */
  whole(withSystem?: boolean): Said;
  /**
   * What comes after the last answer; with system text and tools, too, where it was told others. `changed`: texts of the
   * user's past that say something else now; they are told before it.
   */
  news(withSystem: boolean, changed?: readonly string[]): Said;
  /** What was said in the whole history, without system text. */
  readonly spoken: readonly Message[];
}

/** A prompt of messages as they are. System text, and tools taught in it, are system messages. */
export function plainPrompt(messages: readonly Message[]): Prompt {
  const system = () => messages.filter(({ role }) => role === 'system');
  const said = (told: readonly Message[], withSystem: boolean): Said => {
    const rest = withSystem ? told : told.filter(({ role }) => role !== 'system');
    return { messages: rest, warnings: [] };
  };
  return {
    digest: () => {
      const texts = system().map(({ content }) => textOf(content));
      return hexDigestOf(texts.join('\n\n'));
    },
    messagesSeen: () => messages,
    system,
    whole: (withSystem = true) => said(messages, withSystem),
    news: (withSystem, changed = []) => {
      const since = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
      const news = since.filter(({ role }) => role !== 'system');
      return said([...system(), ...changed.map(asUserMessage), ...news], withSystem);
    },
    spoken: messages.filter(({ role }) => role !== 'system'),
  };
}

function asUserMessage(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}
