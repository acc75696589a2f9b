import { describe, expect, it } from 'vitest';
import { chunk, done, startAnswer } from '../../test/start-answer.ts';
import type { ToolChoice } from '../chat/tool.ts';
import { type CallPolicy, defaultCallPolicy } from './rules.ts';

const call = (name = 'read', path = 'a') =>
  `<tool_call>\n{"name": "${name}", "arguments": {"path": "${path}"}}\n</tool_call>`;
const invented = '\n<tool_response>\nall of it\n</tool_response>\nSo it says this.';

interface Asked {
  readonly toolChoice?: ToolChoice;
  readonly parallelToolCalls?: boolean;
}

/** A reply in hermes, a few characters at a time, under a policy. */
function replied(written: string, policy: Partial<CallPolicy> = {}, asked: Asked = {}) {
  const reply = startAnswer({
    rule: { toolCalling: { dialect: 'hermes' }, policy: { ...defaultCallPolicy, ...policy } },
    request: asked,
  });
  reply.stream();
  for (let at = 0; at < written.length; at += 7) reply.data(chunk({ content: written.slice(at, at + 7) }));
  reply.data(chunk({}, 'stop') + done);
  reply.to().end();
  const { text, reasoning, calls, finishReason, warnings } = reply.message();
  return {
    text: text.trim(),
    reasoning,
    calls: calls.map(({ name, arguments: json }) => `${name} ${JSON.parse(json).path}`),
    finishReason,
    warnings: warnings.filter(({ code }) => code !== 'empty-reply'),
    codes: warnings.map(({ code }) => code).filter((code) => code !== 'empty-reply'),
    stopped: reply.told.includes('abort'),
  };
}

const thought = `<think>I read it. ${call()}</think>`;

describe('policy.reasoning', () => {
  it.each([
    ['never', thought, [], []],
    ['candidate', thought, [], ['call-in-reasoning', 'call-in-reasoning']],
    ['fire', thought, ['read a'], ['call-in-reasoning', 'call-in-reasoning']],
    ['never', `${thought}No need.`, [], []],
    ['candidate', `${thought}No need.`, [], ['call-in-reasoning']],
    ['fire', `${thought}No need.`, ['read a'], ['call-in-reasoning', 'call-in-reasoning']],
    ['never', `${thought}${call('read', 'b')}`, ['read b'], []],
    ['candidate', `${thought}${call('read', 'b')}`, ['read b'], ['call-in-reasoning']],
    ['fire', `${thought}${call('read', 'b')}`, ['read b'], ['call-in-reasoning']],
  ] as const)('D-010 E-086: %s of %s', (reasoning, written, calls, codes) => {
    const found = replied(written, { reasoning });
    expect(found).toMatchObject({ reasoning: `I read it. ${call()}`, calls, codes });
    expect(found.finishReason).toBe(calls.length > 0 ? 'tool-calls' : 'stop');
  });

  it('D-010: a candidate is told with its name and arguments, also where the reasoning never ended', () => {
    for (const written of [thought, thought.replace('</think>', '')]) {
      const message = replied(written).warnings.at(-1)?.message;
      expect(message).toContain('"read"');
      expect(message).toContain('{"path": "a"}');
    }
  });

  it('E-086: a reply that broke off in its reasoning has no candidate', () => {
    const reply = startAnswer({ rule: { toolCalling: { dialect: 'hermes' } } });
    reply.stream();
    reply.data(chunk({ reasoning_content: call() }) + chunk({}, 'length') + done);
    expect(reply.message()).toMatchObject({ calls: [], finishReason: 'length', warnings: [] });
  });
});

describe('policy.fences', () => {
  const fenced = `\`\`\`\n${call()}\n\`\`\``;

  it('B-041: text stays text and is told; fire runs it', () => {
    expect(replied(fenced)).toMatchObject({ calls: [], text: fenced, codes: ['call-in-fence'] });
    expect(replied(fenced, { fences: 'fire' })).toMatchObject({ calls: ['read a'], codes: [] });
  });
});

