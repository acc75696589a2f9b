// A table: which agents are run, in exactly which version, what they are told besides what `dragoman connect` tells
// them, and what they are asked.

/** Any model understands it, and the demo model makes two calls of it, the second after the result of the first. */
const readThenEdit = ({ file }) => `Read the file ${file}, then replace 'amber' with 'violet' in ${file}`;

// What an agent speaks, and the model that writes its calls as text there.
const chat = { api: 'chat', route: '/v1/chat/completions', wire: 'openai-chat', textModel: 'demo' };
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

/**
 * `client` is the name that `dragoman connect` knows it by. Turns hold the command line without the program's name, the
 * environment, and the files that are in the agent's home before it is connected; `pointing` are the arguments that choose what
 * `connect` has written, which `launch` chooses by itself.
 */
export const agents = [
  {
    name: 'opencode',
    client: 'opencode',
    package: 'opencode-ai',
    version: '1.18.33',
    command: 'opencode',
    installScripts: true,
    byDefault: true,
    turns: [{ ...chat, copies: true }, responses, messages].map(opencodeTurn),
  },
  {
    name: 'codex',
    client: 'codex',
    package: '@openai/codex',
    version: '0.169.0',
    command: 'codex',
    byDefault: true,
    turns: [{ ...codexTurn(), copies: true }, codexSocketTurn()],
  },
  {
    name: 'claude-code',
    client: 'claude-code',
    package: '@anthropic-ai/claude-code',
    version: '2.1.329',
    command: 'claude',
    installScripts: true,
    byDefault: true,
    turns: [claudeTurn()],
  },
  {
    name: 'copilot',
    client: 'copilot-cli',
    package: '@github/copilot',
    version: '1.0.102',
    command: 'copilot',
    byDefault: true,
    turns: [chat, responses, messages].map(copilotTurn),
  },
  {
    name: 'qwen',
    client: 'qwen-code',
    package: '@qwen-code/qwen-code',
    version: '0.24.4',
    command: 'qwen',
    byDefault: true,
    turns: [chat, messages].map(qwenTurn),
  },
  {
    name: 'continue',
    client: 'continue',
    package: '@continuedev/cli',
    version: '1.5.47',
    command: 'cn',
    byDefault: false,
    turns: [continueTurn()],
  },
  {
    name: 'pi',
    client: 'pi',
    package: '@mariozechner/pi-coding-agent',
    version: '0.73.1',
    command: 'pi',
    byDefault: false,
    turns: [chat, responses, messages].map(piTurn),
  },
  {
    name: 'kilo',
    client: 'kilo',
    package: '@kilocode/cli',
    version: '7.7.7',
    command: 'kilo',
    installScripts: true,
    byDefault: false,
    turns: [chat, responses, messages].map(kiloTurn),
  },
  {
    name: 'cline',
    client: 'cline',
    package: 'cline',
    version: '3.0.65',
    command: 'cline',
    byDefault: false,
    turns: [clineTurn(chat, 'openai-compatible'), clineTurn(ollama, 'ollama')],
  },
];

function opencodeTurn(wire) {
  return {
    ...wire,
    prompt: readThenEdit,
    env: {
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    },
    home: { '.config/opencode/opencode.json': '{\n  // Nothing is sent anywhere.\n  "share": "disabled",\n}\n' },
    // Without a title of its own it asks for one, in a second request that has no tools.
    pointing: ({ model }) => ['-m', `dragoman/${model}`],
    args: ({ pointing, prompt }) => ['run', '--pure', '--title', 'turn', ...pointing, prompt],
  };
}

/** Made of OpenCode's sources. */
function kiloTurn(wire) {
  const quiet = {
    KILO_DISABLE_MODELS_FETCH: '1',
    KILO_DISABLE_AUTOUPDATE: '1',
    KILO_DISABLE_LSP_DOWNLOAD: '1',
    KILO_DISABLE_SESSION_INGEST: '1',
    KILO_TELEMETRY_LEVEL: 'off',
  };
  const turn = opencodeTurn(wire);
  return {
    ...turn,
    env: quiet,
    home: { '.config/kilo/kilo.jsonc': '{\n  // Nothing is sent anywhere.\n  "share": "disabled"\n}\n' },
    args: ({ pointing, prompt }) => ['run', '--auto', '--pure', '--title', 'turn', ...pointing, prompt],
  };
}

