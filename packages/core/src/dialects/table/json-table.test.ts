import { bareTables, describeDialect, exampleTables, sample } from '@dragoman/testkit';
import { defineTable } from './define-table.ts';

const tables = Object.entries(exampleTables).filter(([, { call }]) => call.form === 'json');
for (const [name, table] of sample(tables, 1)) describeDialect(defineTable(`like ${name}`, table));
for (const [name, table] of sample(Object.entries(bareTables), 1)) {
  describeDialect(defineTable(`like ${name}`, table), { callsStartLine: true });
}
