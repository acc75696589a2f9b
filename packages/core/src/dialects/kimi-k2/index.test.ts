import { describeDialect, runCases } from '@dragoman/testkit';
import { kimiK2 } from './index.ts';

describeDialect(kimiK2);
runCases(kimiK2, new URL('./cases/', import.meta.url));
