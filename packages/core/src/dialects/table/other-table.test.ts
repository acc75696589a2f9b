import { describeDialect, exampleTables, sample } from '@dragoman/testkit';
import type { DialectTable } from '../table.ts';
import { defineTable } from './define-table.ts';

const named: DialectTable = { call: { form: 'named-tags' } };
const tables = Object.entries({ ...exampleTables, 'cline-xml': named }).filter(([, { call }]) => call.form !== 'json');
for (const [name, table] of sample(tables, 2)) describeDialect(defineTable(`like ${name}`, table));
