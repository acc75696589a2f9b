import { DragomanError } from '../../errors.ts';
import { FrameReader } from '../frame-reader.ts';
import { saysWords } from '../message-too-long.ts';
import { isObject } from '../read-values.ts';
import { textAt } from '../value-at.ts';
import type { ConversationRules, UpstreamWire } from '../wire.ts';
import { readError, readFailure, readUnreadable, tellsFailure, unreadable } from './errors.ts';
import { qwenModels } from './read-models.ts';
import { answerIn, QwenReader, readMessage } from './read-stream.ts';
import { type ClockAndIds, type QwenChatSettings, qwenChatDefaults, wireId } from './types.ts';
import { writeCreate, writeRequest, writeStop } from './write-request.ts';

export { type QwenChatSettings, qwenChatDefaults } from './types.ts';

/**
 * A chat platform with the API of Qwen's web chat: it keeps the conversation on its side, takes one text at a time after
 * the parent that its last reply has announced, and knows neither tools nor system text nor sampling.
 */
export function createQwenChatUpstream(
  given: Partial<QwenChatSettings> = {},
  surroundings: ClockAndIds = { now: Date.now, newId: () => crypto.randomUUID() },
): UpstreamWire {
  const settings = { ...qwenChatDefaults, ...given };
  return {
    id: wireId,
    textOnly: true,
    cannotStop: true,
    cannotLimit: true,
    outputFormats: [],
    framing: 'sse',
    conversation: rulesOf(settings, surroundings),
    writeRequest: (request, model, _quirks, place = {}) =>
      writeRequest(request, { model, place, settings, surroundings }),
    createStreamReader:
      ({ model }) =>
      (sink) =>
        new FrameReader(new QwenReader(sink, { model, settings })),
    readMessage: (body, { model }) => readMessage(body, { model, settings }),
    readError,
    readUnreadable,
    models: qwenModels,
  };
}

/** What a platform says that still writes another reply in the chat. */
const busyWords: readonly string[] = ['The chat is in progress'];

function rulesOf(settings: QwenChatSettings, surroundings: ClockAndIds): ConversationRules {
  return {
    branches: true,
    create: {
      write: (model) => writeCreate(model, { settings, surroundings }),
      read: (body) => {
        if (tellsFailure(body)) throw notBegun(readFailure(body));
        const id = isObject(body) ? textAt(body.data, ['id']) : undefined;
        if (id === undefined) throw unreadable(body, 'a new chat with an id');
        return id;
      },
    },
    refuses: (body) => tellsFailure(body) || answerIn(body) === undefined,
    isLost: (status, body) => status === 404 || status === 410 || saysWords(body, settings.lost),
    isBusy: (status, body) => status === 409 || status === 423 || saysWords(body, busyWords),
    stop: writeStop,
  };
}

/** What was refused here is no request of the client's. */
function notBegun(failure: DragomanError): DragomanError {
  return failure.code === 'upstream-refused' ? new DragomanError('upstream-failed', failure.message) : failure;
}

export const qwenChatUpstream: UpstreamWire = createQwenChatUpstream();
