import { describeDialect, runCases } from '@dragoman/testkit';
import { toolRequest } from './index.ts';

describeDialect(toolRequest);
runCases(toolRequest, new URL('./cases/', import.meta.url));
