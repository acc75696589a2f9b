import { type Departure, Departures } from '../departures.ts';
import { type Fields, isFields, isObjectText } from '../read-json.ts';

/** Checks a whole answer of the Responses API. */
export function checkResponse(body: unknown): readonly Departure[] {
  const out = new Departures();
  if (!isFields(body)) {
    out.violate('the body is not an object');
    return out.all();
  }
  if (typeof body.id !== 'string' || body.id === '') out.violate('the response has no id');
  if (body.object !== 'response') out.violate('object is not response');
  if (!Number.isInteger(body.created_at)) out.violate('created_at is not whole seconds');
  if (typeof body.model !== 'string') out.violate('model is not a string');
  if (body.status !== 'completed' && body.status !== 'incomplete') out.violate(`the status is ${body.status}`);
  if ((body.status === 'incomplete') !== isFields(body.incomplete_details)) {
    out.violate('incomplete_details does not fit the status');
  }
  checkUsage(body.usage, out);
  if (!Array.isArray(body.output)) out.violate('output is not a list');
  const items: readonly unknown[] = Array.isArray(body.output) ? body.output : [];
  const ids = new Set<string>();
  for (const item of items) {
    if (isFields(item)) checkItem(item, ids, out);
    else out.violate('an item is not an object');
  }
  return out.all();
}

function checkUsage(usage: unknown, out: Departures): void {
  if (usage === undefined || usage === null) {
    out.note('usage is missing');
    return;
  }
  const { input_tokens: input, output_tokens: output, total_tokens: total } = isFields(usage) ? usage : {};
  const numbers = [input, output, total].every((count) => typeof count === 'number');
  if (!numbers) out.violate('usage does not have all three numbers');
  else if (Number(input) + Number(output) !== total) out.violate('usage does not add up');
}

function checkItem(item: Fields, ids: Set<string>, out: Departures): void {
  if (typeof item.id !== 'string' || item.id === '') out.violate('an item has no id');
  for (const id of [item.id, item.call_id]) {
    if (id !== undefined && ids.has(String(id))) out.violate(`the id ${id} was used before`);
    ids.add(String(id));
  }
  if (item.status === 'in_progress') out.violate('an item is still in progress');
  if (item.type === 'message') checkMessage(item, out);
  if (item.type !== 'function_call') return;
  if (typeof item.call_id !== 'string' || item.call_id === '') out.violate('a call has no call_id');
  if (typeof item.name !== 'string' || item.name === '') out.violate('a call has no name');
  if (typeof item.arguments !== 'string') out.violate('arguments are not a string');
  else if (!isObjectText(item.arguments)) out.violate('arguments are not a JSON object');
}

function checkMessage(item: Fields, out: Departures): void {
  if (item.role !== 'assistant') out.violate('the role is not assistant');
  const parts: readonly unknown[] = Array.isArray(item.content) ? item.content : [undefined];
  for (const part of parts) {
    if (!isFields(part) || (part.type !== 'output_text' && part.type !== 'refusal')) out.violate('a part has no type');
    else if (typeof (part.text ?? part.refusal) !== 'string') out.violate('a part has no text');
    else if (part.type === 'output_text' && !Array.isArray(part.annotations)) out.note('a part has no annotations');
  }
}
