import { describe, expect, it } from 'vitest';
import type { Message } from '../chat/message.ts';
import { restoreWireIds } from './restore-wire-ids.ts';

const turn = (...callIds: string[]): Message => ({
  role: 'assistant',
  content: callIds.map((callId) => ({ type: 'tool-call', callId, name: 'terminal', arguments: '{}' })),
});
const result = (callId: string): Message => ({ role: 'tool', callId, content: [{ type: 'text', text: callId }] });

describe('ids on their way back to the upstream', () => {
  it('E-065 E-013 shows the upstream its own id in each turn', () => {
    const ours = 'call_0000abcd-___3a0';
    const messages = [turn('terminal:0'), result('terminal:0'), turn(ours), result(ours)];
    const frozen = JSON.stringify(messages);
    expect(restoreWireIds(messages)).toEqual([
      turn('terminal:0'),
      result('terminal:0'),
      turn('terminal:0'),
      { ...result(ours), callId: 'terminal:0' },
    ]);
    expect(JSON.stringify(messages)).toBe(frozen);
  });

  it('E-066 never gives two calls of one turn the same id', () => {
    const ours = 'call_0000abcd-___3a0';
    const messages = [turn('terminal:0', ours), result(ours), result('terminal:0')];
    expect(restoreWireIds(messages)).toBe(messages);
  });

  it('E-012 leaves every other id alone', () => {
    const messages = [turn('call_abc123', 'toolu_01', `call_${'a'.repeat(24)}`), result('call_abc123')];
    expect(restoreWireIds(messages)).toBe(messages);
  });
});
