import { type Departure, Departures } from '../departures.ts';
import { checkAnthropic, checkAnthropicMessage } from '../grammars/anthropic-grammar.ts';
import { isFields, readJson } from '../read-json.ts';
import { eventsIn, fieldsAt, listAt, textAt } from '../read-reply.ts';
import { openaiModelIds } from './openai.ts';
import { type Answer, type Entry, readTool, type WireProbe } from './probe.ts';

/** Anthropic's Messages. */
export const anthropicMessagesProbe: WireProbe = {
  id: 'anthropic-messages',
  path: '/v1/messages',
  streamType: 'text/event-stream',
  usageOnDemand: false,
  headers: (key) => ({
    'anthropic-version': '2023-06-01',
    ...(key === '' ? {} : { 'x-api-key': key, authorization: `Bearer ${key}` }),
  }),
  write: ({ model, entries, stream, tool }) => ({
    model,
    max_tokens: 4096,
    messages: entries.map(messageOf),
    ...(stream ? { stream: true } : {}),
    ...(tool === undefined ? {} : { tools: [{ ...about, input_schema: schema }] }),
    ...(tool === 'named' ? { tool_choice: { type: 'tool', name: readTool.name } } : {}),
  }),
  writeWrongly: (model) => ({ model, max_tokens: 4096, messages: 5 }),
  readStream,
  readWhole: (body) => {
    const blocks = listAt(body, 'content');
    const calls = blocks.filter(({ type }) => type === 'tool_use');
    return {
      id: textAt(body, 'id'),
      text: blocks.map((block) => (block.type === 'text' ? textAt(block, 'text') : '')).join(''),
      calls: calls.map((block) => ({
        id: textAt(block, 'id'),
        name: textAt(block, 'name'),
        arguments: JSON.stringify(block.input),
      })),
      counted: isFields(body) && isFields(body.usage),
    };
  },
  checkStream: (stream) => checkAnthropic(stream),
  checkWhole: checkAnthropicMessage,
  checkError,
  // The list has the same fields as OpenAI's as far as ids go.
  modelList: { path: '/v1/models', read: openaiModelIds },
};

const { schema, ...about } = readTool;

function messageOf(entry: Entry): object {
  switch (entry.role) {
    case 'user':
      return { role: 'user', content: entry.text };
    case 'assistant': {
      const text = entry.text === '' ? [] : [{ type: 'text', text: entry.text }];
      const calls = entry.calls.map(({ id, name, arguments: json }) => ({
        type: 'tool_use',
        id,
        name,
        input: readJson(json) ?? {},
      }));
      return { role: 'assistant', content: [...text, ...calls] };
    }
    case 'results':
      return {
        role: 'user',
        content: entry.results.map(({ call, text }) => ({ type: 'tool_result', tool_use_id: call.id, content: text })),
      };
  }
}

function readStream(stream: string): Answer {
  const calls = new Map<unknown, { id: string; name: string; arguments: string }>();
  const found = { id: '', text: '', counted: false };
  for (const event of eventsIn(stream)) {
    const { type, index } = event;
    if (type === 'message_start') found.id = textAt(event.message, 'id');
    if (type === 'message_delta') found.counted ||= typeof fieldsAt(event, 'usage').output_tokens === 'number';
    const block = fieldsAt(event, 'content_block');
    if (type === 'content_block_start' && block.type === 'tool_use') {
      const input = isFields(block.input) && Object.keys(block.input).length > 0 ? JSON.stringify(block.input) : '';
      calls.set(index, { id: textAt(block, 'id'), name: textAt(block, 'name'), arguments: input });
    }
    if (type !== 'content_block_delta') continue;
    found.text += textAt(event.delta, 'text');
    const call = calls.get(index);
    if (call !== undefined) call.arguments += textAt(event.delta, 'partial_json');
  }
  const whole = [...calls.values()].map((call) => (call.arguments === '' ? { ...call, arguments: '{}' } : call));
  return { ...found, calls: whole };
}

/** `{"type": "error", "error": {"type", "message"}}`. */
function checkError(body: unknown): readonly Departure[] {
  const out = new Departures();
  if (!isFields(body) || !isFields(body.error)) out.violate('the body has no error object');
  else {
    if (body.type !== 'error') out.violate('type is not error');
    if (typeof body.error.type !== 'string') out.violate('error.type is not a string');
    if (typeof body.error.message !== 'string' || body.error.message === '') out.violate('error.message says nothing');
  }
  return out.all();
}
