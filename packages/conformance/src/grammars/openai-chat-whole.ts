import { type Departure, Departures } from '../departures.ts';
import { type Fields, isFields, isObjectText } from '../read-json.ts';

const finishReasons: readonly unknown[] = ['stop', 'tool_calls', 'length', 'content_filter', 'function_call'];

/** Checks a whole answer of Chat Completions. */
export function checkChatCompletion(body: unknown): readonly Departure[] {
  const out = new Departures();
  if (!isFields(body)) {
    out.violate('the body is not an object');
    return out.all();
  }
  if (typeof body.id !== 'string' || body.id === '') out.violate('id is not a string');
  if (body.object !== 'chat.completion') out.violate('object is not chat.completion');
  if (!Number.isInteger(body.created)) out.violate('created is not whole seconds');
  if (typeof body.model !== 'string') out.violate('model is not a string');
  checkUsage(body.usage, out);
  const choice: unknown = Array.isArray(body.choices) ? body.choices[0] : undefined;
  if (!isFields(choice)) out.violate('choices is not a list with a choice');
  else {
    if (choice.index !== 0) out.violate('the index of the choice is not 0');
    if (!finishReasons.includes(choice.finish_reason)) out.violate('the finish reason is not known');
    if (isFields(choice.message)) checkMessage(choice.message, choice.finish_reason, out);
    else out.violate('message is not an object');
  }
  return out.all();
}

/** Checks the counts that both of OpenAI's APIs with choices have in a whole answer. */
export function checkUsage(usage: unknown, out: Departures): void {
  if (usage === undefined || usage === null) {
    out.note('usage is missing');
    return;
  }
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = isFields(usage) ? usage : {};
  const numbers = [prompt, completion, total].every((count) => typeof count === 'number');
  if (!numbers) out.violate('usage does not have all three numbers');
  else if (Number(prompt) + Number(completion) !== total) out.note('usage does not add up');
}

function checkMessage(message: Fields, reason: unknown, out: Departures): void {
  if (message.role !== 'assistant') out.violate('the role is not assistant');
  const { content, tool_calls: calls } = message;
  if (content === undefined) out.note('content is missing');
  else if (content !== null && typeof content !== 'string') out.violate('content is neither null nor a string');
  if (calls !== undefined && calls !== null && !Array.isArray(calls)) out.violate('tool_calls is not a list');
  const list: readonly unknown[] = Array.isArray(calls) ? calls : [];
  const used = new Set<string>();
  for (const call of list) checkCall(call, used, out);
  if (reason === 'tool_calls' && list.length === 0) out.violate('tool_calls without calls');
  if (reason === 'stop' && list.length > 0) out.violate('stop in spite of calls');
}

function checkCall(call: unknown, used: Set<string>, out: Departures): void {
  if (!isFields(call) || !isFields(call.function)) {
    out.violate('a call has no function');
    return;
  }
  const { id, type } = call;
  if (typeof id !== 'string' || id === '') out.violate('the id of a call is empty or missing');
  else if (used.has(id)) out.violate('the id of a call was used before');
  else used.add(id);
  if (type === undefined) out.note('a call has no type');
  else if (type !== 'function') out.violate('the type of a call is not function');
  if (typeof call.function.name !== 'string' || call.function.name === '') out.violate('a call has no name');
  const { arguments: text } = call.function;
  if (typeof text !== 'string') out.violate('arguments are not a string');
  else if (!isObjectText(text)) out.violate('arguments are not a JSON object');
}
