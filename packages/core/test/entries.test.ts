import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { asDialect, type TableParser } from '@dragoman/core';
import { dialects } from '@dragoman/core/dialects';
import { expect, it } from 'vitest';

/** `deepseek-v3.1` is `deepseekV31`. */
function exportOf(id: string): string {
  const [first = '', ...others] = id.replaceAll('.', '').split('-');
  return first + others.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
}

it.each([...dialects])('@dragoman/core/dialects/%s exports it under its name', async (id, dialect) => {
  const entry: Record<string, TableParser> = await import(`../src/dialects/${id}/index.ts`);
  const parser = entry[exportOf(id)] ?? expect.fail('no such export');
  expect(asDialect(parser)).toBe(dialect);
  // Whoever only reads loads nothing of what writes.
  expect('renderCalls' in parser).toBe(false);
});

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
  const cwd = fileURLToPath(new URL('../../../', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd });
  expect(stdout).toBe('true deepseek-v3.1\n1 1\n');
});
