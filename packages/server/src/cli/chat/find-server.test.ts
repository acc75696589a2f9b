import { createDirectClient } from '@dragoman/core';
import { chatStream, jsonReply, startScriptedUpstream } from '@dragoman/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { joined, type ModelPlace } from './find-server.ts';

async function placeWith(...models: readonly string[]): Promise<ModelPlace> {
  const list = jsonReply(200, { object: 'list', data: models.map((id) => ({ id, object: 'model' })) });
  const upstream = await startScriptedUpstream({
    fallback: ({ method }) => (method === 'POST' ? chatStream(`I am at ${upstream.baseUrl}`) : list),
  });
  onTestFinished(() => upstream.close());
  const { baseUrl: url } = upstream;
  const direct = createDirectClient({ url });
  return { url, urlOf: () => url, direct, models: await direct.models(), close: async () => {} };
}

it('D-093: of several servers the one that has a model is asked, and told', async () => {
  const [one, other] = [await placeWith('a', 'both'), await placeWith('both', 'b')];
  const place = joined([one, other]);
  expect(place.models.map(({ id }) => id)).toEqual(['a', 'both', 'b']);
  const told = ['a', 'both', 'b'].map((model) => place.urlOf(model));
  expect(told).toEqual([one.url, one.url, other.url]);
});
