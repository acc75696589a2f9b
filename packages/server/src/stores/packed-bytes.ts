import { promisify } from 'node:util';
import { deflateRaw, deflateRawSync, inflateRaw } from 'node:zlib';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** What the first byte of packed bytes says of the others. */
const form = { plain: 0, deflated: 1 };

/**
 * Fewer bytes than `plain` are not compressed: that costs more than it saves. Up to `atOnce` are at once: that takes a millisecond at
 * most, and another thread costs three times as much.
 */
const sizes = { plain: 2048, atOnce: 128 * 1024 };

/** The fastest way is enough: most of it are frames and requests that are nearly the same. */
const level = 1;

/** Setting up more memory costs more than it saves. */
const smallWindow = { level, windowBits: 14, memLevel: 6, chunkSize: 16 * 1024 };

/** Compresses bytes, what takes longer than a moment on another thread. `plain`: so many stay as they are. */
export async function packBytes(bytes: Uint8Array, { plain = sizes.plain } = {}): Promise<Uint8Array> {
  if (bytes.length < plain) return withForm(form.plain, bytes);
  if (bytes.length < sizes.atOnce) return withForm(form.deflated, deflateRawSync(bytes, smallWindow));
  return withForm(form.deflated, await deflate(bytes, { level, chunkSize: Math.min(bytes.length, 256 * 1024) }));
}

/** A copy: what is handed to another thread takes its whole buffer along. */
function withForm(first: number, bytes: Uint8Array): Uint8Array {
  const packed = new Uint8Array(1 + bytes.length);
  packed[0] = first;
  packed.set(bytes, 1);
  return packed;
}

export async function unpackBytes(packed: Uint8Array): Promise<Uint8Array> {
  const bytes = packed.subarray(1);
  return packed[0] === form.plain ? bytes : inflate(bytes);
}
