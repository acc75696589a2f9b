import { canonicalArguments } from './canonical-json.ts';
import { endOfString } from './end-of-string.ts';
import { numberEnd, startsNumber } from './json-numbers.ts';

const quotationMark = 0x22;

/** Stands before the digits of a number that has become a text. */
const mark = '\\u0000';

/**
 * JSON in which whole numbers that JavaScript cannot hold are texts of their digits, after a mark that no other text is
 * likely to begin with: whoever compares what has been parsed still tells `9007199254740993` from `9007199254740992`.
 * Everything else, and what is no JSON, stays as it is. Linear.
 */
function longNumbersAsText(json: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === quotationMark) at = endOfString(json, at + 1);
    else if (startsNumber(code)) {
      const end = numberEnd(json, at);
      const number = json.slice(at, end);
      if (isTooLong(number)) {
        pieces.push(json.slice(from, at), `"${mark}${number}"`);
        from = end;
      }
      at = end - 1;
    }
  }
  return pieces.join('') + json.slice(from);
}

/** Whether it is a whole number that JavaScript would write as another one. */
function isTooLong(number: string): boolean {
  const value = Number(number);
  return Number.isInteger(value) && !Number.isSafeInteger(value) && String(value) !== number && isPlain(number);
}

/** Without a point and an exponent. */
function isPlain(number: string): boolean {
  return ['.', 'e', 'E'].every((each) => !number.includes(each));
}

/** The same for two calls exactly if they call the same tool with the same arguments, however the JSON is written. */
export function callSignature(name: string, json: string): string {
  return `${name} ${canonicalArguments(longNumbersAsText(json))}`;
}
