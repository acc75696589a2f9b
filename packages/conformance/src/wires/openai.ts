import { type Departure, Departures } from '../departures.ts';
import { isFields } from '../read-json.ts';

/** The header that most servers read their key from; none for an empty key. */
export function bearer(key: string): Readonly<Record<string, string>> {
  return key === '' ? {} : { authorization: `Bearer ${key}` };
}

/** The ids in OpenAI's list of models. */
export function openaiModelIds(body: unknown): readonly string[] | undefined {
  if (!isFields(body) || !Array.isArray(body.data)) return undefined;
  const ids = body.data.map((model) => (isFields(model) ? model.id : undefined));
  return ids.every((id) => typeof id === 'string') ? ids : undefined;
}

/** `{"error": {"message", "type", "param", "code"}}`. */
export function checkOpenaiError(body: unknown): readonly Departure[] {
  const out = new Departures();
  if (!isFields(body) || !isFields(body.error)) out.violate('the body has no error object');
  else {
    if (typeof body.error.message !== 'string' || body.error.message === '') out.violate('error.message says nothing');
    if (typeof body.error.type !== 'string') out.note('error.type is not a string');
    if (!('code' in body.error)) out.note('error.code is missing');
  }
  return out.all();
}
