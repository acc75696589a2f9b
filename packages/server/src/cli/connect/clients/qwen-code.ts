import { type Client, openaiUrl, type Place, type SettingsObject, type Step } from '../connection.ts';

export const qwenCode: Client = {
  id: 'qwen-code',
  name: 'Qwen Code',
  ways: [
    { api: 'chat', steps: (place) => steps(place, overChat(place)) },
    { api: 'messages', steps: (place) => steps(place, { type: 'anthropic', baseUrl: place.url }) },
  ],
  launch: {
    program: 'qwen',
    package: '@qwen-code/qwen-code',
    // Settings of the system count for more than those of the user.
    point: ({ place, write }) => ({
      variables: { QWEN_CODE_SYSTEM_SETTINGS_PATH: write('settings.json', settings(place, overChat(place))) },
    }),
  },
};

interface Provider {
  readonly type: string;
  readonly baseUrl: string;
}

function overChat(place: Place): Provider {
  return { type: 'openai', baseUrl: openaiUrl(place) };
}

/** Holds a word where there is no key, because Qwen Code insists on a variable. */
const noKeyVariable = 'DRAGOMAN_NO_KEY';

function settings({ models, keyVariable }: Place, provider: Provider): SettingsObject {
  const listed = models.map(({ id, contextWindow }) => ({
    id,
    name: `Dragoman ${id}`,
    baseUrl: provider.baseUrl,
    envKey: keyVariable ?? noKeyVariable,
    ...(contextWindow === undefined ? {} : { generationConfig: { contextWindowSize: contextWindow } }),
  }));
  return {
    ...(keyVariable === undefined ? { env: { [noKeyVariable]: 'none' } } : {}),
    modelProviders: { [provider.type]: listed },
    security: { auth: { selectedType: provider.type } },
    model: { name: models[0].id },
  };
}

function steps(place: Place, provider: Provider): readonly Step[] {
  return [
    {
      kind: 'file',
      file: { format: 'jsonc', place: { home: ['.qwen/settings.json'] }, settings: settings(place, provider) },
    },
    { kind: 'command', words: ['qwen', '-y', 'Read the file README.md'] },
  ];
}
