import { describeDialect, exampleTables, sample } from '@dragoman/testkit';
import { defineTable } from './define-table.ts';

const tables = Object.entries(exampleTables).filter(([, { call }]) => call.form !== 'json');
for (const [name, table] of sample(tables, 2)) describeDialect(defineTable(`like ${name}`, table));
