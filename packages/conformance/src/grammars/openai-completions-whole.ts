import { type Departure, Departures } from '../departures.ts';
import { isFields } from '../read-json.ts';
import { checkUsage } from './openai-chat-whole.ts';

const finishReasons: readonly unknown[] = ['stop', 'length', 'content_filter'];

/** Checks a whole answer of the older Completions API. */
export function checkCompletion(body: unknown): readonly Departure[] {
  const out = new Departures();
  if (!isFields(body)) {
    out.violate('the body is not an object');
    return out.all();
  }
  if (typeof body.id !== 'string' || body.id === '') out.violate('id is not a string');
  if (body.object !== 'text_completion') out.violate('object is not text_completion');
  if (!Number.isInteger(body.created)) out.violate('created is not whole seconds');
  if (typeof body.model !== 'string') out.violate('model is not a string');
  checkUsage(body.usage, out);
  const choice: unknown = Array.isArray(body.choices) ? body.choices[0] : undefined;
  if (!isFields(choice)) out.violate('choices is not a list with a choice');
  else {
    if (choice.index !== 0) out.violate('the index of the choice is not 0');
    if (typeof choice.text !== 'string') out.violate('text is not a string');
    if (!finishReasons.includes(choice.finish_reason)) out.violate('the finish reason is not known');
  }
  return out.all();
}
