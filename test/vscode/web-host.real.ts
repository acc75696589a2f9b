import { chatStream, startScriptedUpstream } from '@dragoman/testkit';
import { expect, it } from 'vitest';
import { startTestGateway } from '../../packages/server/test/start-test-gateway.ts';
import { startVscode } from './start-vscode.ts';

// In a web worker there are models to see, and to ask for extensions that run there, too, which Copilot Chat does not: VS Code's
// getLanguageModelByIdentifier finds models of the extension host that asks only ("Language model unavailable").

it('C-081: in a web worker the extension finds the models of a gateway', async () => {
  const gateway = await startTestGateway({ upstream: { baseUrl: 'http://127.0.0.1:9/v1' } });
  const vscode = await startVscode({
    settings: { 'dragoman.gateway': gateway.url, 'remote.extensionKind': { 'dragoman.dragoman': ['web'] } },
  });
  try {
    const { page, inside, picture } = await vscode.open();
    // It is not among those of the server's extension host.
    expect(await inside(({ extensions }) => extensions.getExtension('dragoman.dragoman')?.id)).toBeNull();
    await inside(({ commands }) => commands.executeCommand('workbench.action.chat.manage'));
    await page.locator('.models-widget').getByText('up/native').waitFor();
    await picture('web-host');
  } finally {
    await vscode.stop();
    await gateway.close();
  }
});

it('C-090: in a web worker another extension asks a model of the gateway, and gets its text and its call', async () => {
  const upstream = await startScriptedUpstream();
  const rule = { toolCalling: { dialect: 'hermes' }, contextWindow: 64_000 };
  const up = { wire: 'openai-chat', baseUrl: upstream.baseUrl, models: { text: rule } };
  const gateway = await startTestGateway({ config: { upstreams: { up } } });
  const vscode = await startVscode({
    settings: {
      'dragoman.gateway': gateway.url,
      'remote.extensionKind': { 'dragoman.dragoman': ['web'], 'test.driver': ['web'] },
    },
  });
  try {
    const { inside } = await vscode.open();
    upstream.next(chatStream('I look.<tool_call>{"name":"ping","arguments":{"times":2}}</tool_call>'));
    const answer = await inside(async ({ extensions, lm, LanguageModelChatMessage, LanguageModelToolCallPart }) => {
      const [model] = await lm.selectChatModels({ vendor: 'dragoman', id: 'local/up/text' });
      const inputSchema = { type: 'object', properties: { times: { type: 'number' } } };
      const tools = [{ name: 'ping', description: 'Answers with pong.', inputSchema }];
      const response = await model?.sendRequest([LanguageModelChatMessage.User('Ping twice.')], { tools });
      const calls: object[] = [];
      let text = '';
      for await (const part of response?.stream ?? [])
        if (part instanceof LanguageModelToolCallPart) calls.push({ name: part.name, input: part.input });
        else if (typeof part === 'object' && part !== null && 'value' in part && typeof part.value === 'string')
          text += part.value;
      const isThere = extensions.getExtension('dragoman.dragoman') !== undefined;
      return { isWorker: 'WorkerGlobalScope' in globalThis, isThere, text, calls };
    });
    const calls = [{ name: 'ping', input: { times: 2 } }];
    expect(answer).toEqual({ isWorker: true, isThere: true, text: 'I look.', calls });
  } finally {
    await vscode.stop();
    await gateway.close();
    await upstream.close();
  }
});
