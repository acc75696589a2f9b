import { cohereMarkers, cohereTurns } from '../families/cohere.ts';
import { anyJson } from '../forms/json.ts';
import { reasoning } from '../table/reasoning.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** A JSON list of calls between tokens, beside channels for thinking and for the answer. */
export const cohere = tableDialect(
  'cohere',
  {
    call: {
      form: 'json',
      opener: '<|START_ACTION|>',
      closer: '<|END_ACTION|>',
      grouping: 'list',
      keys: { name: 'tool_name', arguments: 'parameters', id: 'tool_call_id' },
    },
    // An answer ends thinking that was not closed: its tokens are nowhere else.
    reasoning: {
      opener: '<|START_THINKING|>',
      closer: '<|END_THINKING|>',
      until: ['<|START_RESPONSE|>', '<|START_TEXT|>'],
    },
    result: {
      around: { opener: '<|START_TOOL_RESULT|>[', closer: ']<|END_TOOL_RESULT|>' },
      opener: '',
      closer: '',
      between: ',\n',
      json: { tool_call_id: '{id}', results: { 0: '{text}' }, is_error: '{failed}' },
      read: ['<|START_TOOL_RESULT|>'],
    },
    otherTurns: cohereTurns,
    turnEnds: ['<|END_OF_TURN_TOKEN|>'],
    silent: ['<|START_RESPONSE|>', '<|END_RESPONSE|>', '<|START_TEXT|>', '<|END_TEXT|>', '<|CHATBOT_TOKEN|>'],
    markers: cohereMarkers,
    lesson: {
      tools: { opener: '[', between: ',\n', closer: ']' },
      form: 'To call tools, end your reply with one JSON list of all calls between <|START_ACTION|> and <|END_ACTION|>:\n\n{example}',
      rules: ['The id counts the calls of the whole conversation, from 0. The list is valid JSON.'],
    },
  },
  { json: anyJson, reasoning },
);
