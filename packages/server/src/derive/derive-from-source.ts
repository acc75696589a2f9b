import { afterUser } from './call-region.ts';
import { type Derivation, deriveTable } from './derive-table.ts';
import { findMention } from './find-mention.ts';
import type { FoundTemplate } from './read-template-source.ts';
import { RenderError, type RenderLimits, renderTemplate } from './render-template.ts';
import { allConversations, type Conversation, plainConversations } from './samples.ts';

/**
 * Renders all samples by a template and derives what it writes. Throws RenderError as `renderTemplate` does, and where the
 * template refuses every conversation.
 */
export async function deriveFromSource(found: FoundTemplate, limits?: RenderLimits): Promise<Derivation> {
  const conversations = allConversations();
  const texts = new Map<string, string>();
  let refusal = '';
  // Templates for models that see take content as a list of parts, and some fail over tools beside that.
  const parts = conversations.map(inParts);
  for (const given of [conversations, parts, conversations.map(withoutTools), parts.map(withoutTools)]) {
    const renderings = await renderTemplate(found, given, limits);
    for (const [index, rendering] of renderings.entries()) {
      const key = keyOf(conversations[index]);
      if ('text' in rendering) texts.set(key, rendering.text);
      else refusal = rendering.refused;
    }
    if (texts.has(keyOf(plainConversations.said))) break;
  }
  if (texts.size === 0) throw new RenderError(`refuses every conversation: ${refusal}`);
  const derivation = deriveTable((conversation) => texts.get(keyOf(conversation)), found.eos);
  const turns = afterUser(texts.get(keyOf(plainConversations.answered)) ?? '');
  const mention = derivation.table === undefined ? findMention(found.source, turns) : undefined;
  return mention === undefined ? derivation : { ...derivation, mention };
}

/** Conversations are compared by what they say. */
function keyOf(conversation: Conversation | undefined): string {
  return JSON.stringify(conversation);
}

function withoutTools({ tools: _, ...conversation }: Conversation): Conversation {
  return conversation;
}

function inParts(conversation: Conversation): Conversation {
  const messages = conversation.messages.map((message) => {
    const { content } = message;
    return typeof content === 'string' ? { ...message, content: [{ type: 'text', text: content }] } : message;
  });
  return { ...conversation, messages };
}
