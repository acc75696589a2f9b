import { EdgeVM } from '@edge-runtime/vm';
import { expect, it } from 'vitest';
import { bundleVscode } from '../../../scripts/bundle-vscode.mjs';
import * as editor from './fake-vscode.ts';
import { textReply, written } from './scripted-server.ts';

// Web extension hosts are workers: they have web standards, and of all modules the editor's own.

it('C-090: the bundle lists models and answers a turn where there is nothing of Node', async () => {
  editor.fake.reset();
  const host = new EdgeVM();
  const asked: string[] = [];
  const { fetch } = globalThis;
  Object.assign(host.context, {
    require: (name: string) => {
      if (name === 'vscode') return editor;
      throw new Error(`There is no module ${name}.`);
    },
    // A worker has the clock that this runtime lacks.
    performance,
    network: async (url: string) => {
      asked.push(url);
      if (url.endsWith('/api/version')) return JSON.stringify({ dragoman: '0.1.0' });
      if (url.endsWith('/models')) return JSON.stringify({ data: [{ id: 'm', context_window: 64_000 }] });
      return written(textReply('Hello.'));
    },
  });
  host.evaluate(`
    globalThis.fetch = async (url) => {
      const body = await network(String(url));
      const type = body.startsWith('{') ? 'application/json' : 'text/event-stream';
      return new Response(body, { headers: { 'content-type': type } });
    };
    globalThis.exports = {};
  `);
  host.evaluate(await bundleVscode());
  const context = editor.fakeContext();
  const { activate } = host.evaluate<{ activate: (context: unknown) => void }>('exports');
  activate(context);
  const provider = editor.fake.providers.get('dragoman') as {
    provideLanguageModelChatInformation(options: object): Promise<readonly { readonly id: string }[]>;
    provideLanguageModelChatResponse(...args: readonly unknown[]): Promise<void>;
  };
  const [model] = await provider.provideLanguageModelChatInformation({ silent: true });
  expect(model?.id).toBe('local/m');
  const parts: unknown[] = [];
  const message = { role: 1, content: [new editor.LanguageModelTextPart('Hi')], name: undefined };
  const progress = { report: (part: unknown) => void parts.push(part) };
  const { token } = new editor.CancellationTokenSource();
  await provider.provideLanguageModelChatResponse(model, [message], { toolMode: 1 }, progress, token);
  expect(parts[0]).toMatchObject({ value: 'Hello.' });
  expect(asked.at(-1)).toBe('http://127.0.0.1:11434/v1/responses');
  expect(globalThis.fetch).toBe(fetch);
  for (const subscription of context.subscriptions) subscription.dispose();
});
