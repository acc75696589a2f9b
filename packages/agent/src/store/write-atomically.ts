import type { Files } from './files.ts';

/**
 * Writes a file so that it is the old or the new one, whenever the program ends: what is written gets its name last. False
 * where `isStill` says at that moment that the file is no more what it was; nothing is written then.
 */
export async function writeAtomically(
  files: Files,
  { path, text, isStill }: { readonly path: string; readonly text: string; readonly isStill?: () => Promise<boolean> },
): Promise<boolean> {
  const random = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  // Not `.json`: what is left of a program that ended is no chat. Random: two windows don't share it.
  const half = `${path}.${random.toString(36)}.part`;
  try {
    await files.write(half, text);
    if (isStill === undefined || (await isStill())) {
      await files.rename(half, path);
      return true;
    }
    await files.delete(half);
    return false;
  } catch (error) {
    await files.delete(half).catch(() => {});
    throw error;
  }
}
