import * as vscode from 'vscode';
import { type EndpointDefinition, readUrl } from '../read-settings.ts';

/** Writes into the settings how the models of one of their endpoints call tools. */
export async function setToolCalling({ url }: EndpointDefinition, toolCalling: string): Promise<void> {
  const settings = vscode.workspace.getConfiguration('dragoman');
  const known = settings.get<readonly { readonly url?: unknown }[]>('endpoints', []);
  const changed = known.map((entry) => (readUrl(entry.url) === url ? { ...entry, toolCalling } : entry));
  await settings.update('endpoints', changed, vscode.ConfigurationTarget.Global);
}
