import { tags } from '../forms/tags.ts';
import { spellings } from '../parser/markers/repaired-literals.ts';
import { xtml } from '../readers/kimi-k3.ts';
import { reasoning } from '../table/reasoning.ts';
import { sections } from '../table/sections.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** XTML: elements between tokens, in channels for thinking, the answer and calls; an attribute says what a value is. */
export const kimiK3 = tableDialect(
  'kimi-k3',
  {
    call: {
      form: 'tags',
      opener: '<|open|>call tool="',
      end: '"<|sep|>',
      closer: '<|close|>call<|sep|>',
      parameter: {
        opener: ['<|open|>argument key="', { text: '<|open|>json', unnamed: 'json', end: '<|sep|>' }],
        end: '"<|sep|>',
        closer: ['<|close|>argument<|sep|>', '<|close|>json<|sep|>'],
        typed: { attribute: 'type', text: 'string', json: 'object' },
      },
      between: '',
      attributes: 'xtml',
      jsonParameters: ['json'],
    },
    section: { opener: '<|open|>tools<|sep|>', closer: '<|close|>tools<|sep|>' },
    reasoning: { opener: '<|open|>think<|sep|>', closer: '<|close|>think<|sep|>' },
    result: {
      opener: '<|open|>message role="tool" tool="{name}" index="{number}"<|sep|>',
      closer: '<|close|>message<|sep|>',
      between: '<|end_of_msg|>',
      read: ['<|open|>message role="tool"'],
    },
    otherTurns: ['<|open|>message role="user"', '<|open|>message role="system"'],
    turnEnds: [{ text: '<|close|>message<|sep|>' }, '<|end_of_msg|>'],
    silent: ['<|open|>response<|sep|>', '<|close|>response<|sep|>', '<|open|>message role="assistant"<|sep|>'],
    markers: [
      '<|open|>',
      '<|close|>',
      '<|sep|>',
      ...spellings(['<|open|>', '<|close|>'], ['tools', 'response', 'think', 'message'], ['<|sep|>']),
    ],
    readers: ['xtml'],
    lesson: {
      intro: 'You can call the tools in this list, which describes each with the JSON Schema of its parameters:',
      tools: { opener: '```json\n[', between: ',', closer: ']\n```', tool: 'xtml' },
      form: 'To call tools, end your reply with one element that holds every call:\n\n<|open|>tools<|sep|><|open|>call tool="TOOL_NAME" index="1"<|sep|><|open|>argument key="PARAMETER" type="string"<|sep|>value<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
      rules: [
        'The index counts the calls of one reply, from 1. A type is string, number, boolean, object, array or null.',
        'A string stands as it is, any other value as JSON.',
      ],
    },
  },
  { tags, sections, reasoning, readers: { xtml } },
);
