import { inputItems, parseJson } from '@dragoman/core';
import { isRecord } from '../is-record.ts';
import type { RecordBody, RecordHead } from '../records/exchange-record.ts';
import { version } from '../version.ts';
import { type Recording, RecordingError } from './recording.ts';

/** Errors of a reply that was broken off by something outside of it, so that no upstream's answer brings it about again. */
const fromOutside: readonly string[] = ['draining', 'response-cancelled'];

/**
 * The recording of a recorded exchange. Throws RecordingError where something is missing without which it could not be
 * replayed.
 */
export function recordingOf(record: RecordHead): Recording {
  const { said, id, at, requestId, wire, method, route, replyId, model, plan, stream, status, error } = record;
  if (said === undefined) {
    throw new RecordingError(
      `Of ${id} only metadata was recorded. Set "records.level" to "full", and let it happen again.`,
    );
  }
  refuseGaps(record, said);
  if (error !== undefined && fromOutside.includes(error.code)) {
    throw new RecordingError(`${id} was broken off from outside (${error.code}): a replay could not show why.`);
  }
  const { config, point, drawn, reply } = said;
  return {
    dragoman: 'recording',
    version: 1,
    by: version,
    about: {
      id,
      at,
      requestId,
      wire,
      method,
      route,
      replyId,
      model,
      plan,
      stream,
      status,
      ...(error === undefined ? {} : { error }),
    },
    config,
    request: { headers: said.request.headers, body: bodyOf(said, replyId) },
    upstream: said.sent.map((each) => ({ ...each, body: each.body === '' ? null : parseJson(each.body) })),
    ...(point === undefined ? {} : { point }),
    drawn,
    reply,
  };
}

/** The client's body; what it only refers to stands in it, so that nothing has to be stored anywhere. */
function bodyOf({ request, past }: RecordBody, replyId: string): unknown {
  const body = parseJson(request.body);
  if (past === undefined || !isRecord(body)) return body;
  const { previous_response_id: _, ...rest } = body;
  const references = new Map(past.references.flatMap((item) => (isRecord(item) ? [[String(item.id), item]] : [])));
  return { ...rest, input: [...past.history, ...inputItems(body, { replyId, references })] };
}

function refuseGaps({ id }: RecordHead, { gaps }: RecordBody): void {
  const [gap] = gaps;
  if (gap === undefined) return;
  const why =
    gap.why === 'secret'
      ? 'a secret was spread over several pieces, so they were left out'
      : 'it was too long; raise "records.exchangeBytes", and let it happen again';
  throw new RecordingError(`${id} cannot be replayed: ${gap.missing} characters of ${gap.part} are missing: ${why}.`);
}
