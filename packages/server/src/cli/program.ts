import { Command, InvalidArgumentError, Option } from 'commander';
import { memberVariable } from '../processes/member.ts';
import { version } from '../version.ts';
import type { ChatFlags } from './chat/chat.ts';
import type { ConformanceFlags } from './conformance.ts';
import type { ConnectFlags } from './connect/connect.ts';
import { apis } from './connect/connection.ts';
import type { LaunchFlags } from './connect/launch.ts';
import { addDialectCommands, type CommandContext } from './dialect-commands.ts';
import type { ExplainFlags } from './explain-request.ts';
import { examples, ownCommand } from './how-started.ts';
import type { ContextFlags } from './print-context.ts';
import type { ProbeFlags } from './probe/probe.ts';
import type { PromptsFlags } from './prompts.ts';
import type { RecordFlags } from './record-exchange.ts';
import type { ServeFlags } from './serve.ts';
import { type Terminal, UsageError } from './terminal.ts';

/**
 * The command line. What a command needs is loaded when it runs: a gateway that serves has no use for what writes the
 * settings of clients. The exit code of what ran is left in `outcome`; `behind` is what a program gets that it starts.
 */
export function createProgram(
  terminal: Terminal,
  { outcome, after = [] }: { readonly outcome: { code: number }; readonly after?: readonly string[] },
): Command {
  const root = new Command('dragoman')
    .description(
      'An OpenAI-compatible gateway (a proxy) that gives every model tool calling (function calling), over every API that agents speak.',
    )
    .version(version, '-v, --version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void terminal.stderr.write(text),
      outputError: complaint('help'),
    });
  const code = async (action: Promise<number> | number): Promise<void> => {
    outcome.code = await action;
  };
  root.commandsGroup('Use it:');
  const running: CommandContext = { terminal, code };
  addServe(root, running);
  addLaunch(root, running, after);
  addConnect(root, running);
  addChat(root, running);
  root.commandsGroup('Set it up:');
  root
    .command('init')
    .description('Asks a few questions, proposes what it finds, and writes a configuration into this folder.')
    .addHelpText('after', examples('dragoman init'))
    .action(async () => code((await import('./init/init.ts')).init(terminal)));
  root
    .command('check-config')
    .description('Checks a configuration file and names every mistake in it.')
    .argument('[file]', 'the configuration file; default: the one that the gateway would read')
    .addHelpText('after', examples('dragoman check-config', 'dragoman check-config dragoman.json'))
    .action(async (file: string | undefined) => code((await import('./check-config.ts')).checkConfig(terminal, file)));
  root
    .command('doctor')
    .description(
      'Looks at all that a first request needs, from the configuration to the settings of clients, and says what is wrong and what to do.',
    )
    .option('--config <file>', 'the configuration file')
    .option('--json', 'prints what was found as a list in JSON')
    .addHelpText('after', examples('dragoman doctor', 'dragoman doctor --config dragoman.json --json'))
    .action(async (flags: { config?: string; json?: boolean }) =>
      code((await import('./doctor/doctor.ts')).doctor(terminal, flags)),
    );
  root
    .command('models')
    .description('Asks the upstreams for their models and lists those that clients would see.')
    .option('--config <file>', 'the configuration file')
    .option('--json', 'prints them as a list in JSON')
    .addHelpText('after', examples('dragoman models', 'dragoman models --config dragoman.json'))
    .action(async (flags: { config?: string; json?: boolean }) =>
      code((await import('./list-models.ts')).printModels(terminal, flags)),
    );
  addProbe(root, running);
  root
    .command('completion')
    .description('Prints a script for your shell, with which TAB completes commands and options.')
    .argument('<shell>', 'bash, zsh, fish or powershell')
    .addHelpText('after', examples('dragoman completion bash >> ~/.bashrc', 'dragoman completion fish | source'))
    .action(async (shell: string) => code(printCompletion(terminal, shell)));
  root
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(async (words: readonly string[]) => {
      const { complete } = await import('./completion.ts');
      terminal.stdout.write(
        complete(root, words)
          .map((word) => `${word}\n`)
          .join(''),
      );
    });
  root.commandsGroup('Look into it:');
  root
    .command('explain')
    .description(
      'Prints what becomes of a Chat Completions request on standard input: the plan, and what the upstream would get. Asks upstreams for their lists, and sends nothing else.',
    )
    .option('--config <file>', 'the configuration file')
    .option('--as <name>', 'the name of the key that asks, where there are several: conversations belong to keys')
    .addHelpText(
      'after',
      examples(
        `echo '{"model":"demo","messages":[{"role":"user","content":"Hi"}]}' | dragoman explain`,
        'dragoman explain --config dragoman.json < request.json',
      ),
    )
    .action(async (flags: ExplainFlags) =>
      code((await import('./explain-request.ts')).explainRequest(terminal, flags)),
    );
  addDialectCommands(root, running);
  root
    .command('prompts')
    .description('Lists the prompt templates and their variables, prints one, or writes them as files to start from.')
    .argument('[template]', 'such as first-tools')
    .option('--write <folder>', 'writes the built-in templates into a folder')
    .addOption(new Option('--json', 'prints templates with their texts, and variables, as JSON').conflicts('write'))
    .addHelpText('after', examples('dragoman prompts', 'dragoman prompts results', 'dragoman prompts --write prompts'))
    .action(async (template: string | undefined, flags: PromptsFlags) =>
      code((await import('./prompts.ts')).showPrompts(terminal, { ...flags, template })),
    );
  addContext(root, running);
  addReaderOptions(root.command('record'))
    .description('Writes a recorded exchange as one file, with which it can be run again: for bug reports and tests.')
    .argument('[name]', 'any id of it; or last', 'last')
    .option('-o, --output <file>', 'the file; default: standard output')
    .addHelpText(
      'after',
      examples('dragoman record last -o broken.json', 'dragoman record err_1f2e3d4c5b6a7988 -o it.json'),
    )
    .action(async (name: string, flags: RecordFlags) =>
      code((await import('./record-exchange.ts')).recordExchange(terminal, name, flags)),
    );
  root
    .command('replay')
    .description('Runs recorded exchanges again, offline, and shows where the client would get something else.')
    .argument('<files...>', 'what dragoman record has written')
    .addHelpText('after', examples('dragoman replay broken.json'))
    .action(async (files: readonly string[]) =>
      code((await import('./replay-recordings.ts')).replayRecordings(terminal, files)),
    );
  addConformance(root, running);
  root.helpCommand('help [command]', 'Prints the help of a command.');
  for (const command of root.commands) command.configureOutput({ outputError: complaint(`help ${command.name()}`) });
  return root;
}

