import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('the built entries are found by their names', async () => {
  const script = `
    import { dialects } from '@dragoman/core/dialects';
    import { hermes } from '@dragoman/core/dialects/hermes';
    import { deepseekV31 } from '@dragoman/core/dialects/deepseek-v3.1';
    import { parseAllToolCalls } from '@dragoman/core/parse';
    import { asDialect, parseToolCalls } from '@dragoman/core';
    const text = '<tool_call>{"name":"list"}</tool_call>';
    const options = { dialect: hermes, tools: [{ name: 'list', inputSchema: {} }] };
    console.log(dialects.get('hermes') === asDialect(hermes), deepseekV31.id);
    console.log(parseAllToolCalls(text, options).calls.length, parseToolCalls(text, options).length);`;
  const cwd = fileURLToPath(new URL('../', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd });
  expect(stdout).toBe('true deepseek-v3.1\n1 1\n');
});
