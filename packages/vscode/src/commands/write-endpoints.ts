import * as vscode from 'vscode';
import { type EndpointDefinition, readUrl } from '../read-settings.ts';

// What a person adds, changes and takes away is in the settings, as if written by hand.

type Entry = Readonly<Record<string, unknown>>;

const settings = () => vscode.workspace.getConfiguration('dragoman');
const entries = () => settings().get<readonly Entry[]>('endpoints', []);
const write = (changed: readonly Entry[]) => settings().update('endpoints', changed, vscode.ConfigurationTarget.Global);
const leadsTo = (url: string) => (entry: Entry) => readUrl(entry.url) === url;

/** One that is there already stays as it is. */
export async function addToSettings({ name, url }: EndpointDefinition): Promise<void> {
  if (!entries().some(leadsTo(url))) await write([...entries(), { name, url }]);
}

/** How its models call tools. */
export async function setToolCalling({ url }: EndpointDefinition, toolCalling: string): Promise<void> {
  await write(entries().map((entry) => (leadsTo(url)(entry) ? { ...entry, toolCalling } : entry)));
}

export async function removeFromSettings({ url }: EndpointDefinition): Promise<void> {
  await write(entries().filter((entry) => !leadsTo(url)(entry)));
}
