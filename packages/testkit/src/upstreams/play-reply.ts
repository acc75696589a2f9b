import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { cutBytes } from './cut-bytes.ts';
import type { ScriptedReply, Step } from './scripted-reply.ts';

export interface Playing {
  readonly reply: ScriptedReply;
  readonly response: ServerResponse;
  /** Told of every write. */
  readonly onBytes: (count: number) => void;
  /** Told right before the script destroys the socket. */
  readonly onCut: () => void;
}

/**
 * Plays a reply's steps into a response. Waits for the client whenever the socket is full, so an endless script is read
 * only as far as the client takes it. Returns when the script is over or the client has gone; never rejects.
 */
export async function playReply(playing: Playing): Promise<void> {
  const { reply, response } = playing;
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  if (response.destroyed) gone.abort();
  try {
    if (reply.holdHead !== true) sendHead(playing);
    let offset = 0;
    for (const step of reply.steps) {
      if (gone.signal.aborted) return;
      const goesOn = await playStep(step, { ...playing, offset, signal: gone.signal });
      if (!goesOn) return;
      offset += lengthOf(step);
    }
    sendHead(playing);
    response.end();
  } catch (error) {
    if (!gone.signal.aborted) response.destroy(error instanceof Error ? error : undefined);
  }
}

interface Moment extends Playing {
  /** Bytes of the body before this step. */
  readonly offset: number;
  readonly signal: AbortSignal;
}

/** Returns whether the script goes on. */
async function playStep(step: Step, moment: Moment): Promise<boolean> {
  const { response, signal } = moment;
  if ('delay' in step) {
    await wait(step.delay, undefined, { signal });
    return true;
  }
  if ('head' in step) {
    sendHead(moment);
    return true;
  }
  if ('cut' in step) {
    moment.onCut();
    response.destroy();
    return false;
  }
  if ('stall' in step) return false;
  sendHead(moment);
  for (const piece of cutBytes(bytesOf(step), { ...moment.reply, offset: moment.offset })) {
    if (signal.aborted) return false;
    moment.onBytes(piece.length);
    if (!response.write(piece)) await once(response, 'drain', { signal });
    // A turn of the loop lets each piece leave in a packet of its own, as far as the network allows.
    await nextTurn();
  }
  return true;
}

function sendHead({ reply, response }: Playing): void {
  if (response.headersSent) return;
  response.writeHead(reply.status ?? 200, reply.headers ?? { 'content-type': 'text/event-stream' });
  response.flushHeaders();
}

function bytesOf(step: { readonly text: string } | { readonly bytes: Uint8Array }): Uint8Array {
  return 'text' in step ? Buffer.from(step.text, 'utf8') : step.bytes;
}

function lengthOf(step: Step): number {
  if ('text' in step) return Buffer.byteLength(step.text, 'utf8');
  return 'bytes' in step ? step.bytes.length : 0;
}
