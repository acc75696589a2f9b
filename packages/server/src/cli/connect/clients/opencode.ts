import { type Client, openaiUrl, type Place, type SettingsObject, type Step } from '../connection.ts';

const chatPackage = '@ai-sdk/openai-compatible';

/** Which of the providers that OpenCode has built in is used decides which API it speaks. */
export const opencode: Client = {
  id: 'opencode',
  name: 'OpenCode',
  // Measured with 1.18: 39 kB.
  firstRequest: 10_000,
  ways: [
    { api: 'chat', steps: (place) => steps(place, chatPackage) },
    { api: 'responses', steps: (place) => steps(place, '@ai-sdk/openai') },
    { api: 'messages', steps: (place) => steps(place, '@ai-sdk/anthropic') },
  ],
  launch: {
    program: 'opencode',
    package: 'opencode-ai',
    places: ['.opencode/bin'],
    // It counts for more than its files.
    point: ({ place }) => ({ variables: { OPENCODE_CONFIG_CONTENT: JSON.stringify(settings(place, chatPackage)) } }),
  },
};

function settings(place: Place, npm: string): SettingsObject {
  const { models, keyVariable } = place;
  const apiKey = keyVariable === undefined ? 'none' : `{env:${keyVariable}}`;
  const listed = models.map(({ id, contextWindow, maxOutput, images, reasoning }) => [
    id,
    {
      name: id,
      tool_call: true,
      ...(images ? { attachment: true } : {}),
      ...(reasoning ? { reasoning: true } : {}),
      ...(contextWindow === undefined ? {} : { limit: { context: contextWindow, output: maxOutput ?? 0 } }),
    },
  ]);
  const dragoman = {
    npm,
    name: 'Dragoman',
    options: { baseURL: openaiUrl(place), apiKey },
    models: Object.fromEntries(listed),
  };
  return {
    $schema: 'https://opencode.ai/config.json',
    model: `dragoman/${models[0].id}`,
    provider: { dragoman },
  };
}

function steps(place: Place, npm: string): readonly Step[] {
  const model = `dragoman/${place.models[0].id}`;
  return [
    {
      kind: 'file',
      file: {
        format: 'jsonc',
        place: {
          home: ['.config/opencode/opencode.json', '.config/opencode/opencode.jsonc'],
          moves: [
            { variable: 'OPENCODE_CONFIG', folder: undefined },
            { variable: 'OPENCODE_CONFIG_DIR', folder: '' },
            { variable: 'XDG_CONFIG_HOME', folder: 'opencode' },
          ],
        },
        settings: settings(place, npm),
        // Who has chosen a model keeps it.
        keeps: ['model'],
      },
    },
    { kind: 'command', words: ['opencode', 'run', '-m', model, 'Read the file README.md'] },
  ];
}
