import { describeDialect, runCases } from '@dragoman/testkit';
import { clineXml } from './index.ts';

describeDialect(clineXml);
runCases(clineXml, new URL('./cases/', import.meta.url));
