import type { StageFactory } from '../stage.ts';

/**
 * Bytes into text, whatever the cuts: a character that is split over chunks comes out whole, a leading byte order mark
 * is dropped, and bytes that are not UTF-8 become U+FFFD. What is left of a character at the end becomes U+FFFD too.
 */
export function decodeText(): StageFactory<Uint8Array, string> {
  return (sink) => {
    const decoder = new TextDecoder('utf-8');
    const emit = (text: string) => {
      if (text !== '') sink(text);
    };
    return {
      push: (bytes) => emit(decoder.decode(bytes, { stream: true })),
      end: () => emit(decoder.decode()),
    };
  };
}
