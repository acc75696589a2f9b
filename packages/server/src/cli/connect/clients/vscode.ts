import { type Client, noKey, openaiUrl, type Place, type SettingsObject, type Step } from '../connection.ts';

const keyNote =
  'VS Code keeps the key in its own secret storage: enter it in "Chat: Manage Language Models", at "Dragoman".';

export const vscode: Client = {
  id: 'vscode',
  name: 'VS Code',
  // It fails with 8192 tokens: its prompt finds no room.
  firstRequest: 8_000,
  needsWindow: true,
  ways: [
    {
      api: 'chat',
      keyNote,
      steps: (place) => endpoint(place, { apiType: 'chat-completions', path: '/chat/completions' }),
    },
    { api: 'responses', keyNote, steps: (place) => endpoint(place, { apiType: 'responses', path: '/responses' }) },
    { api: 'messages', keyNote, steps: (place) => endpoint(place, { apiType: 'messages', path: '/messages' }) },
    {
      api: 'ollama',
      keyNote: noKey('VS Code'),
      steps: ({ url }) => group({ name: 'Dragoman', vendor: 'ollama', url }),
    },
  ],
};

function endpoint(place: Place, { apiType, path }: { readonly apiType: string; readonly path: string }) {
  const models = place.models.map(({ id, contextWindow = 0, maxOutput = 0, images }) => ({
    id,
    name: id,
    url: `${openaiUrl(place)}${path}`,
    toolCalling: true,
    vision: images,
    maxInputTokens: contextWindow - maxOutput,
    maxOutputTokens: maxOutput,
  }));
  return group({ name: 'Dragoman', vendor: 'customendpoint', apiType, models });
}

/** The file is a list of groups of models. */
function group(settings: SettingsObject): readonly Step[] {
  return [
    {
      kind: 'file',
      file: {
        format: 'jsonc',
        place: {
          home: ['.config/Code/User/chatLanguageModels.json'],
          moves: [{ variable: 'XDG_CONFIG_HOME', folder: 'Code/User', platform: 'linux' }],
          darwin: 'Library/Application Support/Code/User/chatLanguageModels.json',
          win32: 'AppData/Roaming/Code/User/chatLanguageModels.json',
        },
        settings: [settings],
      },
    },
  ];
}
