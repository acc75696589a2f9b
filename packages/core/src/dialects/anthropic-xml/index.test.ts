import { describeDialect, runCases } from '@dragoman/testkit';
import { anthropicXml } from './index.ts';

describeDialect(anthropicXml);
runCases(anthropicXml, new URL('./cases/', import.meta.url));
