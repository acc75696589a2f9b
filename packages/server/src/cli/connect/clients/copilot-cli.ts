import { type Client, keyWord, openaiUrl, type Place, type Step, type Word } from '../connection.ts';

export const copilotCli: Client = {
  id: 'copilot-cli',
  name: 'GitHub Copilot CLI',
  ways: [
    { api: 'chat', steps: (place) => steps(place, { COPILOT_PROVIDER_BASE_URL: openaiUrl(place) }) },
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
};

function steps(place: Place, provider: Readonly<Record<string, Word>>): readonly Step[] {
  const [model] = place.models;
  const { contextWindow, maxOutput = 0 } = model;
  return [
    {
      kind: 'variables',
      values: {
        ...provider,
        COPILOT_PROVIDER_API_KEY: keyWord(place),
        COPILOT_MODEL: model.id,
        ...(contextWindow === undefined
          ? {}
          : {
              COPILOT_PROVIDER_MAX_PROMPT_TOKENS: String(contextWindow - maxOutput),
              COPILOT_PROVIDER_MAX_OUTPUT_TOKENS: String(maxOutput),
            }),
        COPILOT_OFFLINE: 'true',
      },
    },
    { kind: 'command', words: ['copilot', '-p', 'Read the file README.md', '--allow-all-tools'] },
  ];
}
