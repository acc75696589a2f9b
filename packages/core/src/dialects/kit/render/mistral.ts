import type { PastCall } from '../../dialect.ts';

/** What Mistral's templates are made of. */
export const mistralMarkers: readonly string[] = [
  '[TOOL_CALLS]',
  '[/TOOL_CALLS]',
  '[THINK]',
  '[/THINK]',
  '[CALL_ID]',
  '[ARGS]',
  '[TOOL_RESULTS]',
  '[/TOOL_RESULTS]',
  '[TOOL_CONTENT]',
  '[AVAILABLE_TOOLS]',
  '[/AVAILABLE_TOOLS]',
  '[INST]',
  '[/INST]',
  '[SYSTEM_PROMPT]',
  '[/SYSTEM_PROMPT]',
  '</s>',
];

const idLength = 9;

/** The id of a call as Mistral's own tokenizers take it, nine letters or digits; one is made of the call's place. */
export function mistralId({ nativeId, ordinal }: PastCall): string {
  return nativeId !== undefined && isMistralId(nativeId) ? nativeId : String(ordinal).padStart(idLength, '0');
}

function isMistralId(id: string): boolean {
  if (id.length !== idLength) return false;
  for (let index = 0; index < id.length; index += 1) {
    const code = id.charCodeAt(index);
    const letter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
    if (!letter && !(code >= 48 && code <= 57)) return false;
  }
  return true;
}
