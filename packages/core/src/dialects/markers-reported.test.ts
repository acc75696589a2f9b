import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../chat/tool.ts';
import { runStage } from '../stream/stage.ts';
import type { Dialect } from './dialect.ts';
import { dialects } from './registry.ts';

// A call in which one marker is missing, or written in other signs, is reported as repaired, or stays text.

const tools: readonly ToolDefinition[] = [
  {
    name: 'read',
    inputSchema: { type: 'object', properties: { path: { type: 'string' }, limit: { type: 'integer' } } },
  },
];

/** Tags, tokens and fences, and the marks that are none of these. */
const markers = /\]<\]minimax\[>\[<[^<>]*>|<[^<>]*>|\[[A-Z_]+\]|```\w*|>>>|functools|Action:|call:/g;

/** What is no repair, by its reason: dialects with what is done to which of their markers. */
const legitimate: Readonly<Record<string, readonly string[]>> = {
  'the end of the reply closes the section: servers take its closer away as a stop token': [
    'anthropic-xml: no </function_calls>',
    'deepseek-dsml: no </｜DSML｜function_calls>',
    'deepseek-v3: no <｜tool▁calls▁end｜>',
    'deepseek-v3.1: no <｜tool▁calls▁end｜>',
    'gigachat3.5: no </｜GCML｜tool_calls>',
    'hy-v3: no </tool_calls>',
    'kimi-k2: no <|tool_calls_section_end|>',
    'mcp-xml: no </use_mcp_tool>',
    'minimax-m2: no </minimax:tool_call>',
    'minimax-m3: no ]<]minimax[>[</tool_call>',
    'muse-glimmer: no </atem:function_calls>',
    'plamo3: no <|plamo:end_tool_requests:plamo|>',
    'qwen3-coder: no </tool_call>',
    'seed-oss: no </seed:tool_call>',
    'step3: no <｜tool_calls_end｜>',
  ],
  'the closer ends the turn, too, so servers take it away': [
    'gigachat3: no <|message_sep|>',
    'harmony: no <|call|>',
    'hyperclovax: no <|im_end|>',
    'inkling: no <|end_message|>',
  ],
  'the prompt has written the marker': ['functionary-v3.2: no >>>', 'inkling: no <|message_model|>'],
  'what is left of the section around the call is shown as text': [
    'kimi-k3: no <|close|>',
    'kimi-k3: no <|sep|>',
    'muse-glimmer: no <|message|>',
    'muse-glimmer: no <|start|>',
  ],
  'a closer before text is part of the value, as in a file about calls': [
    'anthropic-xml: no <parameter name="limit">',
    'deepseek-dsml: no <｜DSML｜parameter name="limit" string="false">',
    'gigachat3.5: no <｜GCML｜parameter name="limit" string="false">',
    'glm: no <arg_key>',
    'hy-v3: no <arg_key>',
    'kimi-k3: no <|open|>',
    'longcat: no <longcat_arg_key>',
    'minicpm5: no <param name="limit">',
    'minimax-m2: no <parameter name="limit">',
    'muse-glimmer: no <atem:parameter name="limit">',
    'qwen3-coder: no <parameter=limit>',
    'seed-oss: no <parameter=limit>',
    'solar-open2: no <|tool_arg:start|>',
    'step3: no <steptml:parameter name="limit">',
  ],
  'the other build of the model writes its arguments without a fence': [
    'deepseek-v3: no ```json',
    'deepseek-v3: no ```',
  ],
  'a fence is Markdown and no marker of the call, which the words before it open': [
    'command-r: no ```json',
    'command-r: no ```',
  ],
  "a server's template shows calls so": ['phi4-mini: no functools'],
};

interface Damage {
  readonly what: string;
  readonly reply: string;
}

const rendered = (dialect: Dialect) =>
  dialect.renderCalls([{ callId: 'a', ordinal: 0, name: 'read', arguments: '{"path":"a.md","limit":3}' }], tools);

/** The rendered call with exactly one of its markers damaged. */
function damaged(dialect: Dialect): readonly Damage[] {
  const reply = rendered(dialect);
  return [...reply.matchAll(markers)].flatMap(({ 0: marker, index }) => {
    const with_ = (text: string) => reply.slice(0, index) + text + reply.slice(index + marker.length);
    const plain = marker.replaceAll('｜', '|').replaceAll('▁', '_');
    const misspelt = plain === marker ? [] : [{ what: `${marker} in ASCII`, reply: with_(plain) }];
    return [{ what: `no ${marker}`, reply: with_('') }, ...misspelt];
  });
}

/** Whether the damage is reported, or no call is read. */
function isReported(dialect: Dialect, reply: string): boolean {
  const spans = runStage(dialect.createParser({ tools }), [...reply]);
  return spans.every(({ kind }) => kind !== 'call-end') || spans.some(({ kind }) => kind === 'warning');
}

it.each([...dialects.values()])('$id reports nothing of a call that is whole', (dialect) => {
  const kinds = runStage(dialect.createParser({ tools }), [rendered(dialect)]).map(({ kind }) => kind);
  expect(kinds).toContain('call-end');
  expect(kinds).not.toContain('warning');
});

describe('a call with one damaged marker is reported as repaired, or stays text', () => {
  const unreported: string[] = [];

  it.each([...dialects.values()])('$id', (dialect) => {
    for (const { what, reply } of damaged(dialect)) {
      const name = `${dialect.id}: ${what}`;
      if (isReported(dialect, reply)) continue;
      unreported.push(name);
    }
  });

  it('and whatever is not reported has a reason', () => {
    expect([...new Set(unreported)].sort()).toEqual(Object.values(legitimate).flat().sort());
  });
});
