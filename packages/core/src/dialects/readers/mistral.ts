import type { PastCall } from '../dialect.ts';
import type { TableReader } from '../table/parts.ts';

const idLength = 9;

/** Ids as Mistral's own tokenizers take them, nine letters or digits; where the model gave none, one is made of the call's place. */
export const mistralIds: TableReader = {
  id: ({ nativeId, ordinal }: PastCall) =>
    nativeId !== undefined && isMistralId(nativeId) ? nativeId : String(ordinal).padStart(idLength, '0'),
};

function isMistralId(id: string): boolean {
  if (id.length !== idLength) return false;
  for (let index = 0; index < id.length; index += 1) {
    const code = id.charCodeAt(index);
    const letter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
    if (!letter && !(code >= 48 && code <= 57)) return false;
  }
  return true;
}
