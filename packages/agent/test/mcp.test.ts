import { connectMcp, type McpConnection, type McpServer, readMcpServers } from '@dragoman/agent/mcp';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Proposal } from '../src/index.ts';
import { ScriptedModel, startWorld } from './scripted-model.ts';
import { program, startMcpServer } from './start-mcp-server.ts';

/** A value that is taken from the environment. */
const variable = (name: string) => `$\{${name}}`;
const client = { name: 'dragoman', version: '0' };

const byCommand: McpServer = {
  kind: 'command',
  name: 'every thing',
  command: process.execPath,
  args: [program, 'stdio'],
  env: {},
};

describe.each(['stdio', 'http'] as const)('the reference server over %s', (over) => {
  let connection: McpConnection;
  let stop = () => {};

  beforeAll(async () => {
    if (over === 'stdio') {
      connection = await connectMcp(byCommand, {
        client,
        start: ({ command, args }) => new StdioClientTransport({ command, args: [...args], stderr: 'ignore' }),
      });
      return;
    }
    const server = await startMcpServer();
    stop = server.stop;
    connection = await connectMcp({ kind: 'http', name: 'every thing', url: server.url, headers: {} }, { client });
  });

  afterAll(async () => {
    await connection.close();
    stop();
  });

  it('D-055: gives its tools, with names that every model takes', () => {
    const echo = connection.tools.find(({ name }) => name === 'every_thing_echo');
    expect(echo).toMatchObject({ source: 'MCP server "every thing"', reads: true });
    expect(echo?.inputSchema).toMatchObject({ required: ['message'] });
    expect(connection.tools.every(({ name }) => /^[A-Za-z0-9_-]{1,64}$/.test(name))).toBe(true);
  });

  it('D-056: a model calls them when its person allows it', async () => {
    const asked: Proposal[] = [];
    const say = (message: string) => ({ calls: [['every_thing_echo', { message }]] as const });
    const model = new ScriptedModel(say('hello'), say('again'), { text: 'ok' });
    const { send, session } = startWorld(model, {
      tools: connection.tools,
      ask: async (proposal) => {
        asked.push(proposal);
        return asked.length === 1 ? 'approve' : 'reject';
      },
    });
    await send('Go.');
    expect(asked[0]).toMatchObject({ source: 'MCP server "every thing"', arguments: { message: 'hello' } });
    expect(session.chat.messages[2]?.content).toBe('Echo: hello');
    expect(session.chat.messages[4]).toMatchObject({ tool_result: { status: 'rejected' } });
  });

  it.each([
    ['every_thing_get-tiny-image', {}, 'ok', '[image of type image/png'],
    ['every_thing_get-resource-links', { count: 2 }, 'ok', '](demo://resource/dynamic/text/2)'],
    [
      'every_thing_get-resource-reference',
      { resourceType: 'Text', resourceId: 1 },
      'ok',
      'Resource 1: This is a plaintext resource',
    ],
    ['every_thing_get-structured-content', { location: 'New York' }, 'ok', '"conditions":"Cloudy"'],
    ['every_thing_get-resource-reference', { resourceType: 'Text', resourceId: -1 }, 'error', 'resourceId'],
  ] as const)('D-061: %s of %j is a result of status %s', async (name, values, status, text) => {
    const { send, session } = startWorld(new ScriptedModel({ calls: [[name, values]] }, { text: 'ok' }), {
      tools: connection.tools,
    });
    await send('Go.');
    const message = session.chat.messages[2];
    expect(message?.content).toContain(text);
    expect(message).toMatchObject(status === 'ok' ? { role: 'tool' } : { tool_result: { status } });
  });

  it('D-062: cancelling ends a long call', async () => {
    const control = new AbortController();
    const calls = [['every_thing_trigger-long-running-operation', { duration: 60, steps: 60 }]] as const;
    const { send } = startWorld(new ScriptedModel({ calls }), { tools: connection.tools });
    setTimeout(() => control.abort(), 200);
    expect(await send('Go.', { signal: control.signal })).toEqual({ reason: 'cancelled' });
  });
});

describe('servers that cannot be had', () => {
  it.each([
    ['a program where none can be started', byCommand, 'every thing" does not answer: it is a program'],
    [
      'nobody there',
      { kind: 'http', name: 'gone', url: 'http://127.0.0.1:9/mcp', headers: {} } as const,
      'MCP server "gone" does not answer',
    ],
  ])('D-093: %s', async (_, server, text) => {
    await expect(connectMcp(server, { client })).rejects.toThrow(text);
  });

  it.each([
    ['no JSON', '{', 'is not JSON'],
    ['no list', '{"servers":{}}', '"mcpServers"'],
    ['nothing to reach it by', '{"mcpServers":{"a":{}}}', 'mcpServers.a: give a "command"'],
    [
      'a variable that is not set',
      `{"mcpServers":{"a":{"url":"https://x/${variable('NO')}"}}}`,
      `takes ${variable('NO')} from the environment`,
    ],
    ['no address', '{"mcpServers":{"a":{"url":"file:///etc"}}}', 'http://'],
    ['the older transport', '{"mcpServers":{"a":{"type":"sse","url":"https://x"}}}', '"sse"'],
    ['a number for text', '{"mcpServers":{"a":{"command":"x","args":[1]}}}', 'args[0] must be text'],
  ])('D-055: a list with %s is told', (_, text, words) => {
    expect(() => readMcpServers(text)).toThrow(words);
  });

  it('D-055: the form of other clients is read, with variables of the environment', () => {
    const text = JSON.stringify({
      mcpServers: {
        a: { command: 'npx', args: ['-y', 'x'], env: { KEY: variable('K') } },
        b: { type: 'http', url: 'https://b/mcp', headers: { Authorization: `Bearer ${variable('K')}` } },
        c: { command: 'x', disabled: true },
      },
    });
    expect(readMcpServers(text, { K: 'key' })).toEqual([
      { kind: 'command', name: 'a', command: 'npx', args: ['-y', 'x'], env: { KEY: 'key' } },
      { kind: 'http', name: 'b', url: 'https://b/mcp', headers: { Authorization: 'Bearer key' } },
    ]);
  });
});
