import { once } from 'node:events';
import { CommandError, type Terminal } from './terminal.ts';

/** The longest text that is read from standard input as a whole, in UTF-16 units. */
const longestText = 64 * 1024 * 1024;

/** All of standard input: bytes as UTF-8, whatever they hold. `what` names it in the error of one that is too long. */
export async function readInput({ stdin }: Terminal, what: string): Promise<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const pieces: string[] = [];
  let length = 0;
  for await (const chunk of stdin) {
    const piece: string = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    pieces.push(piece);
    length += piece.length;
    if (length > longestText)
      throw new CommandError(`${what} is longer than ${longestText} characters. Give less at once.`);
  }
  return pieces.join('') + decoder.decode();
}

/** The longest line that is read, in UTF-16 units. */
const longestLine = 64 * 1024 * 1024;

/**
 * Answers each line of JSON on standard input with one line on standard output, in order, as it comes and no faster than
 * it is taken. A line that cannot be answered gets `{id?, error}`. Returns the exit code: 1 if there was such a line.
 */
export async function answerLines(terminal: Terminal, answer: (input: unknown) => unknown): Promise<number> {
  let failed = false;
  for await (const line of linesOf(terminal.stdin)) {
    let output: unknown;
    let input: unknown;
    try {
      input = JSON.parse(line);
      output = answer(input);
    } catch (thrown) {
      failed = true;
      output = { ...idOf(input), error: thrown instanceof Error ? thrown.message : String(thrown) };
    }
    if (!terminal.stdout.write(`${JSON.stringify(output)}\n`)) await once(terminal.stdout, 'drain');
  }
  return failed ? 1 : 0;
}

function idOf(input: unknown): { id?: unknown } {
  return typeof input === 'object' && input !== null && 'id' in input ? { id: input.id } : {};
}

/** Lines end at LF only: JSON text may hold other separators that readers of lines like to cut at. */
async function* linesOf(input: AsyncIterable<unknown>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let length = 0;
  for await (const chunk of input) {
    const text =
      typeof chunk === 'string' ? chunk : chunk instanceof Uint8Array ? decoder.decode(chunk, { stream: true }) : '';
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      const line = pieces.join('') + text.slice(from, end);
      pieces = [];
      length = 0;
      from = end + 1;
      if (line.trim() !== '') yield line;
    }
    if (from < text.length) pieces.push(text.slice(from));
    length += text.length - from;
    if (length > longestLine)
      throw new CommandError(`A line is longer than ${longestLine} characters. Make it shorter.`);
  }
  const last = pieces.join('') + decoder.decode();
  if (last.trim() !== '') yield last;
}
