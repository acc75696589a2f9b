import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoGateway, startDemoGateway } from '../../server/src/demo/start-demo-gateway.ts';
import { createClient, type FunctionTool, type InputItem, type ReplyPart, type ResponsesClient } from '../src/index.ts';

// The client against the real gateway, whose demo model writes its calls as text.

let gateway: DemoGateway;
let client: ResponsesClient;
const lines: string[] = [];

beforeAll(async () => {
  gateway = await startDemoGateway();
  client = createClient({ baseUrl: gateway.url, log: ({ level, message }) => lines.push(`${level}: ${message}`) });
});
afterAll(() => gateway.close());

const readFile: FunctionTool = {
  type: 'function',
  name: 'read_file',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};

async function partsOf(parts: AsyncIterable<ReplyPart>): Promise<ReplyPart[]> {
  const all: ReplyPart[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

describe('over the real gateway', () => {
  it('lists its models with their windows', async () => {
    const models = await client.models();
    expect(models.length).toBeGreaterThan(0);
    expect(models.every(({ id, entry }) => entry.id === id)).toBe(true);
  });

  it('completes a turn with a tool: the call once, then the answer to its result', async () => {
    const [model] = await client.models();
    const input: InputItem[] = [{ type: 'message', role: 'user', content: 'Read the file README.md.' }];
    const first = await partsOf(client.reply({ model: model?.id ?? '', input, tools: [readFile] }));
    const calls = first.filter((part) => part.type === 'call');
    expect(calls).toHaveLength(1);
    expect(first.at(-1)).toMatchObject({ type: 'end', reason: 'tool-calls' });
    for (const { callId, name, arguments: json } of calls) {
      input.push({ type: 'function_call', call_id: callId, name, arguments: json });
      input.push({ type: 'function_call_output', call_id: callId, output: 'Hello.' });
    }
    const answer = await client.create({ model: model?.id ?? '', input, tools: [readFile] });
    expect(answer).toMatchObject({ object: 'response', status: 'completed', output: [{ type: 'message' }] });
    expect(answer.usage?.total_tokens).toBeGreaterThan(0);
  });

  it('tells the events in the order of OpenResponses, and nothing is logged that had to be tolerated', async () => {
    const [model] = await client.models();
    lines.length = 0;
    const types: string[] = [];
    for await (const event of client.stream({ model: model?.id ?? '', input: 'Hello.' })) types.push(event.type);
    expect(types.slice(0, 2)).toEqual(['response.created', 'response.in_progress']);
    expect(types.at(-1)).toBe('response.completed');
    expect(lines.filter((line) => !/^(debug|trace): (POST|GET)/.test(line))).toEqual([]);
  });
});
