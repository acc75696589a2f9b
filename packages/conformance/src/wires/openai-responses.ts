import { checkOpenresponses, checkResponse } from '../grammars/openresponses-grammar.ts';
import { type Fields, isFields } from '../read-json.ts';
import { eventsIn, fieldsAt, listAt, textAt } from '../read-reply.ts';
import { bearer, checkOpenaiError, openaiModelIds } from './openai.ts';
import { type Answer, type Entry, readTool, type WireProbe } from './probe.ts';

/** OpenAI's Responses, which is also OpenResponses. */
export const openaiResponsesProbe: WireProbe = {
  id: 'openai-responses',
  path: '/v1/responses',
  streamType: 'text/event-stream',
  usageOnDemand: false,
  headers: bearer,
  write: ({ model, entries, stream, tool }) => ({
    model,
    input: entries.flatMap(itemsOf),
    ...(stream ? { stream: true } : {}),
    ...(tool === undefined ? {} : { tools: [{ type: 'function', ...about, parameters: schema, strict: false }] }),
    ...(tool === 'named' ? { tool_choice: { type: 'function', name: readTool.name } } : {}),
  }),
  writeWrongly: (model) => ({ model, input: 5 }),
  readStream: (stream) => {
    const events = eventsIn(stream);
    const last = events.findLast(({ response }) => isFields(response));
    const items = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item);
    const response = fieldsAt(last, 'response');
    return answerOf(items.filter(isFields), response);
  },
  readWhole: (body) => answerOf(listAt(body, 'output'), isFields(body) ? body : {}),
  checkStream: (stream) => checkOpenresponses(stream),
  checkWhole: checkResponse,
  checkError: checkOpenaiError,
  modelList: { path: '/v1/models', read: openaiModelIds },
};

const { schema, ...about } = readTool;

function itemsOf(entry: Entry): readonly object[] {
  switch (entry.role) {
    case 'user':
      return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: entry.text }] }];
    case 'assistant': {
      const content = [{ type: 'output_text', text: entry.text }];
      const message = entry.text === '' ? [] : [{ type: 'message', role: 'assistant', content }];
      const calls = entry.calls.map(({ id, name, arguments: text }) => ({
        type: 'function_call',
        call_id: id,
        name,
        arguments: text,
      }));
      return [...message, ...calls];
    }
    case 'results':
      return entry.results.map(({ call, text }) => ({ type: 'function_call_output', call_id: call.id, output: text }));
  }
}

function answerOf(items: readonly Fields[], response: Fields): Answer {
  const texts = items.filter(({ type }) => type === 'message').flatMap((item) => listAt(item, 'content'));
  const calls = items.filter(({ type }) => type === 'function_call');
  return {
    id: textAt(response, 'id'),
    text: texts.map((part) => textAt(part, 'text')).join(''),
    calls: calls.map((item) => ({
      id: textAt(item, 'call_id'),
      name: textAt(item, 'name'),
      arguments: textAt(item, 'arguments'),
    })),
    counted: isFields(response.usage),
  };
}
