import { describe, expect, it } from 'vitest';
import { defaultModelRule } from '../plan/rules.ts';
import type { Upstream } from '../plan/setup.ts';
import { readRequest } from '../wires/anthropic-messages/read-request.ts';
import { bodyWithoutBillingNote, withoutBillingNote } from './billing-note.ts';

const note = { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.197.8a5; cc_entrypoint=cli;' };
const system = { type: 'text', text: 'You are Claude Code.', cache_control: { type: 'ephemeral' } };
const body = (blocks: unknown) => ({
  model: 'm',
  max_tokens: 9,
  system: blocks,
  messages: [{ role: 'user', content: 'x-anthropic-billing-header: is what?' }],
});
const asked = (blocks: unknown) => readRequest(body(blocks));

const upstream = (wire: string, vendor = false): Upstream => ({
  name: 'up',
  wire,
  vendor,
  transport: { send: () => ({ pause: () => {}, resume: () => {}, abort: () => {} }) },
  quirks: {},
  deadlines: { connect: 0, firstToken: 0, idle: 0, total: 0 },
  models: new Map([['m', defaultModelRule]]),
});

describe('what Claude Code tells Anthropic of its bill', () => {
  it.each(['anthropic-messages', 'openai-chat', 'ollama-chat'])('is left out for other upstreams of %s', (wire) => {
    expect(withoutBillingNote(asked([note, system]), upstream(wire)).messages).toEqual(asked([system]).messages);
    expect(withoutBillingNote(asked([note]), upstream(wire)).messages).toEqual(asked([]).messages);
    expect(bodyWithoutBillingNote(body([note, system]), upstream(wire))).toEqual(body([system]));
  });

  it('reaches Anthropic', () => {
    const anthropic = upstream('anthropic-messages', true);
    const request = asked([note, system]);
    expect(withoutBillingNote(request, anthropic)).toBe(request);
    const given = body([note, system]);
    expect(bodyWithoutBillingNote(given, anthropic)).toBe(given);
  });

  it('changes nothing where there is none, and nothing that a user says', () => {
    const up = upstream('openai-chat');
    for (const blocks of [undefined, 'Be brief.', [system]]) {
      const request = asked(blocks);
      expect(withoutBillingNote(request, up)).toBe(request);
      const given = body(blocks);
      expect(bodyWithoutBillingNote(given, up)).toBe(given);
    }
  });
});
