import { namedResult } from '../families/common.ts';
import { header } from '../forms/header.ts';
import { mcpHeader } from '../readers/mcp-xml.ts';
import { sections } from '../table/sections.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** A server, a tool and JSON arguments, each in a tag. */
export const mcpXml = tableDialect(
  'mcp-xml',
  {
    call: {
      form: 'header',
      opener: ['<server_name>', '<tool_name>'],
      reader: 'mcp-xml',
      separator: '<arguments>',
      closer: '</arguments>',
      fenced: true,
      block: { opener: '<use_mcp_tool>', closer: '</use_mcp_tool>' },
      // All tools of a request stand on one server: what the model calls is known by the tool's name alone.
      written:
        '<use_mcp_tool>\n<server_name>tools</server_name>\n<tool_name>{name}</tool_name>\n<arguments>\n{arguments}\n</arguments>\n</use_mcp_tool>',
    },
    result: namedResult,
    turnEnds: ['<|im_end|>'],
    markers: ['</server_name>', '</tool_name>', '<arguments>'],
    lesson: {
      intro: 'You can call the tools of this server. Each is described with the JSON Schema of its parameters.',
      tools: {
        opener: '## Server name: tools\n\n',
        between: '\n\n',
        closer: '',
        tool: '### Tool name: {name}\nDescription: {description}\nInput JSON schema: {parameters}',
      },
      form: 'To call a tool, end your reply with a block of this form:\n\n{example}',
      rules: ['Every call has its own <use_mcp_tool> block, and the arguments are a valid JSON object.'],
    },
  },
  { header, sections, readers: { 'mcp-xml': mcpHeader } },
);