describe('policy.undeclared', () => {
  const other = call('delete_all');

  it.each([
    ['text', other, [], 'stop'],
    ['forward', '', ['delete_all a'], 'tool-calls'],
    ['drop', '', [], 'stop'],
  ] as const)('B-041: %s', (undeclared, text, calls, finishReason) => {
    expect(replied(other, { undeclared })).toMatchObject({ text, calls, finishReason, codes: ['call-undeclared'] });
  });

  it('A-139: is passed on where nothing is said, for the client to answer', () => {
    expect(replied(other)).toMatchObject({ text: '', calls: ['delete_all a'], codes: ['call-undeclared'] });
  });

  it.each(['TOOL_NAME', 'functions.TOOL_NAME', 'the name', 'näme', 'n'.repeat(129)])(
    'A-139: what is no name of a tool stays text: %s',
    (name) => {
      expect(replied(call(name))).toMatchObject({ text: call(name), calls: [], codes: ['call-undeclared'] });
    },
  );

  it('B-041: drop tells all that was left out, and keeps what is around it', () => {
    const found = replied(`Before. ${other} ${call()} after.`, { undeclared: 'drop' });
    expect(found).toMatchObject({ calls: ['read a'], text: 'Before.  after.' });
    expect(found.warnings[0]?.message).toContain(other);
  });

  it('B-041: drop leaves a broken call out up to where it broke', () => {
    const broken = '<tool_call>\n{"name": "delete_all", "arguments": {"path": nonsense}}\n</tool_call>';
    const found = replied(`${broken}\n${call()}`, { undeclared: 'drop' });
    expect(found.calls).toEqual(['read a']);
    expect(found.warnings[0]?.message).toContain('{"path": ');
  });
});

describe('policy.names', () => {
  it.each([
    ['exact', []],
    ['normalised', ['read a']],
    ['nearest', ['read a']],
  ] as const)('B-063: %s', (names, calls) => {
    expect(replied(call('Read'), { names, undeclared: 'text' }).calls).toEqual(calls);
    expect(replied(call('raed'), { names, undeclared: 'text' }).calls).toEqual(names === 'nearest' ? ['read a'] : []);
  });
});

describe('policy.textAfterCalls', () => {
  it('B-089: keep delivers it, drop leaves it out', () => {
    expect(replied(`${call()} Done.`)).toMatchObject({ text: 'Done.', codes: [] });
    expect(replied(`${call()} Done.`, { textAfterCalls: 'drop' })).toMatchObject({ text: '', codes: ['text-dropped'] });
  });
});

describe('policy.results', () => {
  it('A-209: end drops what follows an invented result, ends the reply and stops the upstream', () => {
    const found = replied(`${call()}${invented}${call('read', 'b')}`);
    expect(found).toMatchObject({ calls: ['read a'], text: '', finishReason: 'tool-calls', stopped: true });
    expect(found.codes).toEqual(['result-fabricated']);
  });

  it('A-209: text delivers it, and calls after it run', () => {
    const found = replied(`${call()}${invented}${call('read', 'b')}`, { results: 'text' });
    expect(found).toMatchObject({ calls: ['read a', 'read b'], text: invented.trim(), stopped: false });
    expect(found.codes).toEqual(['result-fabricated']);
  });

  it('a result marker before any call is text, and nothing is stopped', () => {
    expect(replied(invented)).toMatchObject({ text: invented.trim(), codes: [], stopped: false });
  });
});

describe('policy.maxCalls and policy.surplus', () => {
  const three = [call('read', 'a'), call('read', 'b'), call('read', 'c')].join('\n');

  it('D-009 A-050: text leaves surplus calls as text, drop leaves them out and tells each', () => {
    for (const [policy, asked] of [
      [{ maxCalls: 1 }, {}],
      [{}, { parallelToolCalls: false }],
    ] as const) {
      const kept = replied(three, { ...policy, surplus: 'text' }, asked);
      expect(kept).toMatchObject({ calls: ['read a'], codes: ['call-surplus'] });
      expect(kept.text).toContain('"path": "c"');
      const dropped = replied(three, policy, asked);
      expect(dropped).toMatchObject({ calls: ['read a'], text: '', codes: ['call-surplus', 'call-surplus'] });
      expect(dropped.warnings[1]?.message).toContain('"path": "c"');
    }
  });

  it('A-049: tool_choice none: calls are text, or left out; nothing fires, whatever else is allowed', () => {
    const none = { toolChoice: 'none' } as const;
    expect(replied(call(), { surplus: 'text' }, none)).toMatchObject({ calls: [], text: call(), finishReason: 'stop' });
    expect(replied(`A ${call()} B`, {}, none)).toMatchObject({ calls: [], text: 'A  B' });
    const open = { undeclared: 'forward', reasoning: 'fire', fences: 'fire', names: 'nearest' } as const;
    expect(replied(`${thought}${call()}${call('delete_all')}`, open, none)).toMatchObject({
      calls: [],
      finishReason: 'stop',
    });
  });
});
