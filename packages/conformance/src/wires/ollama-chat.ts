import { type Departure, Departures } from '../departures.ts';
import { checkOllamaChat } from '../grammars/ollama-chat-grammar.ts';
import { type Fields, isFields, readJson } from '../read-json.ts';
import { fieldsAt, linesIn, listAt, textAt } from '../read-reply.ts';
import { bearer } from './openai.ts';
import { type Answer, type Entry, readTool, type WireProbe } from './probe.ts';

/** Ollama's chat. */
export const ollamaChatProbe: WireProbe = {
  id: 'ollama-chat',
  path: '/api/chat',
  streamType: 'application/x-ndjson',
  usageOnDemand: false,
  headers: bearer,
  // There is no way to demand a tool.
  write: ({ model, entries, stream, tool }) => ({
    model,
    messages: entries.flatMap(messagesOf),
    stream,
    ...(tool === undefined ? {} : { tools: [{ type: 'function', function: { ...about, parameters: schema } }] }),
  }),
  writeWrongly: (model) => ({ model, messages: 5 }),
  readStream: (stream) => answerOf(linesIn(stream)),
  readWhole: (body) => answerOf(isFields(body) ? [body] : []),
  checkStream: (stream) => checkOllamaChat(stream),
  checkWhole: (body) => checkOllamaChat(`${JSON.stringify(body)}\n`, { whole: true }),
  checkError,
  modelList: { path: '/api/tags', read: tagIds },
};

const { schema, ...about } = readTool;

function messagesOf(entry: Entry): readonly object[] {
  switch (entry.role) {
    case 'user':
      return [{ role: 'user', content: entry.text }];
    case 'assistant': {
      const calls = entry.calls.map(({ id, name, arguments: text }) => ({
        ...(id === '' ? {} : { id }),
        function: { name, arguments: readJson(text) ?? {} },
      }));
      return [{ role: 'assistant', content: entry.text, ...(calls.length > 0 ? { tool_calls: calls } : {}) }];
    }
    case 'results':
      return entry.results.map(({ call, text }) => ({
        role: 'tool',
        content: text,
        tool_name: call.name,
        ...(call.id === '' ? {} : { tool_call_id: call.id }),
      }));
  }
}

function answerOf(lines: readonly Fields[]): Answer {
  const messages = lines.map((line) => fieldsAt(line, 'message'));
  return {
    text: messages.map((message) => textAt(message, 'content')).join(''),
    calls: messages
      .flatMap((message) => listAt(message, 'tool_calls'))
      .map((call) => ({
        id: textAt(call, 'id'),
        name: textAt(call.function, 'name'),
        arguments: JSON.stringify(fieldsAt(call.function, 'arguments')),
      })),
    counted: lines.some(({ eval_count: count }) => typeof count === 'number'),
  };
}

/** `{"error": "…"}`. */
function checkError(body: unknown): readonly Departure[] {
  const out = new Departures();
  if (textAt(body, 'error') === '') out.violate('error is not a string that says something');
  return out.all();
}

function tagIds(body: unknown): readonly string[] | undefined {
  if (!isFields(body) || !Array.isArray(body.models)) return undefined;
  const ids = body.models.map((model) => (isFields(model) ? (model.model ?? model.name) : undefined));
  return ids.every((id) => typeof id === 'string') ? ids : undefined;
}
