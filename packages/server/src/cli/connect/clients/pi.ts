import { type Client, openaiUrl, type Place, type Step } from '../connection.ts';

export const pi: Client = {
  id: 'pi',
  name: 'pi',
  ways: [
    { api: 'chat', steps: (place) => steps(place, { api: 'openai-completions', baseUrl: openaiUrl(place) }) },
    { api: 'responses', steps: (place) => steps(place, { api: 'openai-responses', baseUrl: openaiUrl(place) }) },
    { api: 'messages', steps: (place) => steps(place, { api: 'anthropic-messages', baseUrl: place.url }) },
  ],
};

function steps({ models, keyVariable }: Place, provider: { readonly api: string; readonly baseUrl: string }): Step[] {
  const listed = models.map(({ id, contextWindow, maxOutput, images, reasoning }) => ({
    id,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxOutput === undefined ? {} : { maxTokens: maxOutput }),
    input: images ? ['text', 'image'] : ['text'],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    reasoning,
  }));
  return [
    {
      kind: 'file',
      file: {
        format: 'jsonc',
        place: { home: ['.pi/agent/models.json'], moves: [{ variable: 'PI_CODING_AGENT_DIR', folder: '' }] },
        // A key is the name of a variable, or else the key itself.
        settings: { providers: { dragoman: { ...provider, apiKey: keyVariable ?? 'none', models: listed } } },
      },
    },
    {
      kind: 'command',
      words: ['pi', '--provider', 'dragoman', '--model', models[0].id, '-p', 'Read the file README.md'],
    },
  ];
}
