import { expect, it } from 'vitest';
import { copilotMessages, runCopilotTurn } from '../copilot-client.ts';
import { gatewayForTest } from '../for-test.ts';
import { description, model, platformForTest, textsOf, upstreamsFor } from '../platform-setup.ts';

const call = (path: string) => `<tool_call>\n{"name": "read_file", "arguments": {"filePath": "${path}"}}\n</tool_call>`;

const tool = {
  name: 'read_file',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { filePath: { type: 'string' } }, required: ['filePath'] },
  run: async (values: Readonly<Record<string, unknown>>) => `what is in ${String(values.filePath)}`,
};

it.each([false, true])(
  'A-060 A-191 A-213 Copilot Chat before a platform that ignores system prompts: two calls, their results (swapped: %s), the answer, and a second question',
  async (swapsResults) => {
    const platform = await platformForTest({
      answer: ({ text, before }) => {
        if (before.length === 0) return `I read both.\n${call('src/app.ts')}\n${call('README.md')}`;
        return text.includes('what is in') ? 'Both are read.' : 'Nothing else.';
      },
    });
    const gateway = await gatewayForTest({ config: { upstreams: upstreamsFor(platform, description) } });
    const messages = copilotMessages('Read src/app.ts and README.md.');
    const session = { model, messages, tools: [tool], swapsResults };

    const turns = await runCopilotTurn(gateway, session);
    expect(turns.map(({ text, calls }) => [text.trim(), calls.length])).toEqual([
      ['I read both.', 2],
      ['Both are read.', 0],
    ]);

    messages.push(...copilotMessages('What else?').slice(-1));
    const [second] = await runCopilotTurn(gateway, session);
    expect(second?.text).toBe('Nothing else.');

    // One conversation; system text, surroundings and tools are in what the platform reads as the user's words, once.
    const [[first = '', results = '', question = ''] = [], ...others] = textsOf(platform);
    expect(others).toEqual([]);
    for (const once of ['inside a code editor', 'Do not invent files.', 'The user works on Linux.', 'Reads a file.']) {
      expect(first.split(once), once).toHaveLength(2);
      expect(results + question, once).not.toContain(once);
    }
    expect(first.indexOf('inside a code editor')).toBeLessThan(first.indexOf('<userRequest>'));
    expect(question).toContain('<userRequest>\nWhat else?\n</userRequest>');
    // Each result comes after the call that it belongs to, in the order of the calls, however they came.
    expect(results.split('what is in')).toHaveLength(3);
    expect(results.indexOf('what is in src/app.ts')).toBeLessThan(results.indexOf('what is in README.md'));
  },
);
