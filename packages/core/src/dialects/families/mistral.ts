import type { DialectTable, HeaderTable, JsonTable } from '../table.ts';

/** `[TOOL_CALLS]read[ARGS]{…}`. The separator is often not rendered as text: then the brace separates. */
export const mistralHeader: HeaderTable = {
  form: 'header',
  opener: '[TOOL_CALLS]',
  header: '{name}[CALL_ID]{id}',
  idOptional: true,
  separator: '[ARGS]',
  closer: '',
  between: '',
};

/** `[TOOL_CALLS] [{"name":…}]`. */
export const mistralList: JsonTable = {
  form: 'json',
  opener: '[TOOL_CALLS] ',
  closer: '',
  grouping: 'list',
  object: '{"name": {name}, "arguments": {arguments}, "id": {id}}',
};

/** What is around calls: the marker is the same for all models, and what comes after it tells the two forms apart. */
export const mistralAround: Pick<DialectTable, 'strays' | 'reasoning' | 'turnEnds' | 'ids' | 'markers'> = {
  // Nothing closes a call; models that know other forms close it anyway.
  strays: ['[/TOOL_CALLS]'],
  reasoning: { opener: '[THINK]', closer: '[/THINK]' },
  turnEnds: ['</s>'],
  ids: 'mistral-ids',
  markers: [
    ...[
      '[CALL_ID]',
      '[ARGS]',
      '[TOOL_RESULTS]',
      '[/TOOL_RESULTS]',
      '[TOOL_CONTENT]',
      '[AVAILABLE_TOOLS]',
      '[/AVAILABLE_TOOLS]',
    ],
    ...['[INST]', '[/INST]', '[SYSTEM_PROMPT]', '[/SYSTEM_PROMPT]'],
  ],
};
