import * as vscode from 'vscode';
import { findLocal } from '../endpoints/detect-api.ts';
import { isVercel } from '../endpoints/endpoints.ts';
import { keyOwner } from '../endpoints/read-sessions.ts';
import { vendorToken } from '../endpoints/vendor-token.ts';
import type { EndpointDefinition } from '../read-settings.ts';
import { addEndpoint, addFound, addKey, buttonName } from './add-endpoint.ts';
import type { CommandServices } from './services.ts';
import { testEndpoint } from './test-connection.ts';
import { removeFromSettings, setToolCalling } from './write-endpoints.ts';

interface Choice extends vscode.QuickPickItem {
  readonly run: () => Promise<unknown>;
}

/** Adds endpoints, those of this machine with one click, and for those that there are: keys, a test, and taking them away. */
export async function manageEndpoints(services: CommandServices): Promise<void> {
  const definitions = services.endpoints.all();
  const found = await findLocal(definitions.map(({ url }) => url));
  await pick('Endpoints of Dragoman', [
    ...found.map((server) => ({
      label: `$(add) Add ${buttonName(server)}`,
      description: server.url,
      detail: 'found on this machine',
      run: () => addFound(server, services),
    })),
    { label: '$(add) Add an endpoint', description: 'an address, and perhaps a key', run: () => addEndpoint(services) },
    ...definitions.map((definition) => ({
      label: `$(server) ${definition.name}`,
      description: definition.url,
      detail: describe(definition, services),
      run: () => manageEndpoint(definition, services),
    })),
  ]);
}

function describe(definition: EndpointDefinition, { catalog }: CommandServices): string {
  const { id, from } = definition;
  const count = catalog.all().filter(({ endpoint }) => endpoint.id === id).length;
  const failure = catalog.failureOf(definition);
  if (failure !== undefined) return from === 'found' ? `not there${wordsOf.found}` : failure;
  return `${count === 1 ? '1 model' : `${count} models`}${wordsOf[from]}`;
}

const wordsOf = { found: ', looked for without asking', settings: '', group: ', of "Add Models"' };

async function pick(title: string, choices: readonly Choice[]): Promise<void> {
  const chosen = await vscode.window.showQuickPick([...choices], { title });
  await chosen?.run();
}

async function manageEndpoint(definition: EndpointDefinition, services: CommandServices): Promise<void> {
  const { sessions, catalog } = services;
  if (definition.from === 'group') return manageGroup(definition, services);
  const { active, sessions: known } = await sessions.list(keyOwner(definition));
  await pick(definition.name, [
    { label: '$(pulse) Test the connection', run: () => testEndpoint(definition, services) },
    { label: '$(key) Enter a key', run: () => enterKey(definition, services) },
    ...(isVercel(definition)
      ? [
          {
            label: '$(key) Use the token of Vercel’s command line',
            description: 'VERCEL_OIDC_TOKEN in .env.local',
            run: () => useToken(definition, services),
          },
        ]
      : []),
    ...known.flatMap((session) => [
      ...(session.id === active
        ? []
        : [
            {
              label: `$(arrow-swap) Switch to ${session.label}`,
              run: () => sessions.activate(keyOwner(definition), session.id),
            },
          ]),
      {
        label: `$(trash) Forget ${session.label}`,
        ...(session.id === active ? { description: 'in use' } : {}),
        run: () => sessions.remove(keyOwner(definition), session.id),
      },
    ]),
    ...(definition.from === 'settings'
      ? [
          {
            label: '$(tools) How its models call tools',
            description: definition.toolCalling,
            run: () => chooseToolCalling(definition),
          },
          { label: '$(close) Remove this endpoint', run: () => removeEndpoint(definition, services) },
        ]
      : []),
    {
      label: '$(settings-gear) Open its settings',
      run: async () => vscode.commands.executeCommand('workbench.action.openSettings', 'dragoman'),
    },
  ]);
  catalog.refresh();
}

/** Keys and addresses of groups are VS Code's. */
function manageGroup(definition: EndpointDefinition, services: CommandServices): Promise<void> {
  return pick(definition.name, [
    { label: '$(pulse) Test the connection', run: () => testEndpoint(definition, services) },
    {
      label: '$(settings-gear) Change it where it was added',
      description: 'Manage Language Models',
      run: async () => vscode.commands.executeCommand('workbench.action.chat.manage'),
    },
  ]);
}

async function enterKey(definition: EndpointDefinition, services: CommandServices): Promise<void> {
  const key = await vscode.window.showInputBox({
    title: definition.name,
    prompt: 'The key',
    password: true,
    ignoreFocusOut: true,
  });
  if (key === undefined || key.trim() === '') return;
  const label = await vscode.window.showInputBox({ title: definition.name, prompt: 'A name for it', value: 'key' });
  await addKey(definition, { key, label: label || 'key' }, services);
}

async function useToken(definition: EndpointDefinition, { sessions }: CommandServices): Promise<void> {
  const token = (await vendorToken.read()) ?? (await vendorToken.refresh());
  if (token === undefined) {
    const cure = 'Open a folder that "vercel link" has connected, and run "vercel env pull" in it.';
    await vscode.window.showErrorMessage(`There is no token for ${definition.name} in .env.local. ${cure}`);
    return;
  }
  await sessions.add(keyOwner(definition), { id: 'vercel', label: 'Vercel’s token', kind: 'token', token });
}

const toolCallings = [
  { word: 'auto', label: 'Find out from the server, the name of the model and its answers' },
  { word: 'native', label: 'In the fields of the API' },
  { word: 'text', label: 'In the text of the answer, in any form' },
];

async function chooseToolCalling(definition: EndpointDefinition): Promise<void> {
  const items = toolCallings.map(({ word, label }) => ({ label, description: word }));
  const title = 'How models call tools (a gateway or a server of OpenResponses decides by itself)';
  const chosen = await vscode.window.showQuickPick(items, { title });
  if (chosen !== undefined) await setToolCalling(definition, chosen.description);
}

async function removeEndpoint(definition: EndpointDefinition, { sessions }: CommandServices): Promise<void> {
  await removeFromSettings(definition);
  await sessions.removeAll(keyOwner(definition));
}
