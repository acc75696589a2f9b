import { chatRequest } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { collect } from '../../chat/collect.ts';
import { runStage } from '../../stream/stage.ts';
import { readRequest } from './read-request.ts';
import { createStreamReader, readMessage } from './read-stream.ts';
import { writeRequest } from './write-request.ts';
import { createStreamWriter, writeMessage } from './write-stream.ts';

const calls = [
  { type: 'local_shell_call', id: 'l1', call_id: 'c1', status: 'completed', action: { type: 'exec', command: ['ls'] } },
  { type: 'shell_call', id: 's1', call_id: 'c2', status: 'completed', action: { commands: ['ls'] } },
  {
    type: 'apply_patch_call',
    id: 'a1',
    call_id: 'c3',
    status: 'completed',
    operation: { type: 'delete_file', path: 'x' },
  },
  { type: 'tool_search_call', id: 't1', call_id: 'c4', status: 'completed', arguments: { query: 'q' } },
];
const outputs = [
  { type: 'local_shell_call_output', call_id: 'c1', output: 'a' },
  { type: 'shell_call_output', call_id: 'c2', output: [{ stdout: 'a' }] },
  { type: 'apply_patch_call_output', call_id: 'c3', status: 'completed' },
  { type: 'tool_search_output', call_id: 'c4', tools: [] },
];
const said = {
  type: 'message',
  id: 'm1',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'Look.', annotations: [] }],
};
const context = { request: chatRequest({ stream: true }), replyId: 'r', created: 1 };

describe('calls of tools that only this API has', () => {
  const output = [said, ...calls];
  const response = { id: 'r', status: 'completed', output };
  const event = (type: string, fields: object) => ({
    event: '',
    data: JSON.stringify({ type: `response.${type}`, ...fields }),
  });
  const frames = [
    event('created', { response: { id: 'r' } }),
    ...output.flatMap((item, index) => [
      event('output_item.added', { output_index: index, item: { ...item, status: 'in_progress' } }),
      event('output_item.done', { output_index: index, item }),
    ]),
    event('completed', { response }),
  ];

  it.each([
    ['streamed', runStage(createStreamReader(context.request), frames)],
    ['whole', readMessage(response, context.request)],
  ])('reach its clients as they are and are told for all others, %s', (_, events) => {
    const { warnings, text, calls: others, complete } = collect(events);
    expect([text, others, complete]).toEqual(['Look.', [], true]);
    expect(warnings.map(({ code }) => code)).toEqual(Array(4).fill('field-dropped'));
    expect(writeMessage(events, context).output.slice(1)).toEqual(calls);
    const stream = runStage(createStreamWriter(context), events).join('');
    for (const call of calls) {
      const item = `"item":${JSON.stringify(call)}`;
      expect(stream.split(item).length - 1, call.type).toBe(2);
    }
  });

  it('and their results go to its upstreams in their places, with the tools', () => {
    const tools = ['local_shell', 'shell', 'apply_patch', 'tool_search'].map((type) => ({ type }));
    const user = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go' }] };
    const request = readRequest({ model: 'm', input: [user, ...calls, ...outputs, user], tools });
    const { body } = writeRequest(request, 'real', {});
    expect(JSON.parse(JSON.stringify(body))).toMatchObject({ input: [user, ...calls, ...outputs, user], tools });
    expect(request.warnings.map(({ code }) => code)).toContain('field-dropped');
    expect(request.tools).toEqual([]);
  });
});
