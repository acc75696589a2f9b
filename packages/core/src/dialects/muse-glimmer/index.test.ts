import { describeDialect, runCases } from '@dragoman/testkit';
import { museGlimmer } from './index.ts';

describeDialect(museGlimmer);
runCases(museGlimmer, new URL('./cases/', import.meta.url));
