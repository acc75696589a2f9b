import { JsonText, jsonOf, parseJson, writeJson } from '@dragoman/core';
import { z } from 'zod';
import { isRecord } from '../is-record.ts';
import { type Recording, RecordingError } from './recording.ts';

const headers = z.record(z.string(), z.string());
const error = z.object({ code: z.string(), message: z.string().optional(), id: z.string().optional() });

/** A path of the gateway: with anything else in front, an address that ends with it is the address of another host. */
const route = z.string().startsWith('/');

/** What a replay relies on in a file that anybody may have written. Fields that it does not read may hold anything. */
const recordingSchema = z.object({
  about: z.object({
    requestId: z.string(),
    method: z.string(),
    route,
    replyId: z.string(),
    plan: z.object({ upstream: z.string() }),
    status: z.number(),
    error: error.optional(),
  }),
  config: z.record(z.string(), z.unknown()),
  request: z.object({ headers, body: z.unknown() }),
  upstream: z.array(
    z.object({
      answer: z
        .object({ status: z.int().min(100).max(599), contentType: z.string(), retryAfter: z.number().optional() })
        .optional(),
      pieces: z.array(z.string()),
      error: z.object({ code: z.string(), message: z.string() }).optional(),
    }),
  ),
  point: z
    .object({
      id: z.string(),
      conversation: z.string(),
      parent: z.string().optional(),
      depth: z.number(),
      told: z.string(),
      // Both are of later than the first recordings.
      exact: z.string().optional(),
      shown: z.array(z.string()).optional(),
      identity: z.string().optional(),
      continuations: z.number(),
      open: z.number(),
    })
    .optional(),
  drawn: z.array(z.string()),
  reply: z.array(z.string()),
});

const parts = ['about', 'config', 'request', 'upstream', 'drawn', 'reply'] as const;

/** A recording out of a file's text. Throws RecordingError for what is none, or of a newer version. */
export function readRecording(text: string): Recording {
  const value = parsed(text);
  if (!isRecord(value) || value.dragoman !== 'recording') {
    throw new RecordingError('It is not a recording; "dragoman record" writes one.');
  }
  if (value.version !== 1) {
    throw new RecordingError(`It is of version ${String(value.version)}, made by a newer Dragoman; this one reads 1.`);
  }
  const missing = parts.find((part) => typeof value[part] !== 'object' || value[part] === null);
  if (missing !== undefined) throw new RecordingError(`It has no "${missing}", so it is not whole.`);
  const { error } = recordingSchema.safeParse(value);
  if (error !== undefined) {
    const [issue] = error.issues;
    throw new RecordingError(`It cannot be replayed: "${issue?.path.join('.')}" is wrong: ${issue?.message}.`);
  }
  return value as unknown as Recording;
}

/** A recording as the text of a file. Bodies keep the digits of their numbers. */
export function recordingText(recording: Recording): string {
  const { request, upstream } = recording;
  const exact = (body: unknown) => {
    const isObject = typeof body === 'object' && body !== null;
    const source = isObject ? jsonOf(body) : '';
    return isObject && source !== JSON.stringify(body) ? new JsonText(source) : body;
  };
  const whole = {
    ...recording,
    request: { ...request, body: exact(request.body) },
    upstream: upstream.map((each) => ({ ...each, body: exact(each.body) })),
  };
  return `${writeJson(whole, 2)}\n`;
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new RecordingError('It is not JSON.');
  }
}
