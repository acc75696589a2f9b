import { createDirectClient, DragomanError } from '@dragoman/core';
import { chatStream, errorReply, jsonReply } from '@dragoman/testkit';
import { expect, it } from 'vitest';
import { upstreamForTest } from '../../server/test/for-test.ts';
import { errorText, keepFacts } from '../src/index.ts';
import { startWorld } from './scripted-model.ts';

// What goes wrong with real connections, in words.

const model = 'qwen3';

async function wordsFor(url: string, signal = new AbortController().signal): Promise<string> {
  const direct = createDirectClient({ url });
  const { session } = startWorld(direct);
  const end = await session.send('Hi', { model: direct, settings: { model }, signal });
  if (end.reason !== 'error') throw new Error(`It ended with ${end.reason}.`);
  expect(end.error).toBeInstanceOf(DragomanError);
  return errorText(end.error, { server: url, model });
}

it('D-093: a server that is off, a model that is not there, too small a window and a wrong key have texts of their own', async () => {
  const gone = await upstreamForTest();
  await gone.close();
  expect(await wordsFor(gone.origin)).toContain('cannot be reached. Is the server running');
  const upstream = await upstreamForTest();
  upstream.next(errorReply(404, `model "${model}" not found, try pulling it first`));
  expect(await wordsFor(upstream.origin)).toContain(`ollama pull ${model}`);
  upstream.next(
    errorReply(400, "This model's maximum context length is 4096 tokens, however you requested 9000 tokens."),
  );
  expect(await wordsFor(upstream.origin)).toContain('too long for the window');
  upstream.next(errorReply(401, 'Wrong key.'));
  expect(await wordsFor(upstream.origin)).toContain('refused the key');
});

it('D-062: cancelling ends the work of the server, and keeps what came', async () => {
  const upstream = await upstreamForTest();
  upstream.next(chatStream('a long reply, word by word', { pieces: 2, delay: 20 }));
  const direct = createDirectClient({ url: upstream.origin });
  const { session } = startWorld(direct);
  const stop = new AbortController();
  const emit = ({ type }: { readonly type: string }) => {
    if (type === 'text') stop.abort();
  };
  const end = await session.send('Hi', { model: direct, settings: { model }, signal: stop.signal, emit });
  expect(end).toEqual({ reason: 'cancelled' });
  await (await upstream.request(0)).aborted;
  const { content } = session.chat.messages[1] ?? { content: '' };
  expect([content.length > 0, 'a long reply, word by word'.startsWith(content)]).toEqual([true, true]);
});

it('D-092: what ends an answer is told to the server, and turns that a model invents are left out where its rule says so', async () => {
  const upstream = await upstreamForTest();
  upstream.next(chatStream('It is tea.\nUser: And milk?\nAssistant: Yes.', { pieces: 7 }));
  const direct = createDirectClient({ url: upstream.origin, rule: { legacyText: 'drop' } });
  const { session } = startWorld(direct);
  const settings = { model, stop: ['\nUser:'] };
  const end = await session.send('What is it?', { model: direct, settings, signal: new AbortController().signal });
  expect(end).toEqual({ reason: 'answer' });
  expect(session.chat.messages.at(-1)?.content.trim()).toBe('It is tea.');
  expect(upstream.requests[0]?.body).toMatchObject({ stop: ['\nUser:'] });
});

it('D-090: what answers have shown of a model is kept as a text, and a text that is damaged is learnt anew', async () => {
  const upstream = await upstreamForTest({
    fallback: ({ method, body }) => {
      if (method === 'GET') return jsonReply(200, { object: 'list', data: [{ id: 'm', object: 'model' }] });
      return 'tools' in Object(body) ? errorReply(500, 'tools param requires --jinja flag') : chatStream('Hi.');
    },
  });
  let kept: unknown = null;
  /** Whether the server was asked natively first, by a program that has just begun. */
  const asksNatively = async () => {
    const facts = keepFacts(kept, (text) => {
      kept = text;
    });
    const before = upstream.requests.length;
    const direct = createDirectClient({ url: upstream.origin, facts });
    await direct.models();
    const { session } = startWorld(direct);
    const { signal } = new AbortController();
    expect(await session.send('Hi', { model: direct, settings: { model: 'm' }, signal })).toEqual({ reason: 'answer' });
    return 'tools' in Object(upstream.requests.slice(before).find(({ method }) => method === 'POST')?.body);
  };
  expect([await asksNatively(), await asksNatively()]).toEqual([true, false]);
  for (const damaged of ['{', '[]', '[{"key":{}},null,1]', 'null', undefined, {}]) {
    kept = damaged;
    expect([damaged, await asksNatively()]).toEqual([damaged, true]);
  }
});
