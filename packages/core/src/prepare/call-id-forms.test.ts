import { describe, expect, it } from 'vitest';
import type { CallIdFormName } from '../wires/shared-quirks.ts';
import { createCallIdForm } from './call-id-forms.ts';
import { formOfModel } from './render-request.ts';

const call = (callId: string, name = 'read') => ({ callId, name });

describe('a form of call ids', () => {
  it.each<[CallIdFormName, string[], string[]]>([
    ['as-they-are', ['a', 'functions.read:0', 'x'.repeat(500), 'a b'], ['']],
    [
      'short',
      ['call_1', 'functions.read:0', 'hist_tool_5b1f', 'é', 'x'.repeat(64)],
      ['', 'x'.repeat(65), 'a b', 'a\n'],
    ],
    ['short', [], ['a\u00a0b', 'a\u2028b', '\ud83d', '\u3000', '\u007f', '\ufeff']],
    ['forty', ['call_1', 'x'.repeat(40)], ['', 'x'.repeat(41), 'a b']],
    ['nine', ['a1b2C3d4E', '123456789'], ['', 'a1b2c3d4', 'a1b2c3d4ef', 'call_1234', 'äbcdefghi']],
    ['anthropic', ['toolu_01', 'call-9_x'], ['', 'functions.read:0', 'é', 'x'.repeat(65)]],
    [
      'kimi',
      ['functions.read:0', 'functions.read:12'],
      ['functions.list:0', 'functions.read:', 'functions.read:01', 'read:0'],
    ],
    ['number', ['0', '17'], ['', '01', '-1', '1.5', '9'.repeat(10), 'call_1']],
  ])('E-060 E-064 %s takes these ids and not those', (name, good, bad) => {
    const form = createCallIdForm(name);
    expect(good.filter((id) => !form.fits(id, 'read'))).toEqual([]);
    expect(bad.filter((id) => form.fits(id, 'read'))).toEqual([]);
  });

  it('E-062 nine: ten thousand ids of exactly nine letters and digits, the same each time, no two alike', () => {
    const form = createCallIdForm('nine');
    const ids = Array.from({ length: 10_000 }, (_, at) => form.make(call(`call_${at}`), 0));
    expect(ids.filter((id) => !/^[A-Za-z0-9]{9}$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(10_000);
    const again = createCallIdForm('nine');
    expect(ids.every((id, at) => again.make(call(`call_${at}`), 0) === id)).toBe(true);
    expect(new Set(Array.from({ length: 100 }, (_, attempt) => form.make(call('a'), attempt))).size).toBe(100);
  });

  it('E-061 kimi: counts over the conversation and goes on after what is there', () => {
    const form = createCallIdForm('kimi');
    const chosen = (id: string) => {
      form.chosen?.(id);
      return id;
    };
    expect(chosen(form.make(call('toolu_1'), 0))).toBe('functions.read:0');
    expect(chosen(form.make(call('toolu_2', 'list'), 0))).toBe('functions.list:1');
    chosen('functions.read:7');
    expect(chosen(form.make(call('toolu_3'), 0))).toBe('functions.read:8');
  });

  it('makes ids that fit it', () => {
    for (const name of ['as-they-are', 'short', 'forty', 'nine', 'anthropic', 'kimi', 'number'] as const) {
      const form = createCallIdForm(name);
      for (const id of ['', 'x'.repeat(1000), 'a b', '\ud83d', 'functions.read:0']) {
        const made = form.make(call(id), 0);
        expect(form.fits(made, 'read'), `${name} ${made}`).toBe(true);
        form.chosen?.(made);
      }
    }
  });

  it.each([
    ['mistral-large-latest', 'nine'],
    ['mistralai/Ministral-8B-Instruct-2410', 'nine'],
    ['Devstral-Small-2507', 'nine'],
    ['moonshotai/Kimi-K2-Instruct', 'kimi'],
    ['gpt-4o', undefined],
  ])('E-062 is known of models named %s: %s', (model, form) => {
    expect(formOfModel(model)).toBe(form);
  });
});
