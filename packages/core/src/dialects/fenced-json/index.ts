import { anyJson } from '../forms/json.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** JSON objects in code fences. */
export const fencedJson = tableDialect(
  'fenced-json',
  {
    call: {
      form: 'json',
      opener: '```json\n',
      closer: '\n```',
      grouping: 'list',
      between: ',\n',
      guarded: true,
    },
    also: [{ form: 'json', opener: ['```tool_call', '```tool_calls'], closer: '```' }],
    result: { opener: '<tool_result name={quoted}>\n', closer: '\n</tool_result>', read: [{ text: '<tool_result ' }] },
    markers: ['```tool_call', '<tool_result '],
    lesson: {
      tools: { opener: '<tools>\n', closer: '\n</tools>' },
      form: 'To call tools, write one code fence with a JSON list of all calls:\n\n{example}',
      rules: ['All calls of a reply are in one fence, and the list is valid JSON.'],
    },
  },
  { json: anyJson },
);
