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
  const listed = models.map(({ id, contextWindow, maxOutput, images }) => ({
    id,
    contextWindow,
    maxTokens: maxOutput,
    input: images ? ['text', 'image'] : ['text'],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    reasoning: false,
  }));
  return [
    {
      kind: 'file',
      file: {
        format: 'jsonc',
        place: { home: ['.pi/agent/models.json'] },
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
