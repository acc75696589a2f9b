import { type Client, openaiUrl, type Place, type SettingsObject, type Step } from '../connection.ts';

export const pi: Client = {
  id: 'pi',
  name: 'pi',
  ways: [
    { api: 'chat', steps: (place) => steps(place, overChat(place)) },
    { api: 'responses', steps: (place) => steps(place, { api: 'openai-responses', baseUrl: openaiUrl(place) }) },
    { api: 'messages', steps: (place) => steps(place, { api: 'anthropic-messages', baseUrl: place.url }) },
  ],
  launch: {
    program: 'pi',
    package: '@mariozechner/pi-coding-agent',
    point: ({ place, write }) => {
      const provider = JSON.stringify(settings(place, overChat(place)));
      const extension = write('dragoman.ts', `export default (pi) => pi.registerProvider('dragoman', ${provider});\n`);
      return { args: ['--extension', extension, '--provider', 'dragoman', '--model', place.models[0].id] };
    },
  },
};

interface Provider {
  readonly api: string;
  readonly baseUrl: string;
}

function overChat(place: Place): Provider {
  return { api: 'openai-completions', baseUrl: openaiUrl(place) };
}

function settings({ models, keyVariable }: Place, provider: Provider): SettingsObject {
  const listed = models.map(({ id, contextWindow, maxOutput, images, reasoning }) => ({
    id,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxOutput === undefined ? {} : { maxTokens: maxOutput }),
    input: images ? ['text', 'image'] : ['text'],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    reasoning,
  }));
  // A key is the name of a variable, or else the key itself.
  return { ...provider, apiKey: keyVariable ?? 'none', models: listed };
}

function steps(place: Place, provider: Provider): readonly Step[] {
  return [
    {
      kind: 'file',
      file: {
        format: 'jsonc',
        place: { home: ['.pi/agent/models.json'], moves: [{ variable: 'PI_CODING_AGENT_DIR', folder: '' }] },
        settings: { providers: { dragoman: settings(place, provider) } },
      },
    },
    {
      kind: 'command',
      words: ['pi', '--provider', 'dragoman', '--model', place.models[0].id, '-p', 'Read the file README.md'],
    },
  ];
}
