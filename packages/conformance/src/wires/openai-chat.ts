import { checkChatCompletion, checkOpenaiChat } from '../grammars/openai-chat-grammar.ts';
import { isFields } from '../read-json.ts';
import { eventsIn, fieldsAt, listAt, textAt } from '../read-reply.ts';
import { bearer, checkOpenaiError, openaiModelIds } from './openai.ts';
import { type Answer, type AnsweredCall, type Entry, readTool, type WireProbe } from './probe.ts';

/** OpenAI's Chat Completions. */
export const openaiChatProbe: WireProbe = {
  id: 'openai-chat',
  path: '/v1/chat/completions',
  streamType: 'text/event-stream',
  usageOnDemand: true,
  headers: bearer,
  write: ({ model, entries, stream, tool, usage }) => ({
    model,
    messages: entries.flatMap(messagesOf),
    ...(stream ? { stream: true } : {}),
    ...(usage === true ? { stream_options: { include_usage: true } } : {}),
    ...(tool === undefined ? {} : { tools: [{ type: 'function', function: toolFunction }] }),
    ...(tool === 'named' ? { tool_choice: { type: 'function', function: { name: readTool.name } } } : {}),
  }),
  writeWrongly: (model) => ({ model, messages: 5 }),
  readStream,
  readWhole,
  checkStream: (stream, { usage, named }) =>
    checkOpenaiChat(stream, {
      ...(usage === undefined ? {} : { includeUsage: usage }),
      ...(named === undefined ? {} : { namedTool: named }),
    }),
  checkWhole: checkChatCompletion,
  checkError: checkOpenaiError,
  modelList: { path: '/v1/models', read: openaiModelIds },
};

const { schema, ...about } = readTool;
const toolFunction = { ...about, parameters: schema };

function messagesOf(entry: Entry): readonly object[] {
  switch (entry.role) {
    case 'user':
      return [{ role: 'user', content: entry.text }];
    case 'assistant': {
      const calls = entry.calls.map(({ id, name, arguments: text }) => ({
        id,
        type: 'function',
        function: { name, arguments: text },
      }));
      const content = entry.text === '' && calls.length > 0 ? null : entry.text;
      return [{ role: 'assistant', content, ...(calls.length > 0 ? { tool_calls: calls } : {}) }];
    }
    case 'results':
      return entry.results.map(({ call, text }) => ({ role: 'tool', tool_call_id: call.id, content: text }));
  }
}

function readStream(stream: string): Answer {
  const calls = new Map<unknown, { id: string; name: string; arguments: string }>();
  const found = { id: '', text: '', counted: false };
  for (const chunk of eventsIn(stream)) {
    found.id ||= textAt(chunk, 'id');
    found.counted ||= isFields(chunk.usage);
    for (const choice of listAt(chunk, 'choices')) {
      found.text += textAt(choice.delta, 'content');
      for (const fragment of listAt(choice.delta, 'tool_calls')) {
        const call = calls.get(fragment.index) ?? { id: '', name: '', arguments: '' };
        calls.set(fragment.index, call);
        call.id ||= textAt(fragment, 'id');
        call.name ||= textAt(fragment.function, 'name');
        call.arguments += textAt(fragment.function, 'arguments');
      }
    }
  }
  return { ...found, calls: [...calls.values()] };
}

function readWhole(body: unknown): Answer {
  const message = fieldsAt(listAt(body, 'choices')[0], 'message');
  const calls: AnsweredCall[] = listAt(message, 'tool_calls').map((call) => ({
    id: textAt(call, 'id'),
    name: textAt(call.function, 'name'),
    arguments: textAt(call.function, 'arguments'),
  }));
  const counted = isFields(body) && isFields(body.usage);
  return { id: textAt(body, 'id'), text: textAt(message, 'content'), calls, counted };
}
