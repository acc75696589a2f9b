import type { DialectTable } from '@dragoman/core';

/** A table of each form, under the name of the dialect that it is like. */
export const exampleTables: Readonly<Record<string, DialectTable>> = {
  hermes: {
    call: { form: 'json', opener: '<tool_call>\n', closer: '\n</tool_call>' },
    result: { opener: '<tool_response>\n', closer: '\n</tool_response>' },
    turnEnds: ['<|im_end|>'],
  },
  jamba: { call: { form: 'json', opener: '<tool_calls>', closer: '</tool_calls>', grouping: 'list' } },
  'minimax-m1': {
    call: { form: 'json', opener: '<calls>\n', closer: '\n</calls>', grouping: 'sequence', between: '\n' },
  },
  apertus: {
    call: { form: 'json', opener: '<|prefix|>', closer: '<|suffix|>', grouping: 'list', keyed: true },
    reasoning: { opener: '<|inner_prefix|>', closer: '<|inner_suffix|>' },
  },
  cohere: {
    call: {
      form: 'json',
      opener: '<|START|>',
      closer: '<|END|>',
      grouping: 'list',
      keys: { name: 'tool_name', arguments: 'parameters', id: 'tool_call_id' },
    },
    silent: ['<|START_RESPONSE|>', '<|END_RESPONSE|>'],
  },
  'kimi-k2': {
    call: {
      form: 'header',
      opener: '<|call_begin|>',
      header: 'functions.{name}:{index}',
      separator: '<|argument_begin|>',
      closer: '<|call_end|>',
      between: '',
    },
    section: { opener: '<|section_begin|>', closer: '<|section_end|>' },
    result: { opener: '## Return of {id}\n', closer: '' },
  },
  'mistral-args': {
    call: {
      form: 'header',
      opener: '[CALLS]',
      header: '{name}[ID]{id}',
      separator: '[ARGS]',
      closer: '',
      between: '',
    },
  },
  'functionary-v3.1': { call: { form: 'header', opener: '<function=', separator: '>', closer: '</function>' } },
  'deepseek-v3': {
    call: { form: 'header', opener: '<｜begin｜>', separator: '\n', closer: '<｜end｜>', fenced: true },
    section: { opener: '<｜calls｜>', closer: '<｜/calls｜>' },
  },
  'qwen3-coder': {
    call: {
      form: 'tags',
      block: { opener: '<tool_call>\n', closer: '\n</tool_call>' },
      opener: '<function=',
      end: '>\n',
      closer: '</function>',
      parameter: { opener: '<parameter=', end: '>\n', closer: '\n</parameter>\n' },
    },
  },
  'anthropic-xml': {
    call: {
      form: 'tags',
      opener: '<invoke name="',
      end: '">\n',
      closer: '</invoke>',
      parameter: { opener: '<parameter name="', end: '">', closer: '</parameter>\n' },
    },
    section: { opener: '<function_calls>\n', closer: '\n</function_calls>' },
  },
  'deepseek-dsml': {
    call: {
      form: 'tags',
      opener: '<｜D｜invoke name="',
      end: '">\n',
      closer: '</｜D｜invoke>',
      parameter: {
        opener: '<｜D｜parameter name="',
        end: '">',
        closer: '</｜D｜parameter>\n',
        typed: { attribute: 'string', text: 'true', json: 'false' },
      },
    },
    section: { opener: '<｜D｜function_calls>\n', closer: '\n</｜D｜function_calls>' },
  },
  glm: {
    call: {
      form: 'tags',
      opener: '<tool_call>',
      end: '\n',
      closer: '</tool_call>',
      parameter: { opener: '<arg_key>', end: '</arg_key>\n', value: '<arg_value>', closer: '</arg_value>\n' },
    },
  },
  lfm2: { call: { form: 'python', opener: '<|start|>', closer: '<|end|>', grouping: 'list' } },
  olmo3: { call: { form: 'python', opener: '<calls>', closer: '</calls>', grouping: 'sequence', between: '\n' } },
  gemma4: { call: { form: 'gemma', opener: '<|tool_call>', closer: '<tool_call|>', quote: '<|"|>', between: '' } },
};

/** Calls without a marker, which count at the start of a line. */
export const bareTables: Readonly<Record<string, DialectTable>> = {
  'llama3-json': { call: { form: 'json', opener: '', closer: '', keys: { arguments: 'parameters' }, between: '; ' } },
  pythonic: { call: { form: 'python', opener: '', closer: '', grouping: 'list' } },
};
