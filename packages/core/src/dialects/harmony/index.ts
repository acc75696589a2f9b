import { typeDeclaration } from '../families/common.ts';
import { header } from '../forms/header.ts';
import { harmonyHeader } from '../readers/harmony.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** Messages with a header that names their channel and recipient. */
export const harmony = tableDialect(
  'harmony',
  {
    call: {
      form: 'header',
      opener: [
        '<|channel|>',
        '<|start|>',
        // The prompt has written the role of the first message, so a reply may begin with its recipient.
        { text: 'to=', place: 'reply-start' },
      ],
      header: 'commentary to=functions.{name} <|constrain|>json',
      reader: 'harmony',
      separator: '<|message|>',
      closer: ['<|call|>', '<|end|>', '<|return|>'],
      closerOptional: true,
      // The role of the first message is written by the template.
      between: '<|start|>assistant',
    },
    result: {
      opener: '<|start|>functions.{name} to=assistant<|channel|>commentary<|message|>',
      closer: '<|end|>',
      between: '',
    },
    turnEnds: ['<|return|>', '<|call|>'],
    silent: ['<|end|>'],
    markers: ['<|message|>', '<|constrain|>', 'to=functions.'],
    lesson: {
      intro: 'You can call the tools of this namespace. The type of each is the JSON Schema of its arguments.',
      tools: {
        opener: 'namespace functions {\n\n',
        between: '\n\n',
        closer: '\n\n} // namespace functions',
        tool: typeDeclaration,
      },
      form: 'To call a tool, write a message on the commentary channel to it, with the arguments as JSON:\n\n{example}',
      rules: ['Every call is a message of its own. The arguments are a valid JSON object.'],
    },
  },
  { header, readers: { harmony: harmonyHeader } },
);
