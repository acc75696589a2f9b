import { describeDialect, exampleTables } from '@dragoman/testkit';
import { defineTable } from './define-table.ts';

for (const [name, table] of Object.entries(exampleTables)) {
  if (table.call.kernel !== 'json') describeDialect(defineTable(`like ${name}`, table));
}
