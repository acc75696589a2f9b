import { tags } from '../forms/tags.ts';
import { sections } from '../table/sections.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** A tag with and without the namespace prefix, since models mix the two. `behind`: what is written behind it. */
function tag(before: '<' | '</', name: string, after = ''): readonly string[] {
  return [before + name + after, `${before}antml:${name}`];
}

/** Tags with a `name` attribute, values as they are. */
export const anthropicXml = tableDialect(
  'anthropic-xml',
  {
    call: {
      form: 'tags',
      opener: tag('<', 'invoke name="'),
      end: '">\n',
      closer: tag('</', 'invoke>'),
      parameter: {
        opener: tag('<', 'parameter name="'),
        end: '">',
        closer: tag('</', 'parameter>', '\n'),
      },
    },
    section: {
      opener: tag('<', 'function_calls>', '\n'),
      closer: ['\n</function_calls>', ...tag('</', 'function_calls>')],
    },
    result: {
      around: { opener: '<function_results>\n', closer: '\n</function_results>' },
      opener: '<result>\n<tool_name>{name}</tool_name>\n<stdout>',
      closer: '</stdout>\n</result>',
      error: { opener: '<result>\n<tool_name>{name}</tool_name>\n<error>', closer: '</error>\n</result>' },
      read: tag('<', 'function_results>'),
    },
    answerTags: true,
    markers: [...tag('</', 'function_results>'), '</stdout>', '</error>'],
    lesson: {
      tools: {
        opener: '<functions>\n',
        closer: '\n</functions>',
        each: { opener: '<function>', closer: '</function>' },
        tool: 'fields',
      },
      form: 'To call tools, write a block of this form:\n\n{example}',
      rules: ['All calls of a reply are in one <function_calls> block, each in its own <invoke>.', '{values}'],
    },
  },
  { tags, sections },
);
