import { describeDialect, runCases } from '@dragoman/testkit';
import { gigachat3 } from './index.ts';

describeDialect(gigachat3);
runCases(gigachat3, new URL('./cases/', import.meta.url));
