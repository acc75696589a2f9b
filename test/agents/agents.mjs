// A table: which agents are run, in exactly which version, how each is told where the gateway is, and what it is asked.

/** Any model understands it, and the demo model makes two calls of it, the second after the result of the first. */
const readThenEdit = ({ file }) => `Read the file ${file}, then replace 'amber' with 'violet' in ${file}`;

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
const key = 'none';

// What an agent speaks, and the model that writes its calls as text there.
const chat = {
  api: 'chat',
  route: '/v1/chat/completions',
  wire: 'openai-chat',
  textModel: 'demo',
};
const responses = {
  api: 'responses',
  route: '/v1/responses',
  wire: 'openai-responses',
  textModel: 'demo/cline-xml',
};
const messages = {
  api: 'messages',
  route: '/v1/messages',
  wire: 'anthropic-messages',
  textModel: 'demo/anthropic-xml',
};
const ollama = { api: 'ollama', route: '/api/chat', wire: 'ollama-chat', textModel: 'demo/kimi-k2' };

export const agents = [
  {
    name: 'opencode',
    package: 'opencode-ai',
    version: '1.18.33',
    command: 'opencode',
    installScripts: true,
    byDefault: true,
    turns: [
      opencodeTurn(chat, '@ai-sdk/openai-compatible'),
      opencodeTurn(responses, '@ai-sdk/openai'),
      opencodeTurn(messages, '@ai-sdk/anthropic'),
    ],
  },
  {
    name: 'codex',
    package: '@openai/codex',
    version: '0.169.0',
    command: 'codex',
    byDefault: true,
    turns: [codexTurn()],
  },
  {
    name: 'claude-code',
    package: '@anthropic-ai/claude-code',
    version: '2.1.329',
    command: 'claude',
    installScripts: true,
    byDefault: true,
    turns: [claudeTurn()],
  },
  {
    name: 'copilot',
    package: '@github/copilot',
    version: '1.0.102',
    command: 'copilot',
    byDefault: true,
    turns: [
      copilotTurn(chat, ({ url }) => ({ COPILOT_PROVIDER_BASE_URL: `${url}/v1` })),
      copilotTurn(responses, ({ url }) => ({
        COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
        COPILOT_PROVIDER_WIRE_API: 'responses',
      })),
      copilotTurn(messages, ({ url }) => ({ COPILOT_PROVIDER_BASE_URL: url, COPILOT_PROVIDER_TYPE: 'anthropic' })),
    ],
  },
  {
    name: 'qwen',
    package: '@qwen-code/qwen-code',
    version: '0.24.4',
    command: 'qwen',
    byDefault: true,
    turns: [
      qwenTurn(chat, 'openai', openaiVariables),
      qwenTurn(responses, 'openai-responses', openaiVariables),
      qwenTurn(messages, 'anthropic', ({ url, model }) => ({
        ANTHROPIC_API_KEY: key,
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_MODEL: model,
      })),
    ],
  },
  {
    name: 'continue',
    package: '@continuedev/cli',
    version: '1.5.47',
    command: 'cn',
    byDefault: false,
    turns: [continueTurn()],
  },
  {
    name: 'pi',
    package: '@mariozechner/pi-coding-agent',
    version: '0.73.1',
    command: 'pi',
    byDefault: false,
    turns: [
      piTurn(chat, { api: 'openai-completions', path: '/v1' }),
      piTurn(responses, { api: 'openai-responses', path: '/v1' }),
      piTurn(messages, { api: 'anthropic-messages', path: '' }),
    ],
  },
  {
    name: 'cline',
    package: 'cline',
    version: '3.0.65',
    command: 'cline',
    byDefault: false,
    turns: [clineChatTurn(), clineOllamaTurn()],
  },
];

function opencodeTurn(wire, npm) {
  return {
    ...wire,
    prompt: readThenEdit,
    home: ({ url, model }) => ({
      '.config/opencode/opencode.json': json({
        autoupdate: false,
        share: 'disabled',
        provider: {
          gateway: {
            npm,
            options: { baseURL: `${url}/v1`, apiKey: key },
            models: { [model]: { tool_call: true, limit: { context: 32768, output: 4096 } } },
          },
        },
      }),
    }),
    env: () => ({
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    }),
    // Without a title of its own it asks for one, in a second request that has no tools.
    args: ({ model, prompt }) => ['run', '--pure', '--title', 'turn', '-m', `gateway/${model}`, prompt],
  };
}

