import { errorKindOf } from '../error-kinds.ts';
import { DragomanError, reworded } from '../errors.ts';
import type { UpstreamWire } from '../wires/wire.ts';

/**
 * The error that an upstream answered with: `status` is none of 2xx. A redirect is not followed, since the key would go
 * where nobody has configured it, and is no fault of whoever asked.
 */
export function answeredError(wire: UpstreamWire, status: number, body: unknown): DragomanError {
  if (status < 300 || status >= 400) return wire.readError(status, body);
  return new DragomanError(
    'upstream-unreadable',
    `The upstream answered ${status}, a redirect, instead of a reply. Check its base URL: often it begins with https instead of http.`,
    { upstreamStatus: status },
  );
}

const nameless = 'The upstream ';

/**
 * An upstream's error that says which of the configured ones it was. Wires and stages write "The upstream …" without
 * knowing; an error that names it already, or speaks of something else, is returned as it is.
 */
export function nameUpstream(error: DragomanError, name: string): DragomanError {
  const { message } = error;
  if (errorKindOf(error).blame !== 'upstream' && error.code !== 'context-too-long') return error;
  if (!message.startsWith(nameless) || message.startsWith('"', nameless.length)) return error;
  return reworded(error, `${nameless}"${name}" ${message.slice(nameless.length)}`);
}
