import { writeCodexModel } from '../../../http/codex-model.ts';
import { type Client, type FilePlace, openaiUrl, type Place, type SettingsObject, type Step } from '../connection.ts';

export const codex: Client = {
  id: 'codex',
  name: 'Codex',
  // Measured with 0.169: 33 kB.
  firstRequest: 8_500,
  ways: [{ api: 'responses', steps }],
};

const profile = 'dragoman';

/** A profile leaves what Codex does without it as it is. */
function steps(place: Place): readonly Step[] {
  const { models, keyVariable } = place;
  const dragoman = {
    name: 'Dragoman',
    base_url: openaiUrl(place),
    wire_api: 'responses',
    // Milliseconds: how long a silent server is waited for is the gateway's to decide.
    stream_idle_timeout_ms: 3_600_000,
    ...(keyVariable === undefined ? {} : { env_key: keyVariable }),
  };
  const [{ id, contextWindow }] = models;
  const settings: SettingsObject = {
    model: id,
    model_provider: 'dragoman',
    model_catalog_json: 'dragoman.models.json',
    ...(contextWindow === undefined ? {} : { model_context_window: contextWindow }),
    model_providers: { dragoman },
  };
  const catalogue: SettingsObject = {
    models: models.map((model, index) => writeCodexModel({ ...model, displayName: model.id }, index)),
  };
  return [
    { kind: 'file', file: { format: 'toml', place: below(`${profile}.config.toml`), settings } },
    { kind: 'file', file: { format: 'jsonc', place: below(`${profile}.models.json`), settings: catalogue } },
    { kind: 'command', words: ['codex', 'exec', '--profile', profile, 'Run the command: ls'] },
  ];
}

function below(name: string): FilePlace {
  return { home: [`.codex/${name}`], moves: [{ variable: 'CODEX_HOME', folder: '' }] };
}
