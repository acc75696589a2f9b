import { type Client, noKey, openaiUrl, type Place, type SettingsObject, type Step } from '../connection.ts';

export const continueDev: Client = {
  id: 'continue',
  name: 'Continue',
  ways: [
    {
      api: 'chat',
      steps: (place) => steps(place, overChat(place)),
    },
    {
      api: 'ollama',
      keyNote: noKey('Continue'),
      steps: (place) => steps(place, { provider: 'ollama', apiBase: place.url }),
    },
  ],
  launch: {
    program: 'cn',
    package: '@continuedev/cli',
    point: ({ place, write }) => ({ args: ['--config', write('config.yaml', settings(place, overChat(place)))] }),
  },
};

function overChat(place: Place): SettingsObject {
  const { keyVariable } = place;
  const apiKey = keyVariable === undefined ? 'none' : `\${{ secrets.${keyVariable} }}`;
  return { provider: 'openai', apiBase: openaiUrl(place), apiKey };
}

function settings({ models }: Place, provider: SettingsObject): SettingsObject {
  const listed = models.map(({ id, contextWindow, maxOutput, images }) => ({
    name: `Dragoman ${id}`,
    model: id,
    ...provider,
    roles: ['chat', 'edit', 'apply'],
    capabilities: images ? ['tool_use', 'image_input'] : ['tool_use'],
    ...(contextWindow === undefined
      ? {}
      : { defaultCompletionOptions: { contextLength: contextWindow, maxTokens: maxOutput ?? 0 } }),
  }));
  return { name: 'Local Config', version: '1.0.0', schema: 'v1', models: listed };
}

function steps(place: Place, provider: SettingsObject): readonly Step[] {
  return [
    {
      kind: 'file',
      file: {
        format: 'yaml',
        place: { home: ['.continue/config.yaml'], moves: [{ variable: 'CONTINUE_GLOBAL_DIR', folder: '' }] },
        settings: settings(place, provider),
        keeps: ['name', 'version', 'schema'],
      },
    },
    { kind: 'command', words: ['cn', '-p', 'Read the file README.md'] },
  ];
}
