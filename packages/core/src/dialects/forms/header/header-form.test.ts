import { describe, expect, it } from 'vitest';
import { repairs } from '../../parser/call-warnings.ts';
import { headerForm } from './header-form.ts';

const past = { callId: 'c', name: 'read', arguments: '{}', ordinal: 3 };

describe('headerForm', () => {
  it.each([
    ['{name}', 'read', { name: 'read' }],
    ['functions.{name}:{index}', 'functions.read:3', { name: 'read', nativeId: 'functions.read:3' }],
    ['functions.{name}:{index}', 'functions.a:b:3', { name: 'a:b', nativeId: 'functions.a:b:3' }],
    ['{name}[ID]{id}', 'read[ID]a7', { name: 'read', nativeId: 'a7' }],
    ['{id} {name}', 'a7 read', { name: 'read', nativeId: 'a7' }],
    ['{name}({other})', 'read({other})', { name: 'read' }],
  ])('%s reads %s', (form, header, found) => {
    expect(headerForm(form).read(header)).toEqual(found);
  });

  it.each([
    ['functions.{name}:{index}', 'read:3', { name: 'read', nativeId: 'read:3', repair: repairs.header }],
    ['functions.{name}:{index}', 'functions.read', { name: 'read', repair: repairs.header }],
    ['functions.{name}:{index}', 'functions.read:3a', { name: 'read:3a', repair: repairs.header }],
    ['{name}[ID]{id}', 'read', { name: 'read' }],
    ['{name}[ID]{id}', 'read[ID]', { name: 'read' }],
  ])('%s reads %s, too', (form, header, found) => {
    expect(headerForm(form).read(header)).toEqual(found);
  });

  it.each(['', ':3'])('reads no name out of %j', (header) => {
    expect(headerForm('functions.{name}:{index}').read(header)).toBeUndefined();
  });

  it("writes a call under the model's own id, or else its place", () => {
    const kimi = headerForm('functions.{name}:{index}');
    const id = '3';
    expect(kimi.write(past, { id })).toBe('functions.read:3');
    expect(kimi.write({ ...past, nativeId: 'functions.read:9' }, { id })).toBe('functions.read:9');
    expect(headerForm('{name}[ID]{id}').write({ ...past, nativeId: 'a7' }, { id: 'a7' })).toBe('read[ID]a7');
    expect(headerForm('{name}[ID]{id}').write(past, { id })).toBe('read[ID]3');
    expect(headerForm('{name}[ID]{id}').write(past, { id, idOptional: true })).toBe('read');
  });
});
