import { type Message, textOf } from '../../chat/message.ts';
import type { Warning } from '../../chat/warning.ts';
import { orTooLong, saysWords } from '../message-too-long.ts';
import { readError, unreadableAnswer } from '../read-upstream-error.ts';
import { reportForeign, reportSampling } from '../report-dropped.ts';
import { textAt } from '../value-at.ts';
import type { ConversationRules, UpstreamWire } from '../wire.ts';
import { writeSingleText } from '../write-single-text.ts';
import type { ConversationDescription } from './description.ts';
import { asksFor, fillTemplate } from './description.ts';
import { createStreamReader, isRefusal, readMessage } from './read-stream.ts';

export type { ConversationDescription, RequestTemplate } from './description.ts';

const wireId = 'conversation';

/**
 * A chat platform that keeps the conversation on its side, as a description tells: it takes one text at a time, and
 * neither system text nor tools. It has no other settings, so what a request says beside its messages is dropped and
 * told.
 */
export function createConversationUpstream(description: ConversationDescription): UpstreamWire {
  return {
    id: wireId,
    textOnly: true,
    cannotStop: true,
    cannotLimit: true,
    outputFormats: [],
    framing: description.framing,
    conversation: rulesOf(description),
    writeRequest(request, model, _quirks, place) {
      const warnings: Warning[] = [];
      reportForeign(warnings, request.extra, wireId);
      reportSampling(warnings, request.sampling, wireId);
      const isFirst = place?.id === undefined && place?.parent === undefined;
      const template = (isFirst ? description.first : undefined) ?? description.send;
      const { system, said } = asksFor(template, 'system') ? apart(request.messages) : { said: request.messages };
      const text = writeSingleText(said, { wire: wireId, warnings });
      const written = fillTemplate(template, { model, conversation: place?.id, parent: place?.parent, text, system });
      return { ...written, warnings };
    },
    createStreamReader: (request) => createStreamReader(description, request),
    readMessage: (body, request) => readMessage(description, body, request),
    readError: (status, body) => orTooLong(readError(status, body)),
  };
}

/** System text for its field; empty where there is none. */
function apart(messages: readonly Message[]): { readonly system: string; readonly said: readonly Message[] } {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => textOf(content));
  return { system: system.join('\n\n'), said: messages.filter(({ role }) => role !== 'system') };
}

function rulesOf({ create, send, reply, lost, busy }: ConversationDescription): ConversationRules {
  return {
    branches: asksFor(send, 'parent'),
    hasSystemField: asksFor(send, 'system'),
    refuses: (body) => isRefusal(body, reply),
    isLost: (status, body) => says(lost, { status, body }),
    isBusy: (status, body) => says(busy, { status, body }),
    ...(create === undefined
      ? {}
      : {
          create: {
            write: (model: string) => ({ ...fillTemplate(create, { model }), warnings: [] }),
            read: (body: unknown) => {
              const id = textAt(body, create.id);
              if (id !== undefined) return id;
              throw unreadableAnswer(body, `a new conversation with its id at ${create.id.join('.')}`);
            },
          },
        }),
  };
}

function says(
  { statuses, words }: ConversationDescription['lost'],
  { status, body }: { readonly status: number; readonly body: unknown },
): boolean {
  return statuses.includes(status) || saysWords(body, words);
}
