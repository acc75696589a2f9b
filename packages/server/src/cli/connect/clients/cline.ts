import { type Client, keyWord, noKey, openaiUrl, type Place, type ShellWord } from '../connection.ts';

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
                  updatedAt,
                },
              },
            },
          },
        },
        { kind: 'command', words: ask(place, 'ollama') },
      ],
    },
  ],
  launch: {
    program: 'cline',
    package: 'cline',
    note: 'Cline keeps its sessions beside its providers, so this run is not in its history afterwards.',
    point: ({ place, key = 'none', folder, write }) => {
      const provider = 'openai-compatible';
      const model = place.models[0].id;
      const settings = { provider, apiKey: key, model, baseUrl: openaiUrl(place) };
      write('settings/providers.json', {
        version: 1,
        lastUsedProvider: provider,
        providers: { [provider]: { settings, updatedAt, tokenSource: 'manual' } },
      });
      return { args: ['--data-dir', folder, '-P', provider, '-m', model] };
    },
  },
};

/** It wants to know since when. */
const updatedAt = '2026-01-01T00:00:00.000Z';

function ask({ models: [{ id }] }: Place, provider: string): readonly ShellWord[] {
  return ['cline', '-P', provider, '-m', id, '--auto-approve', 'true', 'Read the file README.md'];
}
