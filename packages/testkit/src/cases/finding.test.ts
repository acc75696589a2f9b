import type { Span, Warning } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { findingsOf, mergeFindings } from './finding.ts';
import { readFinding, writeFinding } from './read-finding.ts';

const warning: Warning = { code: 'json-repaired', message: 'm' };

describe('findingsOf', () => {
  it('joins texts, arguments and the warnings of a call', () => {
    const spans: Span[] = [
      { kind: 'text', text: 'a' },
      { kind: 'text', text: 'b' },
      { kind: 'call', name: 'read', nativeId: 'functions.read:0' },
      { kind: 'arguments', text: '{"a":' },
      { kind: 'warning', warning },
      { kind: 'arguments', text: '{}}' },
      { kind: 'call-end' },
      { kind: 'reasoning', text: 'r' },
      { kind: 'call', name: 'read' },
      { kind: 'call-cut', text: 'raw' },
    ];
    expect(findingsOf(spans)).toEqual([
      { kind: 'text', text: 'ab' },
      { kind: 'warning', code: 'json-repaired' },
      { kind: 'call', name: 'read', arguments: '{"a":{}}', nativeId: 'functions.read:0' },
      { kind: 'reasoning', text: 'r' },
      { kind: 'cut', text: 'raw' },
    ]);
  });

  const call: Span = { kind: 'call', name: 'f' };
  const end: Span = { kind: 'call-end' };
  const json = (text: string): Span => ({ kind: 'arguments', text });
  it.each<[string, Span[]]>([
    ['empty text', [{ kind: 'text', text: '' }]],
    ['empty call-cut', [{ kind: 'call-cut', text: '' }]],
    ['outside a call', [json('{}')]],
    ['outside a call', [end]],
    ['inside call f', [call, { kind: 'text', text: 'a' }]],
    ['inside call f', [call, call]],
    ['neither ended nor was cut', [call, json('{')]],
    ['not a JSON object', [call, end]],
    ['not a JSON object', [call, json('[1]'), end]],
    ['not a JSON object', [call, json('{"a":'), end]],
    ['whole before their last slice', [call, json('{}'), json(' '), end]],
  ])('refuses spans that break the grammar: %s', (message, spans) => {
    expect(() => findingsOf(spans)).toThrow(message);
  });
});

describe('mergeFindings', () => {
  it('moves a warning before the text that it is in, and nothing else', () => {
    const lines = ['text "a"', 'warning call-in-fence', 'text "b"', 'warning json-repaired', 'call f {}', 'text "c"'];
    expect(mergeFindings(lines.map(readFinding)).map(writeFinding)).toEqual([
      'warning call-in-fence',
      'text "ab"',
      'warning json-repaired',
      'call f {}',
      'text "c"',
    ]);
  });
});

it('joins a text with the broken call before it', () => {
  const lines = ['warning call-cut', 'cut "<a"', 'text ">"', 'warning call-undeclared', 'text " b"'];
  expect(mergeFindings(lines.map(readFinding)).map(writeFinding)).toEqual([
    'warning call-cut',
    'warning call-undeclared',
    'cut "<a> b"',
  ]);
});

describe('readFinding and writeFinding', () => {
  it.each([
    'text "a\\n\\u0000"',
    'reasoning " "',
    'cut "<tool_call>{"',
    'warning call-cut',
    'call read {"path":"a b"}',
    'call a.b-c {} id=functions.a.b-c:12',
    'call read {"path":"x id=y"}',
    'call read {"path":"x id=y"} id=z',
    'call read "{\\n}" id=z',
  ])('agree on %s', (line) => {
    expect(writeFinding(readFinding(line))).toBe(line);
  });

  it.each(['texts "a"', 'text a', 'text 1', 'warning unheard-of', 'call read', 'call read {"a":'])(
    'refuse %s',
    (line) => {
      expect(() => readFinding(line)).toThrow(line);
    },
  );
});