async function printCompletion({ stdout }: Terminal, shell: string): Promise<number> {
  const { completionScript, shells } = await import('./completion.ts');
  const script = completionScript(shell);
  if (script === undefined)
    throw new UsageError(`There is no completion for "${shell}"; there is for ${shells.join(', ')}.`);
  stdout.write(script);
  return 0;
}

/** Writes a complaint of commander's in one line, whatever it appends, and names the help that tells how it is done. */
function complaint(help: string) {
  return (text: string, write: (line: string) => void): void => {
    const forAgent = help === 'help launch' ? ' What the agent itself gets comes after "--".' : '';
    write(`${asSentence(text.trim().replaceAll('\n', ' '))}${forAgent} See: ${ownCommand} ${help}\n`);
  };
}

/** Commander ends some of its complaints, and others not. */
function asSentence(text: string): string {
  return ['.', ')', '?'].some((end) => text.endsWith(end)) ? text : `${text}.`;
}

function addServe(root: Command, { terminal, code }: CommandContext): void {
  root
    .command('serve')
    .description('Starts the gateway, until you stop it with Ctrl-C or a signal. "dragoman" alone does the same.')
    .option('--config <file>', 'the configuration file; default: dragoman.json or dragoman.jsonc in this folder')
    .option(
      '--port <number>',
      'the port to listen on; 0 picks a free one',
      whole(0, 65_535, 'It must be a whole number up to 65535.'),
    )
    .option('--host <address>', 'the address to listen on; other than loopback needs a key')
    .option('--demo', 'serves the built-in demo model and looks for no other')
    .option(
      '--workers <number>',
      'how many processes serve; several need a database as "store"',
      whole(1, 1024, 'It must be a whole number from 1 to 1024.'),
    )
    .addHelpText(
      'after',
      examples('dragoman serve', 'dragoman serve --demo', 'dragoman serve --config dragoman.json --port 8080'),
    )
    .action(async (flags: ServeFlags) => {
      const isTogether = (flags.workers ?? 1) > 1 && terminal.env[memberVariable] === undefined;
      if (isTogether) return code((await import('./serve-together.ts')).serveTogether(terminal, flags));
      await loadCompiled();
      // Until it has warmed up: what is loaded and tried makes many objects, of which few stay.
      (await import('../http/garbage.ts')).keepYoungSmall();
      return code((await import('./serve.ts')).serve(terminal, flags));
    });
}

/**
 * What serving needs of Node's own modules. Node has them compiled, for the flags that it was started with: when one has been set, it
 * compiles what is still missing.
 */
