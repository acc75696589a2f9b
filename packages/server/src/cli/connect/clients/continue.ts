import { type Client, noKey, openaiUrl, type Place, type SettingsObject, type Step } from '../connection.ts';

export const continueDev: Client = {
  id: 'continue',
  name: 'Continue',
  ways: [
    {
      api: 'chat',
      steps: (place) => {
        const { keyVariable } = place;
        const apiKey = keyVariable === undefined ? 'none' : `\${{ secrets.${keyVariable} }}`;
        return steps(place, { provider: 'openai', apiBase: openaiUrl(place), apiKey });
      },
    },
    {
      api: 'ollama',
      keyNote: noKey('Continue'),
      steps: (place) => steps(place, { provider: 'ollama', apiBase: place.url }),
    },
  ],
};

function steps({ models }: Place, provider: SettingsObject): readonly Step[] {
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
  return [
    {
      kind: 'file',
      file: {
        format: 'yaml',
        place: { home: ['.continue/config.yaml'], moves: [{ variable: 'CONTINUE_GLOBAL_DIR', folder: '' }] },
        settings: { name: 'Local Config', version: '1.0.0', schema: 'v1', models: listed },
        keeps: ['name', 'version', 'schema'],
      },
    },
    { kind: 'command', words: ['cn', '-p', 'Read the file README.md'] },
  ];
}
