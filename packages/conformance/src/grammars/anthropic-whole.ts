import { type Departure, Departures } from '../departures.ts';
import { type Fields, isFields } from '../read-json.ts';
import { stopReasons } from './anthropic-grammar.ts';

/** Checks a whole answer of the Messages API. */
export function checkAnthropicMessage(body: unknown): readonly Departure[] {
  const out = new Departures();
  if (!isFields(body)) {
    out.violate('the body is not an object');
    return out.all();
  }
  if (typeof body.id !== 'string' || body.id === '') out.violate('the message has no id');
  else if (!body.id.startsWith('msg_')) out.note('the id is not msg_…');
  if (body.type !== 'message' || body.role !== 'assistant') out.violate('type or role is wrong');
  if (typeof body.model !== 'string' || body.model === '') out.violate('model is missing');
  if (!stopReasons.includes(body.stop_reason)) out.violate('the stop reason is not known');
  if (body.stop_sequence === undefined) out.note('stop_sequence is missing');
  for (const field of ['input_tokens', 'output_tokens']) {
    const count = isFields(body.usage) ? body.usage[field] : undefined;
    if (typeof count !== 'number') out.violate(`usage.${field} is not a number`);
  }
  if (!Array.isArray(body.content)) out.violate('content is not a list');
  const blocks: readonly unknown[] = Array.isArray(body.content) ? body.content : [];
  const ids = new Set<string>();
  for (const block of blocks) {
    if (isFields(block)) checkBlock(block, ids, out);
    else out.violate('a block is not an object');
  }
  const hasCall = blocks.some((block) => isFields(block) && block.type === 'tool_use');
  if (body.stop_reason === 'tool_use' && !hasCall) out.violate('tool_use without a call');
  if (body.stop_reason === 'end_turn' && hasCall) out.violate('end_turn in spite of calls');
  return out.all();
}

function checkBlock(block: Fields, ids: Set<string>, out: Departures): void {
  if (block.type === 'text' && typeof block.text !== 'string') out.violate('a text has no text');
  if (block.type !== 'tool_use') return;
  if (typeof block.id !== 'string' || block.id === '') out.violate('the id of a call is empty or missing');
  else if (ids.has(block.id)) out.violate('the id of a call was used before');
  else ids.add(block.id);
  if (typeof block.name !== 'string' || block.name === '') out.violate('a call has no name');
  if (!isFields(block.input)) out.violate('the input of a call is not an object');
}
