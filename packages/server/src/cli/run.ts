import { checkedWires } from '@dragoman/conformance';
import { dialects, explain, GatewayError, openaiChatClient, writeJson } from '@dragoman/core';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { createSetup } from '../config/create-setup.ts';
import { ConfigError } from '../config/problem.ts';
import type { Config } from '../config/schema.ts';
import { relayable } from '../http/relay.ts';
import { createDemoUpstream } from '../transports/scripted/demo-upstream.ts';
import { version } from '../version.ts';
import { type ConformanceFlags, checkConformance } from './conformance.ts';
import { type ConnectFlags, connect } from './connect/connect.ts';
import { apis } from './connect/connection.ts';
import { answerLines } from './json-lines.ts';
import { printModels } from './list-models.ts';
import { parseLine } from './parse-line.ts';
import { readConfig } from './read-setup.ts';
import { renderLine } from './render-line.ts';
import { serve } from './serve.ts';
import { CommandError, processTerminal, type Terminal } from './terminal.ts';

/** Runs a command line without the program's name and returns the exit code. Never throws. */
export async function run(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const outcome = { code: 0 };
  try {
    await program(terminal, outcome).parseAsync([...args], { from: 'user' });
    return outcome.code;
  } catch (thrown) {
    // Commander has told its own complaints already.
    if (thrown instanceof CommanderError) return thrown.exitCode;
    // Whoever reads our output has seen enough, as `head` does.
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'EPIPE') return 1;
    terminal.stderr.write(`${messageOf(thrown)}\n`);
    return 1;
  }
}

function program(terminal: Terminal, outcome: { code: number }): Command {
  const root = new Command('dragoman')
    .description('The interpreter between any agent and any model: native tool calling over every API.')
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void terminal.stderr.write(text),
      // One line, whatever commander appends.
      outputError: (text, write) => write(`${asSentence(text.trim().replaceAll('\n', ' '))} See: dragoman --help\n`),
    });
  const code = async (action: Promise<number> | number): Promise<void> => {
    outcome.code = await action;
  };
  addServe(root, (flags) => code(serve(terminal, flags)));
  root
    .command('parse')
    .description('Reads model replies, one JSON object a line, and tells the text and the calls in them.')
    .requiredOption('--jsonl', 'one JSON object a line: {id, dialect, tools, text, cuts}')
    .addHelpText(
      'after',
      examples(`echo '{"id":1,"dialect":"hermes","tools":[],"text":"Hello","cuts":"chars"}' | dragoman parse --jsonl`),
    )
    .action(() => code(answerLines(terminal, parseLine)));
  root
    .command('render')
    .description('Writes Chat Completions requests, one a line, as a text-only model would get them.')
    .requiredOption('--jsonl', 'one JSON object a line: {id, dialect, request}')
    .addHelpText(
      'after',
      examples(
        `echo '{"id":1,"dialect":"hermes","request":{"messages":[{"role":"user","content":"Hi"}]}}' | dragoman render --jsonl`,
      ),
    )
    .action(() => code(answerLines(terminal, renderLine)));
  root
    .command('explain')
    .description('Prints the plan for a request on standard input and what the upstream would get. Sends nothing.')
    .option('--config <file>', 'the configuration file')
    .addHelpText('after', examples('dragoman explain --config dragoman.json < request.json'))
    .action((flags: { config?: string }) => code(explainRequest(terminal, flags)));
  root
    .command('models')
    .description('Asks the upstreams for their models and lists those that clients would see.')
    .option('--config <file>', 'the configuration file')
    .addHelpText('after', examples('dragoman models', 'dragoman models --config dragoman.json'))
    .action((flags: { config?: string }) => code(printModels(terminal, flags)));
  root
    .command('dialects')
    .description('Lists the ways in which models write tool calls that are understood.')
    .addHelpText('after', examples('dragoman dialects'))
    .action(() => code(listDialects(terminal)));
  addConnect(root, (client, flags) => code(connect(terminal, client, flags)));
  root
    .command('check-config')
    .description('Checks a configuration file and names every mistake in it.')
    .argument('<file>', 'the configuration file')
    .addHelpText('after', examples('dragoman check-config dragoman.json'))
    .action((file: string) => code(checkConfig(terminal, file)));
  addConformance(root, (address, flags) => code(checkConformance(terminal, address, flags)));
  return root;
}

/** Commander ends some of its complaints, and others not. */
function asSentence(text: string): string {
  return ['.', ')', '?'].some((end) => text.endsWith(end)) ? text : `${text}.`;
}

