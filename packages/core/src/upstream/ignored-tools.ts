import type { Usage } from '../chat/event.ts';
import type { ChatRequest } from '../chat/request.ts';

/** Tools with fewer words than that are lost between what a template adds of its own and what it leaves out. */
const fewestWords = 16;

/** What tells that tools were ignored, in words and tokens. */
export interface IgnoredTools {
  /** Tokens, as the server says. */
  readonly read: number;
  /** Words of the messages and of what the tools are described by. */
  readonly sent: number;
}

/**
 * Whether a server has read the messages and nothing of the tools beside them: it says that it read fewer tokens than
 * messages and tools have words, though as many as the messages alone have. No tokenizer makes one token of two words, and
 * every template that knows tools writes their names and descriptions. So it is certain where it shows; with long messages
 * and short tools it does not show. Of a server that leaves out of a prompt what does not fit, nothing can be told.
 */
export function findIgnoredTools(request: ChatRequest, usage: Usage): IgnoredTools | undefined {
  if (usage.source !== 'upstream' || usage.truncates === true) return undefined;
  let said = 0;
  for (const { role, content } of request.messages) {
    // A template that knows no tools may leave out their results.
    if (role === 'tool') continue;
    for (const part of content) if (part.type === 'text') said += countWords(part.text);
  }
  let described = 0;
  for (const { name, description = '' } of request.tools) described += countWords(name) + countWords(description);
  const read = usage.inputTokens;
  const sent = said + described;
  return described >= fewestWords && read >= said && read < sent ? { read, sent } : undefined;
}

/** How many runs of other characters than white space a text has. */
function countWords(text: string): number {
  let words = 0;
  let isInside = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isBlank = code === 32 || (code >= 9 && code <= 13);
    if (!isBlank && !isInside) words += 1;
    isInside = !isBlank;
  }
  return words;
}
