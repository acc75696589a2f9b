import { dialects, type Receiver } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { createDemoUpstream } from './demo-upstream.ts';

describe('createDemoUpstream', () => {
  it('has a model for each dialect, hermes first, as that is what the alias names', () => {
    const { name, wire, models } = createDemoUpstream();
    expect([name, wire]).toEqual(['demo', 'openai-chat']);
    expect([...models.keys()][0]).toBe('hermes');
    expect([...models.keys()].sort()).toEqual([...dialects.keys()].sort());
    for (const [id, rule] of models) {
      expect(rule).toMatchObject({ toolCalling: { dialect: id }, contextWindow: 32_768 });
    }
  });

  it('knows no model but these', async () => {
    const upstream = createDemoUpstream({ pace: 0 });
    const statusOf = (model: string) =>
      new Promise<number>((resolve, reject) => {
        const body = { model, messages: [{ role: 'user', content: 'Hello' }], stream: true };
        const receiver: Receiver = { start: resolve, data: () => {}, end: () => {}, fail: reject };
        upstream.transport.send({ upstream: 'demo', path: '/chat/completions', body }, receiver);
      });
    expect(await statusOf('hermes')).toBe(200);
    expect(await statusOf('klingon')).toBe(404);
  });
});
