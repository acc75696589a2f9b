import { type Client, keyWord, noKey, openaiUrl, type Place, type Word } from '../connection.ts';

export const cline: Client = {
  id: 'cline',
  name: 'Cline',
  ways: [
    {
      api: 'chat',
      keyNote: 'Cline keeps the key itself: the first command has it stored in plain text below ~/.cline.',
      steps: (place) => [
        {
          kind: 'command',
          words: [
            ...['cline', 'auth', '-p', 'openai', '-m', place.models[0].id, '-b', openaiUrl(place), '-k'],
            keyWord(place),
          ],
        },
        { kind: 'command', words: ask(place, 'openai-compatible') },
      ],
    },
    {
      api: 'ollama',
      keyNote: noKey('Cline'),
      steps: (place) => [
        {
          kind: 'file',
          file: {
            format: 'jsonc',
            place: { home: ['.cline/data/settings/providers.json'] },
            settings: {
              version: 1,
              lastUsedProvider: 'ollama',
              providers: {
                ollama: {
                  settings: { provider: 'ollama', model: place.models[0].id, baseUrl: place.url },
                  updatedAt: '2026-01-01T00:00:00.000Z',
                },
              },
            },
          },
        },
        { kind: 'command', words: ask(place, 'ollama') },
      ],
    },
  ],
};

function ask({ models: [{ id }] }: Place, provider: string): readonly Word[] {
  return ['cline', '-P', provider, '-m', id, '--auto-approve', 'true', 'Read the file README.md'];
}