function addServe(
  root: Command,
  act: (flags: { config?: string; host?: string; port?: number }) => Promise<void>,
): void {
  root
    .command('serve')
    .description('Serves the gateway until it is told to stop.')
    .option('--config <file>', 'the configuration file; default: dragoman.json or dragoman.jsonc in this folder')
    .option('--port <number>', 'the port to listen on; 0 picks a free one', readPort)
    .option('--host <address>', 'the address to listen on; other than loopback needs a key')
    .addHelpText('after', examples('dragoman serve', 'dragoman serve --config dragoman.json --port 8080'))
    .action(act);
}

function addConformance(root: Command, act: (address: string, flags: ConformanceFlags) => Promise<void>): void {
  root
    .command('conformance')
    .description('Checks whether a server keeps the rules of the chat APIs that it serves, and prints a matrix.')
    .argument('<address>', 'where its APIs begin, with or without /v1')
    .option('--model <name>', 'the model to ask; default: the first of its list')
    .option('--key <key>', 'its API key, or env:NAME for the variable that holds it')
    .option('--only <apis>', `some of ${checkedWires.join(', ')}; with commas`)
    .option('--json', 'prints everything that was found as JSON')
    .option('--timeout <seconds>', 'how long the server may say nothing', readSeconds, 60)
    .addHelpText(
      'after',
      examples(
        'dragoman conformance http://127.0.0.1:11434',
        'dragoman conformance https://api.openai.com/v1 --model gpt-5-mini --key env:OPENAI_API_KEY',
      ),
    )
    .action(act);
}

function addConnect(root: Command, act: (client: string | undefined, flags: ConnectFlags) => Promise<void>): void {
  root
    .command('connect')
    .description(
      'Prints how to point a client at the gateway, or writes it into its settings. Without a name: lists them.',
    )
    .argument('[client]', 'such as opencode, codex or openai-sdk')
    .option('--write', 'writes it into the file of the client, after showing what changes')
    .option('--yes', 'writes without asking')
    .option('--api <name>', `which API the client should speak, of those that it can: ${apis.join(', ')}`)
    .option('--model <name>', 'the model to begin with; default: the first that is configured')
    .option('--url <address>', 'where the gateway is; default: where the configuration says that it listens')
    .option('--key-env <variable>', "the environment variable that holds the gateway's key")
    .option('--config <file>', "the gateway's configuration file")
    .addHelpText(
      'after',
      examples('dragoman connect opencode', 'dragoman connect codex --model local/qwen2.5-7b --write'),
    )
    .action(act);
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= 3600)) throw new InvalidArgumentError('It must be a number of seconds up to 3600.');
  return seconds;
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new InvalidArgumentError('It must be a whole number up to 65535.');
  return port;
}

function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

async function explainRequest(terminal: Terminal, flags: { config?: string }): Promise<number> {
  const { config } = readConfig(terminal, flags);
  const { setup } = createSetup(config, { env: terminal.env, demo: createDemoUpstream() });
  const body = await readInput(terminal);
  const request = openaiChatClient.readRequest(body);
  const relay = request.stream ? relayable(body, { wire: openaiChatClient, request }) : undefined;
  terminal.stdout.write(`${writeJson(explain(request, setup, relay), 2)}\n`);
  return 0;
}

async function readInput({ stdin }: Terminal): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new CommandError('Standard input is not a JSON request; use: dragoman explain < request.json');
  }
}

function listDialects({ stdout }: Terminal): number {
  const width = Math.max(...[...dialects.keys()].map((id) => id.length));
  for (const { id, summary } of dialects.values()) stdout.write(`${id.padEnd(width)}  ${summary}\n`);
  return 0;
}

function checkConfig(terminal: Terminal, file: string): number {
  const { config } = readConfig(terminal, { config: file });
  terminal.stdout.write(`${file} is valid: ${contentsOf(config)}.\n`);
  return 0;
}

/** What a configuration holds, such as `1 upstream, 2 models, 1 alias, and the demo`. */
function contentsOf({ upstreams, models, demo }: Config): string {
  const count = (number: number, word: string, plural = `${word}s`) => `${number} ${number === 1 ? word : plural}`;
  const listed = Object.values(upstreams).reduce((sum, each) => sum + Object.keys(each.models).length, 0);
  const parts = [
    count(Object.keys(upstreams).length, 'upstream'),
    count(listed, 'model'),
    count(Object.keys(models).length, 'alias', 'aliases'),
  ];
  return `${parts.join(', ')}${demo ? ', and the demo' : ''}`;
}

function messageOf(thrown: unknown): string {
  if (thrown instanceof ConfigError || thrown instanceof CommandError || thrown instanceof GatewayError) {
    return thrown.message;
  }
  return thrown instanceof Error ? `dragoman failed: ${thrown.stack ?? thrown.message}` : String(thrown);
}
