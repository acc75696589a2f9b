import { type Client, openaiUrl, type Place, type Step } from '../connection.ts';

export const codex: Client = {
  id: 'codex',
  name: 'Codex',
  ways: [{ api: 'responses', steps }],
};

function steps(place: Place): readonly Step[] {
  const { models, keyVariable } = place;
  const dragoman = {
    name: 'Dragoman',
    base_url: openaiUrl(place),
    wire_api: 'responses',
    ...(keyVariable === undefined ? {} : { env_key: keyVariable }),
  };
  const [{ id, contextWindow }] = models;
  return [
    {
      kind: 'file',
      file: {
        format: 'toml',
        place: { home: ['.codex/config.toml'], movedBy: 'CODEX_HOME' },
        settings: {
          model: id,
          model_provider: 'dragoman',
          model_context_window: contextWindow,
          model_providers: { dragoman },
        },
      },
    },
    { kind: 'command', words: ['codex', 'exec', 'Run the command: ls'] },
  ];
}
