/** Marks what we sealed ourselves; what upstreams seal is passed on as it is. */
const seals = { reasoning: 'dragoman.reasoning.', summary: 'dragoman.summary.' } as const;

/**
 * Text as `encrypted_content`. Several clients keep a reasoning item for the next turn only if it has one, and a
 * compaction has nothing else. It hides nothing: the client that gets it has seen, or may see, what it says.
 */
export function sealText(kind: keyof typeof seals, text: string): string {
  const bytes = new TextEncoder().encode(text);
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return seals[kind] + btoa(binary);
}

/** The text that we sealed; `undefined` for anything else. */
export function unsealText(kind: keyof typeof seals, sealed: string): string | undefined {
  const seal = seals[kind];
  if (!sealed.startsWith(seal)) return undefined;
  try {
    const binary = atob(sealed.slice(seal.length));
    return new TextDecoder().decode(Uint8Array.from(binary, (letter) => letter.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
