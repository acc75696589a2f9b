import { describeDialect, runCases } from '@dragoman/testkit';
import { minimaxM3 } from './index.ts';

describeDialect(minimaxM3);
runCases(minimaxM3, new URL('./cases/', import.meta.url));