function codexTurn() {
  return {
    ...responses,
    // Its tools are a shell: it reads and edits with commands.
    prompt: ({ file }) => `Run the command 'cat ${file}', then run the command 'sed -i s/amber/violet/ ${file}'`,
    // The demo model quotes four lines of a result, and Codex writes five in front of what a command printed.
    showsResultsOn: 'stderr',
    home: ({ url, model }) => ({
      '.codex/config.toml': [
        `model = "${model}"`,
        'model_provider = "gateway"',
        'check_for_update_on_startup = false',
        '[model_providers.gateway]',
        'name = "Gateway"',
        `base_url = "${url}/v1"`,
        'env_key = "GATEWAY_KEY"',
        'wire_api = "responses"',
        'request_max_retries = 1',
        'stream_max_retries = 1',
        '[analytics]',
        'enabled = false',
        '',
      ].join('\n'),
    }),
    env: () => ({ GATEWAY_KEY: key }),
    args: ({ prompt }) => [
      'exec',
      '--skip-git-repo-check',
      // The network namespace is the sandbox.
      '--dangerously-bypass-approvals-and-sandbox',
      ...['plugins', 'apps', 'remote_plugin', 'plugin_sharing'].flatMap((feature) => ['--disable', feature]),
      prompt,
    ],
  };
}

function claudeTurn() {
  return {
    ...messages,
    prompt: readThenEdit,
    env: ({ url, model }) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_AUTH_TOKEN: key,
      ANTHROPIC_MODEL: model,
      ANTHROPIC_SMALL_FAST_MODEL: model,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
    args: ({ prompt }) => ['-p', prompt, '--allowedTools', 'Read,Edit', '--output-format', 'text'],
  };
}

function copilotTurn(wire, provider) {
  return {
    ...wire,
    prompt: readThenEdit,
    env: (place) => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
      COPILOT_PROVIDER_API_KEY: key,
      COPILOT_MODEL: place.model,
      ...provider(place),
    }),
    args: ({ prompt }) => ['-p', prompt, '--allow-all-tools', '--allow-all-paths', '--disable-client-telemetry'],
  };
}

function openaiVariables({ url, model }) {
  return { OPENAI_API_KEY: key, OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: model };
}

function qwenTurn(wire, authType, env) {
  return {
    ...wire,
    prompt: readThenEdit,
    home: () => ({
      '.qwen/settings.json': json({ privacy: { usageStatisticsEnabled: false }, telemetry: { enabled: false } }),
    }),
    env,
    args: ({ prompt }) => ['--auth-type', authType, '-y', prompt],
  };
}

function continueTurn() {
  return {
    ...chat,
    prompt: readThenEdit,
    // JSON is YAML too.
    home: ({ url, model }) => ({
      'config.yaml': json({
        name: 'turn',
        version: '1.0.0',
        schema: 'v1',
        models: [
          {
            name: model,
            provider: 'openai',
            model,
            apiBase: `${url}/v1`,
            apiKey: key,
            roles: ['chat'],
            capabilities: ['tool_use'],
          },
        ],
      }),
    }),
    env: () => ({ CONTINUE_TELEMETRY_ENABLED: '0' }),
    args: ({ home, prompt }) => ['--config', `${home}/config.yaml`, '--auto', '-p', prompt],
  };
}

function piTurn(wire, { api, path }) {
  return {
    ...wire,
    prompt: readThenEdit,
    home: ({ url, model }) => ({
      '.pi/agent/models.json': json({
        providers: {
          gateway: {
            baseUrl: `${url}${path}`,
            api,
            apiKey: key,
            models: [
              {
                id: model,
                contextWindow: 32768,
                maxTokens: 4096,
                input: ['text'],
                cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
                reasoning: false,
              },
            ],
          },
        },
      }),
    }),
    env: () => ({ PI_OFFLINE: '1' }),
    args: ({ model, prompt }) => ['--offline', '--no-session', '--provider', 'gateway', '--model', model, '-p', prompt],
  };
}

function clineChatTurn() {
  return {
    ...chat,
    prompt: readThenEdit,
    before: ({ url, model }) => [['auth', '-p', 'openai', '-k', key, '-m', model, '-b', `${url}/v1`]],
    args: (place) => clineArgs('openai-compatible', place),
  };
}

function clineOllamaTurn() {
  return {
    ...ollama,
    prompt: readThenEdit,
    home: ({ url, model }) => ({
      '.cline/data/settings/providers.json': json({
        version: 1,
        lastUsedProvider: 'ollama',
        providers: {
          ollama: { settings: { provider: 'ollama', model, baseUrl: url }, updatedAt: '2026-01-01T00:00:00.000Z' },
        },
      }),
    }),
    args: (place) => clineArgs('ollama', place),
  };
}

function clineArgs(provider, { model, work, prompt }) {
  return ['-P', provider, '-m', model, '--auto-approve', 'true', '-t', '40', '-c', work, prompt];
}
