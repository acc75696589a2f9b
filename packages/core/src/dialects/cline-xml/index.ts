import { namedTags } from '../forms/named-tags.ts';
import { cline } from '../readers/cline.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** Tags that are the names of the tools and of their parameters; nothing else is markup. */
export const clineXml = tableDialect(
  'cline-xml',
  {
    call: { form: 'named-tags', tags: 'cline' },
    result: { opener: '', closer: '', between: '\n\n', read: ['<tool_result>'] },
    names: 'exact',
    markers: ['<tools>', '</tools>', '</tool_result>'],
    lesson: {},
    readers: ['cline'],
  },
  { 'named-tags': namedTags, readers: { cline } },
);
