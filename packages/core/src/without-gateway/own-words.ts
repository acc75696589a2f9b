import { errorKindOf } from '../error-kinds.ts';
import { type DragomanError, reworded } from '../errors.ts';
import { withCure } from '../wires/read-upstream-error.ts';

/** What the engine calls the one server that it asks. */
export const upstreamName = 'server';

/**
 * An error in words for whoever asks a server themselves: there is no gateway between that they could configure, and the key
 * is their own. `subject`: what they call the server.
 */
export function inOwnWords(error: DragomanError, subject: string): DragomanError {
  const { code, message, said, upstreamStatus } = error;
  const number = isFailure(upstreamStatus) ? ` (${upstreamStatus})` : '';
  if (code === 'upstream-unauthorized') return reworded(error, `${subject} refused the key${number}.`);
  if (code === 'internal') return reworded(error, `Asking ${subject} failed inside Dragoman.`);
  if (said === undefined) return reworded(error, message.replace(nameless(message), subject));
  const head = isFailure(upstreamStatus) ? `answered ${upstreamStatus}` : 'reported an error';
  return reworded(error, withCure(`${subject} ${head}: ${said.words}`, said.cure));
}

/** What a server that was asked over HTTP said itself, for an answer that has its status. */
export function asServerSaid(error: DragomanError): { readonly status: number; readonly error: DragomanError } {
  const { said, upstreamStatus } = error;
  if (!isFailure(upstreamStatus)) return { status: errorKindOf(error).status, error };
  const words = said === undefined ? error.message : withCure(said.words, said.cure);
  return { status: upstreamStatus, error: reworded(error, words) };
}

/** How messages begin that the engine writes without knowing whom it asks. */
function nameless(message: string): string {
  const named = `The upstream "${upstreamName}"`;
  return message.startsWith(named) ? named : 'The upstream';
}

function isFailure(status: number | undefined): status is number {
  return status !== undefined && status >= 400;
}
