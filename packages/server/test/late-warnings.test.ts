import { request } from 'node:http';
import { chatStream } from '@dragoman/testkit';
import { expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';

const user = { role: 'user', content: 'Read.' };
const parameters = { type: 'object', properties: {} };
const ofChat = [{ type: 'function', function: { name: 'read', parameters } }];
const bodies = {
  '/v1/chat/completions': { messages: [user], tools: ofChat },
  '/v1/responses': { input: 'Read.', tools: [{ type: 'function', name: 'read', parameters }] },
  '/v1/messages': { max_tokens: 100, messages: [user], tools: [{ name: 'read', input_schema: parameters }] },
  '/api/chat': { messages: [user], tools: ofChat },
};

/** A streamed answer as HTTP has it: programs with `fetch` never see trailers. */
function stream(url: string, body: object) {
  return new Promise<{ after: unknown; announced: unknown; text: string }>((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers: { 'content-type': 'application/json' } }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece: string) => {
        text += piece;
      });
      answer.on('end', () => {
        const name = 'x-dragoman-warnings';
        resolve({ after: answer.trailers[name], announced: answer.headers.trailer, text });
      });
    });
    sent.on('error', reject);
    sent.end(JSON.stringify({ model: 'up/text', stream: true, ...body }));
  });
}

it.each(Object.entries(bodies))('%s: what was repaired in a streamed reply is named after it', async (path, body) => {
  const upstream = await upstreamForTest({ fallback: chatStream('<tool_call>{"name": "read", "arguments": {}}') });
  const { url } = await gatewayForTest({ upstream });
  const { text, ...told } = await stream(url + path, body);
  expect(text).toContain('read');
  expect(told).toEqual({ after: 'call-repaired=1', announced: 'x-dragoman-warnings' });
});

it('nothing comes after a stream of which there is nothing to tell', async () => {
  const upstream = await upstreamForTest({ fallback: chatStream('Fine.') });
  const { url } = await gatewayForTest({ upstream });
  const { after } = await stream(`${url}/v1/chat/completions`, bodies['/v1/chat/completions']);
  expect(after).toBeUndefined();
});
