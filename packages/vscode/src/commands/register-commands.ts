import * as vscode from 'vscode';
import { explainTurn } from '../diagnosis/turns.ts';
import { writeDiagnostics } from '../diagnosis/write-diagnostics.ts';
import { describeUsage } from '../usage/usage-tracker.ts';
import { fillPicker, tellModels } from './add-endpoint.ts';
import { manageEndpoints } from './manage-endpoints.ts';
import type { CommandServices } from './services.ts';
import { testConnection } from './test-connection.ts';

/** Every command of the manifest, by its name after `dragoman.`. */
export function commandsOf(services: CommandServices): Readonly<Record<string, () => unknown>> {
  const { catalog, turns, usage, pages } = services;
  return {
    manageEndpoints: () => manageEndpoints(services),
    testConnection: () => testConnection(services),
    refreshModels: () => refreshModels(services),
    setContextWindow: () => setContextWindow(services),
    showUsage: () => pages.show('Token usage', describeUsage(usage.all())),
    explainLastTurn: () => {
      const turn = turns.last();
      if (turn === undefined)
        return vscode.window.showInformationMessage('No model has been asked in this window yet.');
      return pages.show('Last turn', explainTurn(turn));
    },
    openLog: () => services.showLog(),
    clearLogs: async () => {
      services.clearLog();
      await services.logFiles.clear();
      turns.clear();
    },
    exportDiagnostics: () => exportDiagnostics(services),
    useForUtility: () => useForUtility(),
    openWalkthrough: () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', 'dragoman.dragoman#dragoman.start', false),
    openChat: async () => {
      await fillPicker();
      const models = await catalog.list(services.endpoints.definitions());
      if (models.length === 0) await tellModels(0, services);
      return vscode.commands.executeCommand('workbench.action.chat.open', { mode: 'agent' });
    },
  };
}

export function registerCommands(services: CommandServices): vscode.Disposable[] {
  return Object.entries(commandsOf(services)).map(([name, run]) =>
    vscode.commands.registerCommand(`dragoman.${name}`, run),
  );
}

/** A file to attach wherever help is asked for, which is opened to be looked at first. */
async function exportDiagnostics(services: CommandServices): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = 'dragoman-diagnostics.md';
  const file = await vscode.window.showSaveDialog({
    title: 'Export diagnostics',
    filters: { Markdown: ['md'] },
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (file === undefined) return;
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(await writeDiagnostics(services)));
  await vscode.window.showTextDocument(file);
}

/** Servers are asked anew, and what was learnt of them is forgotten: a server may have been started with another window. */
async function refreshModels(services: CommandServices): Promise<void> {
  const { catalog, limits, facts, calibration, endpoints } = services;
  await limits.forget();
  await facts.forget();
  await calibration.forget();
  catalog.refresh();
  await fillPicker();
  const models = await catalog.list(endpoints.definitions());
  await tellModels(models.length, services);
}

/** Titles and summaries of chats are written by the model of the chat, not by one that needs a sign-in. */
async function useForUtility(): Promise<void> {
  const chat = vscode.workspace.getConfiguration('chat');
  await chat.update('byokUtilityModelDefault', 'mainAgent', vscode.ConfigurationTarget.Global);
  vscode.window.showInformationMessage('The model of a chat now also writes its title and summaries.');
}

const number = (value: number) => value.toLocaleString('en-US');

/**
 * Asks a person for the context window of a model whose server does not tell it, or tells it wrongly. Ollama is then asked to
 * make that much room.
 */
async function setContextWindow({ catalog }: CommandServices): Promise<void> {
  const items = catalog.all().map(({ id, endpoint, limits, listed }) => ({
    label: listed.name,
    description: endpoint.name,
    detail: `${number(limits.window)} tokens${limits.source === 'guess' ? ', a guess' : ''}`,
    id,
    window: limits.window,
  }));
  const chosen = await vscode.window.showQuickPick(items, { title: 'The context window of which model?' });
  if (chosen === undefined) return;
  const told = await vscode.window.showInputBox({
    title: chosen.label,
    prompt: 'Tokens that prompt and answer may have together',
    value: String(chosen.window),
    validateInput: (text) => (isWindow(text) ? undefined : 'A whole number of at least 1024'),
  });
  if (told === undefined || !isWindow(told)) return;
  const settings = vscode.workspace.getConfiguration('dragoman');
  const models = settings.get<Readonly<Record<string, object>>>('models.settings', {});
  const entry = { ...models[chosen.id], contextWindow: Number(told) };
  await settings.update('models.settings', { ...models, [chosen.id]: entry }, vscode.ConfigurationTarget.Global);
}

function isWindow(text: string): boolean {
  return Number.isInteger(Number(text)) && Number(text) >= 1024;
}
