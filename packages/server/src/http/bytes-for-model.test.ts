import { describe, expect, it } from 'vitest';
import { bytesForModel } from './bytes-for-model.ts';
import { forgetTools, parseWithKnown } from './known-tools.ts';

/** What is sent for the model `n` in place of what `text` asks for. */
function sent(text: string): string | undefined {
  return bytesForModel(Buffer.from(text), 'n')?.toString();
}

describe('a body that asks for another model', () => {
  it('keeps every other byte', () => {
    expect(sent('{ "stream":true,"model" : "up/m" , "n":1.0,"text":"ü \\"model\\" {" }')).toBe(
      '{ "stream":true,"model" : "n" , "n":1.0,"text":"ü \\"model\\" {" }',
    );
  });

  it('finds the model behind other things, and not within them', () => {
    expect(sent('{"a":[{"b":"c"}],"model":"m"}')).toBe('{"a":[{"b":"c"}],"model":"n"}');
    expect(sent('{"a":"model","model":"m"}')).toBe('{"a":"model","model":"n"}');
    expect(sent('{"a\\"model":"x","model":"m\\"}"}')).toBe('{"a\\"model":"x","model":"n"}');
  });

  it('has room for a longer name', () => {
    expect(bytesForModel(Buffer.from('{"model":"m","n":1}'), 'longer')?.toString()).toBe('{"model":"longer","n":1}');
  });

  it('is told of tools that hold the name, where they are known to be tools', () => {
    const tools = JSON.stringify([
      { type: 'function', function: { name: 'model', parameters: { model: { const: '\u0001' } } } },
    ]);
    const ask = (rest: string) => {
      const bytes = Buffer.from(`{"tools":${tools},"model":"m"${rest}}`);
      parseWithKnown(bytes, { mostValues: 1000, owner: '' });
      return bytesForModel(bytes, 'n')?.toString();
    };
    forgetTools();
    expect(ask('')).toBe(`{"tools":${tools},"model":"n"}`);
    expect(ask(',"model":"m"')).toBeUndefined();
    expect(ask(',"\\u006dodel":"m"')).toBeUndefined();
  });

  it('is the very body where the name is the same', () => {
    const bytes = Buffer.from('{"model":"n"}');
    expect(bytesForModel(bytes, 'n')).toBe(bytes);
  });

  it('is not told where another member has the name, or the place is not certain', () => {
    for (const text of [
      '{"model":"m","model":"m"}',
      '{"model":"m","\\u006dodel":"m"}',
      '{"\\u006dodel":"m","model":"m"}',
      '{"model":"m","tools":[{"model":"x"}]}',
      '{"a":{"model":"m"}}',
      '{"model":7}',
      `{"a":"${'x'.repeat(5000)}","model":"m"}`,
      '[]',
      '"model"',
    ]) {
      expect(sent(text), text.slice(0, 60)).toBeUndefined();
    }
  });
});
