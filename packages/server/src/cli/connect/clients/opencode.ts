import { type Client, openaiUrl, type Place, type SettingsObject, type Step } from '../connection.ts';

const chatPackage = '@ai-sdk/openai-compatible';

/** What the programs that are made of OpenCode's sources have each their own of. */
interface Program {
  readonly id: string;
  readonly name: string;
  readonly program: string;
  readonly package: string;
  /** Before the names of its variables. */
  readonly prefix: string;
  /** Below the folder of configurations, the one that it makes first. */
  readonly files: readonly [string, ...string[]];
  /** Where its own installer puts it. */
  readonly places?: readonly string[];
}

export const opencode: Client = clientOf({
  id: 'opencode',
  name: 'OpenCode',
  program: 'opencode',
  package: 'opencode-ai',
  prefix: 'OPENCODE',
  files: ['opencode/opencode.json', 'opencode/opencode.jsonc'],
  places: ['.opencode/bin'],
});

export const kilo: Client = clientOf({
  id: 'kilo',
  name: 'Kilo Code CLI',
  program: 'kilo',
  package: '@kilocode/cli',
  prefix: 'KILO',
  files: ['kilo/kilo.jsonc', 'kilo/kilo.json'],
});

/** Which of the providers that it has built in is used decides which API it speaks. */
function clientOf(of: Program): Client {
  const { id, name, program, prefix, places } = of;
  return {
    id,
    name,
    // Measured with OpenCode 1.18: 39 kB.
    firstRequest: 10_000,
    ways: [
      { api: 'chat', steps: (place) => steps(place, { of, npm: chatPackage }) },
      { api: 'responses', steps: (place) => steps(place, { of, npm: '@ai-sdk/openai' }) },
      { api: 'messages', steps: (place) => steps(place, { of, npm: '@ai-sdk/anthropic' }) },
    ],
    launch: {
      program,
      package: of.package,
      ...(places === undefined ? {} : { places }),
      // It counts for more than its files.
      point: ({ place }) => ({
        variables: { [`${prefix}_CONFIG_CONTENT`]: JSON.stringify(settings(place, chatPackage)) },
      }),
    },
  };
}

function settings(place: Place, npm: string): SettingsObject {
  const { models, keyVariable } = place;
  const apiKey = keyVariable === undefined ? 'none' : `{env:${keyVariable}}`;
  const listed = models.map(({ id, contextWindow, maxOutput, images, reasoning }) => [
    id,
    {
      name: id,
      tool_call: true,
      ...(images ? { attachment: true } : {}),
      ...(reasoning ? { reasoning: true } : {}),
      ...(contextWindow === undefined ? {} : { limit: { context: contextWindow, output: maxOutput ?? 0 } }),
    },
  ]);
  const dragoman = {
    npm,
    name: 'Dragoman',
    options: { baseURL: openaiUrl(place), apiKey },
    models: Object.fromEntries(listed),
  };
  return {
    $schema: 'https://opencode.ai/config.json',
    model: `dragoman/${models[0].id}`,
    provider: { dragoman },
  };
}

function steps(place: Place, { of, npm }: { readonly of: Program; readonly npm: string }): readonly Step[] {
  const { program, prefix, files } = of;
  const [first, ...others] = files;
  const folder = first.slice(0, first.indexOf('/'));
  return [
    {
      kind: 'file',
      file: {
        format: 'jsonc',
        place: {
          home: [`.config/${first}`, ...others.map((file) => `.config/${file}`)],
          moves: [
            { variable: `${prefix}_CONFIG`, folder: undefined },
            { variable: `${prefix}_CONFIG_DIR`, folder: '' },
            { variable: 'XDG_CONFIG_HOME', folder },
          ],
        },
        settings: settings(place, npm),
        // Who has chosen a model keeps it.
        keeps: ['model'],
      },
    },
    {
      kind: 'command',
      words: [program, 'run', '-m', `dragoman/${place.models[0].id}`, 'Read the file README.md'],
    },
  ];
}
