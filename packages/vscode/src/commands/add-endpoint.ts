import * as vscode from 'vscode';
import { type FoundServer, isNearby } from '../endpoints/connect.ts';
import { findLocal } from '../endpoints/detect-api.ts';
import { keyOwner } from '../endpoints/read-sessions.ts';
import { vendors } from '../provider.ts';
import { type EndpointDefinition, readEndpoint, readUrl } from '../read-settings.ts';
import { isRefusedKey } from '../shown-error.ts';
import type { CommandServices } from './services.ts';
import { testEndpoint } from './test-connection.ts';
import { addToSettings } from './write-endpoints.ts';

/** Asks for the address of a server, and adds it. */
export async function addEndpoint(services: CommandServices): Promise<void> {
  const url = await vscode.window.showInputBox({
    title: 'Add an endpoint',
    prompt: 'The address of the server',
    placeHolder: 'http://127.0.0.1:8080/v1',
    ignoreFocusOut: true,
    validateInput: (text) => (readUrl(text) === undefined ? 'An address such as http://127.0.0.1:8080/v1' : undefined),
  });
  await add({ url }, services);
}

/** Adds a server that was found, under the name of its kind. */
export function addFound({ kind, name, url }: FoundServer, services: CommandServices): Promise<void> {
  return add(kind === 'other' ? { url } : { name, url }, services);
}

/** What comes after "Add"; one of no known kind has only its address. */
export function buttonName({ kind, name, url }: FoundServer): string {
  return kind === 'other' ? new URL(url).host : name;
}

/** Says how many models there are, with a button for each server of this machine that is not used yet. */
export async function tellModels(count: number, services: CommandServices): Promise<void> {
  const found = await findLocal(services.endpoints.all().map(({ url }) => url));
  const choices = found.map((server) => ({
    label: `Add ${buttonName(server)}`,
    run: () => addFound(server, services),
  }));
  const places = found.map(({ name, url }) => ` ${name} runs at ${url}, and is not used yet.`).join('');
  const models = count === 1 ? '1 model' : count === 0 ? 'no models yet' : `${count} models`;
  if (count === 0) choices.push({ label: 'Add an endpoint', run: () => addEndpoint(services) });
  const labels = choices.map(({ label }) => label);
  // Nobody waits for the click.
  vscode.window.showInformationMessage(`Dragoman has ${models}.${places}`, ...labels).then((chosen) => {
    return choices.find(({ label }) => label === chosen)?.run();
  });
}

/** VS Code knows no models until somebody asks it for them: until then its picker is empty. */
export async function fillPicker(): Promise<void> {
  await vscode.lm.selectChatModels({ vendor: vendors.own });
}

/** Asks for a key, unless the server is nearby and answers without one. */
async function add(
  entry: { readonly url?: unknown; readonly name?: string },
  services: CommandServices,
): Promise<void> {
  const definition = readEndpoint(entry, 'settings');
  if (definition === undefined) return;
  if (!isNearby(new URL(definition.url).hostname) || (await refusesKey(definition, services))) {
    const key = await vscode.window.showInputBox({
      title: 'Add an endpoint',
      prompt: 'Its key; leave it empty if it needs none',
      password: true,
      ignoreFocusOut: true,
    });
    if (key === undefined) return;
    if (key.trim() !== '') await addKey(definition, { key, label: 'key' }, services);
  }
  await addToSettings(definition);
  services.catalog.refresh();
  await fillPicker();
  await testEndpoint(definition, services);
}

async function refusesKey(definition: EndpointDefinition, { endpoints }: CommandServices): Promise<boolean> {
  try {
    await (await endpoints.open(definition)).client.models();
    return false;
  } catch (error) {
    return isRefusedKey(error);
  }
}

export function addKey(
  definition: EndpointDefinition,
  { key, label }: { readonly key: string; readonly label: string },
  { sessions }: CommandServices,
): Promise<void> {
  return sessions.add(keyOwner(definition), { id: label, label, kind: 'key', key: key.trim() });
}