function codexTurn() {
  return {
    ...responses,
    // Its tools are a shell: it reads and edits with commands.
    prompt: ({ file }) => `Run the command 'cat ${file}', then run the command 'sed -i s/amber/violet/ ${file}'`,
    // The demo model quotes four lines of a result, and Codex writes five before what a command printed.
    showsResultsOn: 'stderr',
    env: {},
    home: {
      '.codex/config.toml': [
        'model_provider = "other" # until now',
        'check_for_update_on_startup = false',
        '',
        '[model_providers.other]',
        'name = "Other"',
        'base_url = "http://127.0.0.1:9/v1"',
        '',
        '[analytics]',
        'enabled = false',
        '',
      ].join('\n'),
    },
    pointing: () => ['--profile', 'dragoman'],
    args: ({ pointing, prompt }) => [
      'exec',
      ...pointing,
      '--skip-git-repo-check',
      // The network namespace is the sandbox.
      '--dangerously-bypass-approvals-and-sandbox',
      ...['plugins', 'apps', 'remote_plugin', 'plugin_sharing'].flatMap((feature) => ['--disable', feature]),
      prompt,
    ],
  };
}

/** The same in WebSocket mode, which Codex uses where a provider says that it can. */
function codexSocketTurn() {
  const turn = codexTurn();
  const setting = 'model_providers.dragoman.supports_websockets=true';
  const args = (told) => ['-c', setting, ...turn.args(told)];
  return { ...turn, api: 'websocket', connectedBy: turn.api, method: 'WEBSOCKET', args };
}

function claudeTurn() {
  return {
    ...messages,
    copies: true,
    prompt: readThenEdit,
    env: { DISABLE_TELEMETRY: '1', DISABLE_ERROR_REPORTING: '1', DISABLE_AUTOUPDATER: '1' },
    home: {},
    args: ({ prompt }) => ['-p', prompt, '--allowedTools', 'Read,Edit', '--output-format', 'text'],
  };
}

function copilotTurn(wire) {
  return {
    ...wire,
    prompt: readThenEdit,
    env: { COPILOT_AUTO_UPDATE: 'false' },
    home: {},
    args: ({ prompt }) => ['-p', prompt, '--allow-all-tools', '--allow-all-paths', '--disable-client-telemetry'],
  };
}

function qwenTurn(wire) {
  const quiet = { privacy: { usageStatisticsEnabled: false }, telemetry: { enabled: false } };
  return {
    ...wire,
    prompt: readThenEdit,
    env: {},
    home: { '.qwen/settings.json': JSON.stringify(quiet, null, 2) },
    args: ({ prompt }) => ['-y', prompt],
  };
}

function continueTurn() {
  return {
    ...chat,
    prompt: readThenEdit,
    env: { CONTINUE_TELEMETRY_ENABLED: '0' },
    home: {},
    pointing: ({ home }) => ['--config', `${home}/.continue/config.yaml`],
    args: ({ pointing, prompt }) => [...pointing, '--auto', '-p', prompt],
  };
}

function piTurn(wire) {
  return {
    ...wire,
    prompt: readThenEdit,
    env: { PI_OFFLINE: '1' },
    home: {},
    pointing: ({ model }) => ['--provider', 'dragoman', '--model', model],
    args: ({ pointing, prompt }) => ['--offline', '--no-session', ...pointing, '-p', prompt],
  };
}

function clineTurn(wire, provider) {
  return {
    ...wire,
    prompt: readThenEdit,
    env: {},
    home: {},
    pointing: ({ model }) => ['-P', provider, '-m', model],
    args: ({ pointing, work, prompt }) => [...pointing, '--auto-approve', 'true', '-t', '40', '-c', work, prompt],
  };
}
