import { describe, expect, it } from 'vitest';
import { bytesForModel } from './bytes-for-model.ts';

/** What is sent for the model `n` in place of what `text` asks for. */
function sent(text: string): string | undefined {
  return bytesForModel(Buffer.from(text), JSON.parse(text), 'n')?.toString();
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

  it('is the very body where the name is the same', () => {
    const bytes = Buffer.from('{"model":"n"}');
    expect(bytesForModel(bytes, { model: 'n' }, 'n')).toBe(bytes);
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
