import { describeDialect, runCases } from '@dragoman/testkit';
import { hyperclovax } from './index.ts';

describeDialect(hyperclovax);
runCases(hyperclovax, new URL('./cases/', import.meta.url));