async function loadCompiled(): Promise<void> {
  await Promise.all([
    import('node:buffer'),
    import('node:cluster'),
    import('node:crypto'),
    import('node:dns'),
    import('node:fs/promises'),
    import('node:http'),
    import('node:net'),
    import('node:os'),
    import('node:util'),
    import('node:zlib'),
  ]);
}

function addChat(root: Command, { terminal, code }: CommandContext): void {
  root
    .command('chat')
    .description(
      'Starts an agent in the terminal that works on a folder: it reads, searches and, when you agree, changes files.',
    )
    .argument('[folder]', 'the folder it works on', '.')
    .option('--model <name>', 'the model to ask; default: the first that there is')
    .option(
      '--url <address>',
      'the server to ask; default: a gateway that runs here, the configuration, or what runs here',
    )
    .option('--key <key>', 'its API key, or env:NAME for the variable that holds it')
    .option('--config <file>', 'the configuration file whose models are asked where no gateway runs')
    .option('--dialect <id>', 'how the model writes its calls, where its server takes no tools')
    .option('--context-window <tokens>', 'the window of the model, where nobody knows it', readTokens)
    .option('--continue', 'goes on with the chat that was used last in this folder')
    .addOption(
      new Option('--resume <id>', 'goes on with this chat; the beginning of its id is enough').conflicts('continue'),
    )
    .option('--print <question>', 'prints the answer and ends; without it, a question on standard input does the same')
    .option('--json', 'prints one line of JSON for each event')
    .option(
      '--mcp <file>',
      'MCP servers whose tools it has, in the form that MCP clients share; you are asked before each call',
    )
    .option(
      '--tools <folder>',
      'scripts that become tools; they run isolated, and you are asked before one runs for the first time',
    )
    .option('--approve-all', 'makes all changes and calls without asking')
    .addHelpText(
      'after',
      examples(
        'dragoman chat',
        'dragoman chat notes --model qwen3:8b',
        'dragoman chat notes --print "What is open in todo.md?"',
      ),
    )
    .action(async (folder: string, flags: ChatFlags) =>
      code((await import('./chat/chat.ts')).chat(terminal, folder, flags)),
    );
}

/** The core knows them, and is not loaded for help. */
const checkedApis = ['openai-chat', 'openai-completions', 'openai-responses', 'anthropic-messages', 'ollama-chat'];

function addConformance(root: Command, { terminal, code }: CommandContext): void {
  root
    .command('conformance')
    .description('Checks whether a server keeps the rules of the chat APIs that it serves, and prints a table.')
    .argument('<address>', 'where its APIs begin, with or without /v1')
    .option('--model <name>', 'the model to ask; default: the first of its list')
    .option('--key <key>', 'its API key, or env:NAME for the variable that holds it')
    .option('--only <apis>', `some of ${checkedApis.join(', ')}; with commas`)
    .option('--json', 'prints everything that was found as JSON')
    .option(
      '--timeout <seconds>',
      'how long the server may be silent',
      above0(3600, 'It must be a number of seconds up to 3600.'),
      60,
    )
    .addHelpText(
      'after',
      examples(
        'dragoman conformance http://127.0.0.1:11434',
        'dragoman conformance https://api.openai.com/v1 --model gpt-5-mini --key env:OPENAI_API_KEY',
      ),
    )
    .action(async (address: string, flags: ConformanceFlags) =>
      code((await import('./conformance.ts')).checkConformance(terminal, address, flags)),
    );
}

function addProbe(root: Command, { terminal, code }: CommandContext): void {
  root
    .command('probe')
    .description('Measures how well a model calls tools, natively and as text, and proposes the rule for it.')
    .argument('[model]', 'the model; default: the one that a request without a model gets')
    .option('--times <number>', 'how often each task is asked in each mode', readCount, 3)
    .option('--minutes <number>', 'ends after so many minutes; the same command goes on', readPositive, 30)
    .option('--tokens <number>', 'ends after so many tokens, read and written', readPositive, 2_000_000)
    .option(
      '--modes <list>',
      'what to measure: native, or ids of dialects, with commas; default: those that may fit the model',
    )
    .option('--again', 'begins again, and does not go on where the last run ended')
    .option('--write', 'writes the proposed rule into the configuration')
    .option(
      '--compare <run>',
      'compares the run with the last one ("last"), an earlier one by its name, or a file that --json has printed',
    )
    .option('--config <file>', 'the configuration file')
    .option('--json', 'prints everything that was found as JSON')
    .addOption(new Option('--markdown', 'prints the report as Markdown').conflicts('json'))
    .addHelpText(
      'after',
      examples(
        'dragoman probe',
        'dragoman probe qwen3:8b --minutes 10 --write',
        'dragoman probe local/qwen2.5-7b --again --compare last',
      ),
    )
    .action(async (model: string | undefined, flags: ProbeFlags) =>
      code((await import('./probe/probe.ts')).probe(terminal, model, flags)),
    );
}

