import { describeDialect, runCases } from '@dragoman/testkit';
import { plamo3 } from './index.ts';

describeDialect(plamo3);
runCases(plamo3, new URL('./cases/', import.meta.url));
