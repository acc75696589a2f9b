import { type Client, openaiUrl, type Place, type Step } from '../connection.ts';

export const qwenCode: Client = {
  id: 'qwen-code',
  name: 'Qwen Code',
  ways: [
    { api: 'chat', steps: (place) => steps(place, { type: 'openai', baseUrl: openaiUrl(place) }) },
    { api: 'messages', steps: (place) => steps(place, { type: 'anthropic', baseUrl: place.url }) },
  ],
};

/** Holds a word where there is no key, because Qwen Code insists on a variable. */
const noKeyVariable = 'DRAGOMAN_NO_KEY';

function steps(place: Place, provider: { readonly type: string; readonly baseUrl: string }): readonly Step[] {
  const { models, keyVariable } = place;
  const listed = models.map(({ id, contextWindow }) => ({
    id,
    name: `Dragoman ${id}`,
    baseUrl: provider.baseUrl,
    envKey: keyVariable ?? noKeyVariable,
    ...(contextWindow === undefined ? {} : { generationConfig: { contextWindowSize: contextWindow } }),
  }));
  return [
    {
      kind: 'file',
      file: {
        format: 'jsonc',
        place: { home: ['.qwen/settings.json'] },
        settings: {
          ...(keyVariable === undefined ? { env: { [noKeyVariable]: 'none' } } : {}),
          modelProviders: { [provider.type]: listed },
          security: { auth: { selectedType: provider.type } },
          model: { name: models[0].id },
        },
      },
    },
    { kind: 'command', words: ['qwen', '-y', 'Read the file README.md'] },
  ];
}
