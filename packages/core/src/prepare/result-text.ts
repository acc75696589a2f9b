import type { ImagePart, Part, ToolMessage } from '../chat/message.ts';
import type { ResultStatus } from '../chat/tool.ts';
import { parsedJson } from '../json/parsed-json.ts';

/** What stands for a result that never came. */
export const missingText = 'No result arrived for this call. It may have been cancelled, or its result was lost.';

/** What stands for an empty result, so that the model does not run the call again to see something. */
const emptyText = 'The tool ran successfully and returned no output.';

const emptyErrorText = 'The tool failed and gave no message.';

/** Error objects are short; a longer JSON result is a document. */
const longestErrorObject = 20_000;

/** What a model that reads only text is told in the place of an image, so that it does not make up what it shows. */
export function unseenImage(image: ImagePart): string {
  return `[an image that you cannot see${addressOf(image)}]`;
}

/** The same after results that hold images. */
export const unseenImages = '[The images in these results are not shown: you cannot see images.]';

/** The text of a list of parts, one line each; a note says where an image stands, which is sent apart or not at all. */
export function textWithNotes(content: readonly Part[]): string {
  return content.map((part) => (part.type === 'text' ? part.text : `[image${addressOf(part)}]`)).join('\n');
}

/** An address is named, image bytes never are. */
function addressOf({ url }: ImagePart): string {
  return url.startsWith('data:') ? '' : `: ${url.slice(0, 200)}`;
}

/**
 * Whether a result reports a failure. The client's own flag decides. Without one: a short JSON object with a boolean
 * `is_error` or `isError`, or whose only key is `error` with something in it. Last, and only with `errorPrefix`: text
 * that starts with `Error:` in any case, which is a guess, since a file may start so too.
 */
export function statusOf(
  message: ToolMessage,
  options: { readonly text: string; readonly errorPrefix: boolean },
): Exclude<ResultStatus, 'missing'> {
  if (message.status !== undefined) return message.status;
  const told = toldByJson(options.text);
  if (told !== undefined) return told ? 'error' : 'ok';
  return options.errorPrefix && options.text.slice(0, 6).toLowerCase() === 'error:' ? 'error' : 'ok';
}

function toldByJson(text: string): boolean | undefined {
  if (text.length > longestErrorObject || !text.trimStart().startsWith('{')) return undefined;
  const value = parsedJson(text);
  const fields = new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  const flag = fields.get('is_error') ?? fields.get('isError');
  if (typeof flag === 'boolean') return flag;
  return fields.size === 1 && fields.get('error') ? true : undefined;
}

/** The text itself, or the sentence that stands for nothing but white space. */
export function neverEmpty(text: string, status: Exclude<ResultStatus, 'missing'>): string {
  if (text.trim() !== '') return text;
  return status === 'ok' ? emptyText : emptyErrorText;
}

/** The most UTF-16 units that a note in the middle of a text has. */
export const longestNote = 64;

/**
 * A text of at most `maxLength` UTF-16 units, and a note in its middle that names how many are left out there: how a
 * result begins and how it ends tells most. The whole text if it is not longer or the limit is 0. A surrogate pair is
 * never cut in two.
 */
export function capText(text: string, maxLength: number): string {
  if (maxLength <= 0 || text.length <= maxLength) return text;
  const half = Math.ceil(maxLength / 2);
  const head = isInPair(text, half) ? half - 1 : half;
  const from = text.length - (maxLength - half);
  const tail = isInPair(text, from) ? from + 1 : from;
  return `${text.slice(0, head)}\n[… ${tail - head} more characters were left out …]\n${text.slice(tail)}`;
}

/** Whether a cut before `at` would part a surrogate pair. */
function isInPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
