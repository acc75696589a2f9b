import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chatStream, startScriptedUpstream } from '@dragoman/testkit';
import { expect, it, onTestFinished } from 'vitest';

it('examples/03-ai-sdk.mjs runs the tools that a text model calls', async () => {
  const file = fileURLToPath(new URL('../../../examples/03-ai-sdk.mjs', import.meta.url));
  const upstream = await startScriptedUpstream();
  onTestFinished(() => upstream.close());
  const call = (zone: string) => `<tool_call>\n{"name": "time", "arguments": {"zone": "${zone}"}}\n</tool_call>\n`;
  upstream.next(chatStream(call('Europe/Oslo') + call('Asia/Tokyo')), chatStream('It is late.'));
  const { stdout } = await promisify(execFile)(process.execPath, [file, upstream.baseUrl, 'qwen2.5-7b-instruct']);
  expect(stdout).toContain('→ time {"zone":"Europe/Oslo"}\n→ time {"zone":"Asia/Tokyo"}\n');
  expect(stdout).toMatch(/← \d\d:\d\d:\d\d\n← \d\d:\d\d:\d\d\nIt is late\.\n$/);
}, 60_000);
