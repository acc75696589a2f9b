import { anyJson } from '../forms/json.ts';
import { inklingHeader } from '../readers/inkling.ts';
import { markerRepairs } from '../table/marker-repairs.ts';
import { reasoning } from '../table/reasoning.ts';
import { tableDialect } from '../table/table-dialect.ts';

const call = { closer: '<|end_message|>', closerOptional: true, keys: { arguments: 'args' } } as const;

/** Messages that say what they hold: thinking, text, or a call under the name of its tool. */
export const inkling = tableDialect(
  'inkling',
  {
    call: {
      form: 'json',
      opener: '<|message_model|>',
      reader: 'inkling',
      ...call,
      object: '{"name":{name},"args":{arguments}}',
      between: '',
      written: '<|message_model|>{name}<|content_invoke_tool_json|>{body}<|end_message|>',
    },
    also: [
      // The prompt has written the start of the first message, and some servers leave out that of the others.
      {
        form: 'json',
        opener: [{ text: '<|content_invoke_tool_json|>', repair: 'header' }, '{name}<|content_invoke_tool_json|>'],
        ...call,
      },
    ],
    // Where the end token of thinking is missing, the next message ends it.
    reasoning: {
      opener: [{ text: '<|content_thinking|>' }, { text: '<|message_model|><|content_thinking|>' }],
      closer: '<|end_message|>',
      until: ['<|message_model|>'],
    },
    result: {
      opener: '<|message_tool|>{name}<|content_text|>',
      closer: '<|end_message|>',
      between: '',
    },
    otherTurns: ['<|message_user|>', '<|message_system|>'],
    turnEnds: ['<|content_model_end_sampling|>'],
    silent: [{ text: '<|message_model|><|content_text|>' }, '<|content_text|>', { text: '<|end_message|>' }],
    markers: [
      '<|content_invoke_tool_text|>',
      '<|content_tool_error|>',
      '<|content_xml|>',
      // The same slot as `<|content_xml|>` in the tokenizer.
      '<|unused_200024|>',
    ],
    lesson: {
      tools: { opener: '[', between: ',\n', closer: ']' },
      form:
        "To call a tool, write a message of its own under the tool's name, with the name and the arguments as JSON:\n\n" +
        '<|message_model|>TOOL_NAME<|content_invoke_tool_json|>{"name":"TOOL_NAME","args":{"PARAMETER":"VALUE"}}<|end_message|>',
      rules: ['Every call is a message of its own, and its JSON is valid.'],
    },
  },
  { json: anyJson, markerRepairs, reasoning, readers: { inkling: inklingHeader } },
);
