import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { renderConfigDocs } from '../../../scripts/config-docs.mjs';
import { parseConfigText } from '../src/config/config-text.ts';
import { variables } from '../src/config/environment.ts';
import { createJsonSchema } from '../src/config/json-schema.ts';
import { loadConfig } from '../src/config/load-config.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const docs = read('../../../docs/configuration.md');

it('config.schema.json is current; otherwise run: npm run fix', () => {
  expect(JSON.parse(read('../config.schema.json'))).toEqual(createJsonSchema());
});

it('docs/configuration.md is current; otherwise run: npm run fix', () => {
  expect(docs).toBe(renderConfigDocs(createJsonSchema(), variables));
});

it('the example in docs/configuration.md is valid', () => {
  const [, example = ''] = docs.split('```jsonc\n');
  const text = example.slice(0, example.indexOf('```'));
  expect(parseConfigText(text).problems).toEqual([]);
  const config = loadConfig({
    env: { OAI_API_KEY: 'k-1' },
    file: { name: 'example.jsonc', text },
  });
  expect(config.models['gpt-4o']).toBe('local/qwen2.5-7b');
});

it('names the variables of the briefs', () => {
  for (const name of [
    'OAI_API_KEY',
    'ENABLE_SYSTEM_INJECTION',
    'TOOL_CALLING_ENABLED',
    'ENABLE_TOOL_CALLING',
    'TOOL_CALLING_AUTO_DETECT',
    'TOOL_CALLING_MAX_TOOLS',
    'LOG_LEVEL',
  ]) {
    expect(docs).toContain(`\`${name}\``);
  }
});