function addContext(root: Command, { terminal, code }: CommandContext): void {
  addReaderOptions(root.command('context'))
    .description(
      'Prints what the model saw and said in a conversation or an exchange, as it was recorded, ids included.',
    )
    .argument('[name]', 'any id of it: of a conversation, record, request, reply or error; or last', 'last')
    .option('--last <number>', 'only so many of its latest exchanges', readCount)
    .option('--json', 'prints the records as they are, one in a line')
    .addHelpText('after', examples('dragoman context', 'dragoman context chatcmpl-1f2e3d4c5b6a79880011aabb --last 1'))
    .action(async (name: string, flags: ContextFlags) =>
      code((await import('./print-context.ts')).printContext(terminal, name, flags)),
    );
}

/** Options of commands that read records. */
function addReaderOptions(command: Command): Command {
  return command
    .option('--config <file>', 'the configuration file, whose store is read')
    .option('--url <address>', 'a running gateway to ask instead; it alone knows what is kept in memory')
    .option('--key <key>', 'its API key, or env:NAME for the variable that holds it');
}

function addLaunch(root: Command, { terminal, code }: CommandContext, args: readonly string[]): void {
  root
    .command('launch')
    .usage('[agent] [model] [options] [-- what the agent itself gets]')
    .description(
      'Starts an agent with a model for this run, and a gateway where none runs. The settings of the agent stay as they are. Without a name: lists the agents.',
    )
    .argument('[agent]', 'such as claude, codex or opencode')
    .argument('[model]', 'the model to begin with; default: the first that there is')
    .option('--json', 'without a name: lists them as JSON')
    .option('--url <address>', 'where the gateway is; default: where the configuration says that it listens')
    .option('--context-window <tokens>', 'the window of the model, where nobody knows it', readTokens)
    .option('--key-env <variable>', "the environment variable that holds the gateway's key")
    .option('--config <file>', "the gateway's configuration file")
    .addHelpText(
      'after',
      examples('dragoman launch', 'dragoman launch opencode', 'dragoman launch claude qwen3:8b -- --continue'),
    )
    .action(async (agent: string | undefined, model: string | undefined, flags: Omit<LaunchFlags, 'args'>) => {
      const { launch } = await import('./connect/launch.ts');
      return code(launch(terminal, agent, { ...flags, args, ...(model === undefined ? {} : { model }) }));
    });
}

function addConnect(root: Command, { terminal, code }: CommandContext): void {
  root
    .command('connect')
    .description(
      'Prints how to point a client at the gateway, or writes it into its settings. Without a name: lists the clients.',
    )
    .argument('[client]', 'such as opencode, codex or openai-sdk')
    .option('--json', 'without a name: lists them as JSON')
    .option('--write', 'writes it into the file of the client, after showing what changes')
    .addOption(
      new Option('--undo', 'takes back what --write has written, where it is still there, after showing what changes')
        // They say what to write.
        .conflicts(['write', 'api', 'model', 'url', 'contextWindow', 'keyEnv', 'config']),
    )
    .option('--yes', 'writes without asking')
    .option('--api <name>', `which API the client should speak, of those that it can: ${apis.join(', ')}`)
    .option('--model <name>', 'the model to begin with; default: the first that is configured')
    .option('--url <address>', 'where the gateway is; default: where the configuration says that it listens')
    .option('--context-window <tokens>', 'the window of the model, where nobody knows it', readTokens)
    .option('--key-env <variable>', "the environment variable that holds the gateway's key")
    .option('--config <file>', "the gateway's configuration file")
    .addHelpText(
      'after',
      examples(
        'dragoman connect opencode',
        'dragoman connect codex --model local/qwen2.5-7b --write',
        'dragoman connect codex --undo',
      ),
    )
    .action(async (client: string | undefined, flags: ConnectFlags) =>
      code((await import('./connect/connect.ts')).connect(terminal, client, flags)),
    );
}

/** Reads a whole number within bounds. */
function whole(from: number, to: number, complaint: string) {
  return (text: string): number => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= from && number <= to) return number;
    throw new InvalidArgumentError(complaint);
  };
}

/** Reads a number above 0, up to a bound. */
function above0(to: number, complaint: string) {
  return (text: string): number => {
    const number = Number(text);
    if (number > 0 && number <= to) return number;
    throw new InvalidArgumentError(complaint);
  };
}

const readCount = whole(1, 99, 'It must be a number from 1 to 99.');
const readTokens = whole(1024, Number.POSITIVE_INFINITY, 'It must be a number of tokens from 1024.');
const readPositive = above0(Number.MAX_VALUE, 'It must be a number above 0.');
