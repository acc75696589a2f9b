import { describeDialect, runCases } from '@dragoman/testkit';
import { hermes } from './index.ts';

describeDialect(hermes);
runCases(hermes, new URL('./cases/', import.meta.url));
