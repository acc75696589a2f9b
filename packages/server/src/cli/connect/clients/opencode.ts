import { type Client, openaiUrl, type Place, type Step } from '../connection.ts';

/** Which of the providers that OpenCode has built in is used decides which API it speaks. */
export const opencode: Client = {
  id: 'opencode',
  name: 'OpenCode',
  ways: [
    { api: 'chat', steps: (place) => steps(place, '@ai-sdk/openai-compatible') },
    { api: 'responses', steps: (place) => steps(place, '@ai-sdk/openai') },
    { api: 'messages', steps: (place) => steps(place, '@ai-sdk/anthropic') },
  ],
};

function steps(place: Place, npm: string): readonly Step[] {
  const { models, keyVariable } = place;
  const apiKey = keyVariable === undefined ? 'none' : `{env:${keyVariable}}`;
  const listed = models.map(({ id, contextWindow, maxOutput, images }) => [
    id,
    {
      name: id,
      tool_call: true,
      ...(images ? { attachment: true } : {}),
      limit: { context: contextWindow, output: maxOutput },
    },
  ]);
  const dragoman = {
    npm,
    name: 'Dragoman',
    options: { baseURL: openaiUrl(place), apiKey },
    models: Object.fromEntries(listed),
  };
  return [
    {
      kind: 'file',
      file: {
        format: 'jsonc',
        place: { home: ['.config/opencode/opencode.json', '.config/opencode/opencode.jsonc'] },
        settings: { $schema: 'https://opencode.ai/config.json', provider: { dragoman } },
      },
    },
    { kind: 'command', words: ['opencode', 'run', '-m', `dragoman/${models[0].id}`, 'Read the file README.md'] },
  ];
}
