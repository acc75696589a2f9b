import * as vscode from 'vscode';
import type { CommandServices } from './services.ts';

const number = (value: number) => value.toLocaleString('en-US');

/**
 * Asks a person for the context window of a model whose server does not tell it, or tells it wrongly. Ollama is then asked to
 * make that much room.
 */
export async function setContextWindow({ catalog }: CommandServices): Promise<void> {
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
