import type { Client, OfferedModel, Place, SettingsObject, Step } from '../connection.ts';

export const claudeCode: Client = {
  id: 'claude-code',
  name: 'Claude Code',
  // Measured with 2.1: 80 kB.
  firstRequest: 20_000,
  ways: [{ api: 'messages', steps }],
  launch: {
    program: 'claude',
    package: '@anthropic-ai/claude-code',
    places: ['.local/bin', '.claude/local'],
    point: ({ place, write }) => ({
      args: ['--settings', write('settings.json', settings(place))],
      // What would send it elsewhere, or a key of Anthropic's to us.
      variables: { ANTHROPIC_API_KEY: '', CLAUDE_CODE_USE_BEDROCK: '', CLAUDE_CODE_USE_VERTEX: '' },
    }),
  },
};

function steps(place: Place): readonly Step[] {
  return [
    {
      kind: 'file',
      file: {
        format: 'jsonc',
        place: { home: ['.claude/settings.json'], moves: [{ variable: 'CLAUDE_CONFIG_DIR', folder: '' }] },
        settings: settings(place),
      },
    },
    { kind: 'command', words: ['claude', '-p', 'Read the file README.md', '--allowedTools', 'Read'] },
  ];
}

function settings({ url, models: [model], keyVariable }: Place): SettingsObject {
  return {
    // Its settings cannot name a variable, but a command that prints the key.
    ...(keyVariable === undefined ? {} : { apiKeyHelper: `printenv ${keyVariable}` }),
    env: {
      ANTHROPIC_BASE_URL: url,
      ...(keyVariable === undefined ? { ANTHROPIC_AUTH_TOKEN: 'none' } : {}),
      ...slots(model),
      ...limits(model),
      // The letters that it counts by are first in the prompt and change with it: no server could keep its cache.
      CLAUDE_CODE_ATTRIBUTION_HEADER: '0',
      // Else the model reads a countdown from millions of tokens, whatever its window.
      CLAUDE_CODE_TOTAL_TOKENS_REMINDER: 'off',
      // How long a silent server is waited for is the gateway's to decide.
      API_TIMEOUT_MS: patience,
      CLAUDE_STREAM_IDLE_TIMEOUT_MS: patience,
    },
  };
}

/** Milliseconds, as long as the gateway's own `timeouts.total`. */
const patience = '3600000';

/** Every name under which Claude Code asks for a model, so that `--model sonnet` and subagents find one. */
function slots({ id }: OfferedModel): SettingsObject {
  return {
    ANTHROPIC_MODEL: id,
    ANTHROPIC_DEFAULT_OPUS_MODEL: id,
    ANTHROPIC_DEFAULT_SONNET_MODEL: id,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: id,
    ANTHROPIC_SMALL_FAST_MODEL: id,
    CLAUDE_CODE_SUBAGENT_MODEL: id,
  };
}

/** It takes a model that it does not know for one with a million tokens. */
function limits({ contextWindow, maxOutput }: OfferedModel): SettingsObject {
  return {
    ...(contextWindow === undefined ? {} : { CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(contextWindow) }),
    // It complains of less, and goes by the window.
    ...(contextWindow === undefined || contextWindow < 100_000
      ? {}
      : { CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(contextWindow) }),
    ...(maxOutput === undefined ? {} : { CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(maxOutput) }),
  };
}
