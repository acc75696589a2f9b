import { createClient, type Log, type ResponsesClient } from '@dragoman/openresponses-client';

/** An event of a scripted reply. */
export type Event = Readonly<Record<string, unknown>> & { readonly type: string };

export const event = (type: string, fields: object = {}): Event => ({ type: `response.${type}`, ...fields });

/** The events of a reply as a server sends them, with the mark at the end. */
export const written = (events: readonly Event[]) =>
  `${events.map((each) => `event: ${each.type}\ndata: ${JSON.stringify(each)}\n\n`).join('')}data: [DONE]\n\n`;

/** The stream of a reply that says a text. */
export const textReply = (text: string, fields: object = {}): readonly Event[] => [
  event('created', { response: { id: 'resp_1', status: 'in_progress', output: [] } }),
  event('output_item.added', { output_index: 0, item: { type: 'message', id: 'm1', role: 'assistant', content: [] } }),
  event('output_text.delta', { item_id: 'm1', output_index: 0, content_index: 0, delta: text }),
  completed([messageItem(text)], fields),
];

export const messageItem = (text: string, fields: object = {}) => ({
  type: 'message',
  id: 'm1',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [], ...fields }],
});

export const callItem = (fields: object = {}) => ({
  type: 'function_call',
  id: 'f1',
  call_id: 'c1',
  name: 'read',
  arguments: '{"path":"a"}',
  status: 'completed',
  ...fields,
});

export const completed = (output: readonly object[] = [], fields: object = {}): Event =>
  event('completed', { response: { id: 'resp_1', status: 'completed', output, ...fields } });

/** What a server answers to a request. */
export type Answer = (request: Request) => Response | Promise<Response>;

export const streamed = (text: string) => new Response(text, { headers: { 'content-type': 'text/event-stream' } });

/** A client of a server that is only a function. */
export function scriptedClient(answer: Answer, log?: Log): ResponsesClient {
  return createClient({
    baseUrl: 'http://server/v1',
    fetch: async (input, init) => answer(new Request(input, init)),
    log,
  });
}
