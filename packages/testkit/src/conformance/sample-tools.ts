import type { ToolDefinition } from '@dragoman/core';

/** The tools that conformance runs declare: none, few and many parameters, and every kind of type. */
export const sampleTools: readonly ToolDefinition[] = [
  { name: 'list', description: 'Lists all notes.', inputSchema: { type: 'object', properties: {} } },
  {
    name: 'write_note',
    description: 'Writes a note.',
    inputSchema: {
      type: 'object',
      properties: { title: { type: 'string', description: 'Its title.' }, body: { type: 'string' } },
      required: ['title', 'body'],
    },
  },
  {
    name: 'edit',
    description: 'Edits a file.',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        count: { type: 'integer' },
        exact: { type: 'boolean' },
        items: { type: 'array', items: { type: 'string' } },
        options: { type: 'object' },
        note: { type: ['string', 'null'] },
      },
      required: ['path'],
    },
  },
];
