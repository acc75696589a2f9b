import { isWordCharacter } from '../../json/json-characters.ts';
import type { PastCall } from '../dialect.ts';
import type { TableReader } from '../table/parts.ts';

const idLength = 9;

/** Ids as Mistral's own tokenizers take them, nine letters or digits; where the model gave none, one is made of the call's place. */
export const mistralIds: TableReader = {
  id: ({ nativeId, ordinal }: PastCall) =>
    nativeId !== undefined && isMistralId(nativeId) ? nativeId : String(ordinal).padStart(idLength, '0'),
};

function isMistralId(id: string): boolean {
  return id.length === idLength && [...id].every((sign) => sign !== '_' && isWordCharacter(sign.charCodeAt(0)));
}
