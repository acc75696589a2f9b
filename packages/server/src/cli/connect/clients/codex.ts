import { writeCodexModel } from '../../../http/codex-model.ts';
import {
  type Client,
  type FilePlace,
  openaiUrl,
  type Place,
  type Setting,
  type SettingsObject,
  type Step,
} from '../connection.ts';

export const codex: Client = {
  id: 'codex',
  name: 'Codex',
  // Measured with 0.169: 33 kB.
  firstRequest: 8_500,
  ways: [{ api: 'responses', steps }],
  launch: {
    program: 'codex',
    package: '@openai/codex',
    point: ({ place, write }) => ({
      args: Object.entries(settings(place, write('models.json', catalogue(place)))).flatMap(asOptions),
    }),
  },
};

const profile = 'dragoman';

/** A profile leaves what Codex does without it as it is. */
function steps(place: Place): readonly Step[] {
  const models = `${profile}.models.json`;
  return [
    {
      kind: 'file',
      file: { format: 'toml', place: below(`${profile}.config.toml`), settings: settings(place, models) },
    },
    { kind: 'file', file: { format: 'jsonc', place: below(models), settings: catalogue(place) } },
    { kind: 'command', words: ['codex', 'exec', '--profile', profile, 'Run the command: ls'] },
  ];
}

function settings(place: Place, catalogueFile: string): SettingsObject {
  const { models, keyVariable } = place;
  const [{ id, contextWindow }] = models;
  const dragoman = {
    name: 'Dragoman',
    base_url: openaiUrl(place),
    wire_api: 'responses',
    // Milliseconds: how long a silent server is waited for is the gateway's to decide.
    stream_idle_timeout_ms: 3_600_000,
    ...(keyVariable === undefined ? {} : { env_key: keyVariable }),
  };
  return {
    model: id,
    model_provider: 'dragoman',
    model_catalog_json: catalogueFile,
    ...(contextWindow === undefined ? {} : { model_context_window: contextWindow }),
    model_providers: { dragoman },
  };
}

function catalogue({ models }: Place): SettingsObject {
  return { models: models.map((model, index) => writeCodexModel({ ...model, displayName: model.id }, index)) };
}

function below(name: string): FilePlace {
  return { home: [`.codex/${name}`], moves: [{ variable: 'CODEX_HOME', folder: '' }] };
}

/** `-c` takes a path and a value in TOML, whose texts and numbers are those of JSON. */
function asOptions([path, value]: readonly [string, Setting]): readonly string[] {
  if (typeof value !== 'object' || value === null) return ['-c', `${path}=${JSON.stringify(value)}`];
  return Object.entries(value).flatMap(([name, each]) => asOptions([`${path}.${name}`, each]));
}
