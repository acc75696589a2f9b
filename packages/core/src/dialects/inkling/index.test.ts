import { describeDialect, runCases } from '@dragoman/testkit';
import { inkling } from './index.ts';

describeDialect(inkling, {
  replyOpeners: (tools) => tools.map(({ name }) => `${name}<|content_invoke_tool_json|>`),
});
runCases(inkling, new URL('./cases/', import.meta.url));
