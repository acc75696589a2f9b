import { expect, it } from 'vitest';
import { startTestGateway } from '../../packages/server/test/start-test-gateway.ts';
import { startVscode } from './start-vscode.ts';

// In a web worker there are models to see, and none for Copilot Chat to ask: it has no part for web workers, and VS Code's
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
