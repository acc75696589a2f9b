import type { Client, Place, Step } from '../connection.ts';

export const claudeCode: Client = {
  id: 'claude-code',
  name: 'Claude Code',
  ways: [{ api: 'messages', steps }],
};

function steps({ url, models: [{ id }], keyVariable }: Place): readonly Step[] {
  return [
    {
      kind: 'file',
      file: {
        format: 'jsonc',
        place: { home: ['.claude/settings.json'], movedBy: 'CLAUDE_CONFIG_DIR' },
        settings: {
          // Its settings cannot name a variable, but a command that prints the key.
          ...(keyVariable === undefined ? {} : { apiKeyHelper: `printenv ${keyVariable}` }),
          env: {
            ANTHROPIC_BASE_URL: url,
            ...(keyVariable === undefined ? { ANTHROPIC_AUTH_TOKEN: 'none' } : {}),
            ANTHROPIC_MODEL: id,
            ANTHROPIC_SMALL_FAST_MODEL: id,
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          },
        },
      },
    },
    { kind: 'command', words: ['claude', '-p', 'Read the file README.md', '--allowedTools', 'Read'] },
  ];
}
