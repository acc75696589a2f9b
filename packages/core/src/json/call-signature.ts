import { canonicalArguments } from './canonical-json.ts';
import { longNumbersAsText } from './long-numbers.ts';

/** The same for two calls exactly if they call the same tool with the same arguments, however the JSON is written. */
export function signatureOf(name: string, json: string): string {
  return `${name} ${canonicalArguments(longNumbersAsText(json))}`;
}
