import { errorReply, jsonReply, type ScriptedReply } from './scripted-reply.ts';

/**
 * What goes wrong at a platform.
 *
 * - `status`: it refuses with that status
 * - `page`: a page of HTML with that status, as a proxy or a login in front of it shows
 * - `refuses`: it refuses with these words in a body of JSON and the status 200
 * - `late`: it answers as it should, after so many milliseconds
 * - `silent`: headers never come
 * - `cut`: the connection breaks after so much of the reply
 * - `stall`: nothing more comes after so much of the reply, and the connection stays
 * - `fails`: after so much of the reply comes a frame that holds an error
 */
export type PlatformFault =
  | { readonly status: number }
  | { readonly page: number }
  | { readonly refuses: string }
  | { readonly late: number; readonly reply: string }
  | { readonly silent: true }
  | { readonly cut: string }
  | { readonly stall: string }
  | { readonly fails: string; readonly after: string };

/** The words on the page. */
export const pageWords = 'Please sign in';

const page = `<!doctype html>\n<html><head><title>${pageWords}</title></head><body><p>${pageWords}.</p></body></html>\n`;

/** Plays a fault; `heard` makes the reply of a message that was heard, of which the fault lets through what it names. */
export function playFault(fault: PlatformFault, heard: (reply: string) => ScriptedReply): ScriptedReply {
  if ('status' in fault) return errorReply(fault.status, 'Not now.');
  if ('page' in fault) {
    return { status: fault.page, headers: { 'content-type': 'text/html; charset=utf-8' }, steps: [{ text: page }] };
  }
  if ('refuses' in fault) return jsonReply(200, { success: false, error: { message: fault.refuses } });
  if ('silent' in fault) return { steps: [{ stall: true }], holdHead: true };
  if ('late' in fault) {
    const reply = heard(fault.reply);
    return { ...reply, holdHead: true, steps: [{ delay: fault.late }, ...reply.steps] };
  }
  if ('cut' in fault) return { steps: [...unfinished(heard(fault.cut)), { cut: true }] };
  if ('stall' in fault) return { steps: [...unfinished(heard(fault.stall)), { stall: true }] };
  const error = { text: `data: ${JSON.stringify({ success: false, error: { message: fault.fails } })}\n\n` };
  return { steps: [...unfinished(heard(fault.after)), error] };
}

/** A reply without the frame that ends it. */
const unfinished = ({ steps }: ScriptedReply) => [...steps].slice(0, -1);
