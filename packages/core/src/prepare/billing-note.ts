import type { Message } from '../chat/message.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { Upstream } from '../plan/setup.ts';

/**
 * Claude Code's first words to Anthropic, for its books: `x-anthropic-billing-header: cc_version=2.1.197.8a5; …`. Their
 * last letters follow from the conversation's first message, so no two conversations begin alike, and a server that keeps
 * what it has read of prompts would read all of the system text and the tools again for each of them.
 */
const billingNote = 'x-anthropic-billing-header:';

/** The request without the note, for everybody but Anthropic; the very same one where there is none. */
export function withoutBillingNote(request: ChatRequest, upstream: Upstream): ChatRequest {
  const [first, ...others] = request.messages;
  if (isMeant(upstream) || first?.role !== 'system' || !first.content.some(isNote)) return request;
  const content = first.content.filter((part) => !isNote(part));
  const rest: readonly Message[] = content.length === 0 ? [] : [{ ...first, content }];
  return { ...request, messages: [...rest, ...others] };
}

/** The same for a body that is passed on as the client sent it. */
export function bodyWithoutBillingNote(
  body: Readonly<Record<string, unknown>>,
  upstream: Upstream,
): Readonly<Record<string, unknown>> {
  const { system } = body;
  if (isMeant(upstream) || !Array.isArray(system) || !system.some(isNote)) return body;
  return { ...body, system: system.filter((block) => !isNote(block)) };
}

function isMeant({ wire, vendor }: Upstream): boolean {
  return vendor === true && wire === 'anthropic-messages';
}

function isNote(block: unknown): boolean {
  const text = typeof block === 'object' && block !== null && 'text' in block ? block.text : undefined;
  return typeof text === 'string' && text.startsWith(billingNote);
}
