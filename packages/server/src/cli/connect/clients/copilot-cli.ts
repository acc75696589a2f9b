import { type Client, keyWord, openaiUrl, type Place, type ShellWord, type Step } from '../connection.ts';

export const copilotCli: Client = {
  id: 'copilot-cli',
  name: 'GitHub Copilot CLI',
  ways: [
    { api: 'chat', steps: (place) => steps(place, overChat(place)) },
    {
      api: 'responses',
      steps: (place) =>
        steps(place, { COPILOT_PROVIDER_BASE_URL: openaiUrl(place), COPILOT_PROVIDER_WIRE_API: 'responses' }),
    },
    {
      api: 'messages',
      steps: (place) => steps(place, { COPILOT_PROVIDER_BASE_URL: place.url, COPILOT_PROVIDER_TYPE: 'anthropic' }),
    },
  ],
  launch: {
    program: 'copilot',
    package: '@github/copilot',
    places: ['.local/bin'],
    point: ({ place }) => ({ variables: variables(place, overChat(place)) }),
  },
};

type Words = Readonly<Record<string, ShellWord>>;

function overChat(place: Place): Words {
  return { COPILOT_PROVIDER_BASE_URL: openaiUrl(place) };
}

function variables(place: Place, provider: Words): Words {
  const [{ id, contextWindow, maxOutput = 0 }] = place.models;
  return {
    ...provider,
    COPILOT_PROVIDER_API_KEY: keyWord(place),
    COPILOT_MODEL: id,
    ...(contextWindow === undefined
      ? {}
      : {
          COPILOT_PROVIDER_MAX_PROMPT_TOKENS: String(contextWindow - maxOutput),
          COPILOT_PROVIDER_MAX_OUTPUT_TOKENS: String(maxOutput),
        }),
    COPILOT_OFFLINE: 'true',
  };
}

function steps(place: Place, provider: Words): readonly Step[] {
  return [
    { kind: 'variables', values: variables(place, provider) },
    { kind: 'command', words: ['copilot', '-p', 'Read the file README.md', '--allow-all-tools'] },
  ];
}
