import * as vscode from 'vscode';
import { explainTurn } from '../diagnosis/explain-turn.ts';
import { writeDiagnostics } from '../diagnosis/write-diagnostics.ts';
import { describeUsage } from '../usage/usage-tracker.ts';
import { manageEndpoints } from './manage-endpoints.ts';
import type { CommandServices } from './services.ts';
import { setContextWindow } from './set-context-window.ts';
import { testConnection } from './test-connection.ts';

/** Every command of the manifest, by its name behind `dragoman.`. */
export function commandsOf(services: CommandServices): Readonly<Record<string, () => unknown>> {
  const { catalog, turns, usage, log } = services;
  return {
    manageEndpoints: () => manageEndpoints(services),
    testConnection: () => testConnection(services),
    refreshModels: () => refreshModels(services),
    setContextWindow: () => setContextWindow(services),
    showUsage: () => showPage(describeUsage(usage.all())),
    explainLastTurn: () => {
      const turn = turns.last();
      if (turn === undefined)
        return vscode.window.showInformationMessage('No model has been asked in this window yet.');
      return showPage(explainTurn(turn));
    },
    openLog: () => services.showLog(),
    clearLogs: async () => {
      services.clearLog();
      await services.logFiles.clear();
      turns.clear();
    },
    exportDiagnostics: async () => showPage(await writeDiagnostics(services)),
    useForUtility: () => useForUtility(),
    openWalkthrough: () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', 'dragoman.dragoman#dragoman.start', false),
    openChat: async () => {
      // What is listed now is in the picker when the chat opens.
      await catalog.list(services.endpoints.definitions());
      log.debug('the chat was opened from a command');
      return vscode.commands.executeCommand('workbench.action.chat.open', { mode: 'agent' });
    },
  };
}

export function registerCommands(services: CommandServices): vscode.Disposable[] {
  return Object.entries(commandsOf(services)).map(([name, run]) =>
    vscode.commands.registerCommand(`dragoman.${name}`, run),
  );
}

async function showPage(content: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
  await vscode.window.showTextDocument(document);
}

/** Servers are asked anew, and what was learnt of them is forgotten: a server may have been started with another window. */
async function refreshModels({ catalog, limits, calibration, endpoints }: CommandServices): Promise<void> {
  await limits.forget();
  await calibration.forget();
  catalog.refresh();
  const models = await catalog.list(endpoints.definitions());
  const count = models.length === 1 ? '1 model' : `${models.length} models`;
  vscode.window.showInformationMessage(`Dragoman has ${count}.`);
}

/** Titles and summaries of chats are written by the model of the chat, not by one that needs a sign-in. */
async function useForUtility(): Promise<void> {
  const chat = vscode.workspace.getConfiguration('chat');
  await chat.update('byokUtilityModelDefault', 'mainAgent', vscode.ConfigurationTarget.Global);
  vscode.window.showInformationMessage('The model of a chat now also writes its title and summaries.');
}
