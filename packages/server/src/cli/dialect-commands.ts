import { type Command, Option } from 'commander';
import type { DeriveFlags } from './derive.ts';
import { examples } from './how-started.ts';
import type { ParseFlags } from './parse-text.ts';
import type { KnownDialects } from './read-dialects.ts';
import { answerLines } from './read-input.ts';
import type { RenderFlags } from './render-conversation.ts';
import type { DialectFlags } from './show-dialects.ts';
import type { Terminal } from './terminal.ts';

/** What commands run with. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** Takes the exit code of what runs. */
  readonly code: (action: Promise<number> | number) => Promise<void>;
}

/** Adds the commands that show dialects at work: `parse`, `render`, `dialects` and `derive`. */
export function addDialectCommands(root: Command, running: CommandContext): void {
  const { terminal, code } = running;
  addParse(root, running);
  addRender(root, running);
  addDialects(root, running);
  root
    .command('derive')
    .description('Finds out from a chat template how a model writes tool calls, and prints it as a dialect.')
    .argument('<path>', 'tokenizer_config.json, chat_template.jinja, or the folder of a model')
    .option('--json', 'prints the dialect alone, for "dialects" of the configuration')
    .addHelpText('after', examples('dragoman derive tokenizer_config.json', 'dragoman derive models/new-model --json'))
    .action(async (path: string, flags: DeriveFlags) =>
      code((await import('./derive.ts')).derive(terminal, path, flags)),
    );
}

/** What the commands that read and write dialects take a configuration for. */
const ownDialects =
  'the configuration file, whose dialects are known as well; default: dragoman.json or dragoman.jsonc in this folder';

const toolsFile = 'the tools that can be called: a list of them, or a request that declares them, as JSON';

/** What answers a line, with the dialects that it may name. */
async function knowing<Answer>(
  terminal: Terminal,
  flags: { readonly config?: string },
  answer: (input: unknown, known: KnownDialects) => Answer,
): Promise<(input: unknown) => Answer> {
  const known = (await import('./read-dialects.ts')).readDialects(terminal, flags);
  return (input) => answer(input, known);
}

function addParse(root: Command, { terminal, code }: CommandContext): void {
  root
    .command('parse')
    .description('Reads a reply of a model from standard input, and prints the text and the tool calls in it.')
    .option(
      '--dialect <id>',
      'how the model writes: the id of a dialect, or "any" for all; default: what the reply itself shows',
    )
    .option('--config <file>', ownDialects)
    .option('--tools <file>', toolsFile)
    .option('--any-tool', 'reads calls of tools that are not declared as well, where the dialect marks its calls')
    .option('--explain', 'prints what became of every character, and why what looks like a call is none')
    .option('--json', 'prints it as JSON')
    .addOption(
      // A line says itself what the other options do for a single reply.
      new Option(
        '--jsonl',
        'reads many replies instead, one JSON object a line: {id, dialect, tools, text, cuts}',
      ).conflicts(['dialect', 'tools', 'anyTool', 'explain', 'json']),
    )
    .addHelpText(
      'after',
      examples(
        'dragoman parse --any-tool --explain < reply.txt',
        'dragoman parse --dialect hermes --tools tools.json < reply.txt',
        `echo '{"id":1,"dialect":"hermes","tools":[],"text":"Hello","cuts":"chars"}' | dragoman parse --jsonl`,
      ),
    )
    .action(async (flags: ParseFlags & { jsonl?: boolean }) =>
      code(
        flags.jsonl === true
          ? answerLines(terminal, await knowing(terminal, flags, (await import('./parse-line.ts')).parseLine))
          : (await import('./parse-text.ts')).parseText(terminal, flags),
      ),
    );
}

function addRender(root: Command, { terminal, code }: CommandContext): void {
  root
    .command('render')
    .description('Writes the conversation on standard input as a model without native tool calling would get it.')
    .option('--dialect <id>', 'how the model writes, or any for what every model is taught')
    .option('--config <file>', ownDialects)
    .option('--tools <file>', toolsFile)
    .option('--json', 'prints it as JSON')
    .addOption(
      new Option(
        '--jsonl',
        'writes many Chat Completions requests instead, one JSON object a line: {id, dialect, request}',
      ).conflicts(['dialect', 'tools', 'json']),
    )
    .addHelpText(
      'after',
      `\nStandard input holds what the user says, a list of messages, or a Chat Completions request.\n${examples(
        'echo "Read a.txt" | dragoman render --dialect hermes --tools tools.json',
        'dragoman render --dialect glm < request.json',
        `echo '{"id":1,"dialect":"hermes","request":{"messages":[{"role":"user","content":"Hi"}]}}' | dragoman render --jsonl`,
      )}`,
    )
    .action(async (flags: RenderFlags & { jsonl?: boolean }) => {
      const { renderLine, renderText } = await import('./render-conversation.ts');
      return code(
        flags.jsonl === true
          ? answerLines(terminal, await knowing(terminal, flags, renderLine))
          : renderText(terminal, flags),
      );
    });
}

function addDialects(root: Command, { terminal, code }: CommandContext): void {
  root
    .command('dialects')
    .description('Lists the dialects, the ways in which models write tool calls, or prints all that one says.')
    .argument('[id]', 'such as hermes: what it writes, who writes it, what it also reads')
    .option('--config <file>', ownDialects)
    .option('--json', 'prints them as JSON')
    .addHelpText(
      'after',
      `\nids: the model gives its calls ids. parallel: several calls in a reply. streams: text in arguments leaves while it is\nwritten.\n${examples('dragoman dialects', 'dragoman dialects hermes', 'dragoman dialects --json')}`,
    )
    .action(async (id: string | undefined, flags: DialectFlags) => {
      const { listDialects, showDialect } = await import('./show-dialects.ts');
      return code(id === undefined ? listDialects(terminal, flags) : showDialect(terminal, id, flags));
    });
}
