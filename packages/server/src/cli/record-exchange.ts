import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { codeOf } from '../code-of.ts';
import { recordingText } from '../recordings/read-recording.ts';
import { RecordingError } from '../recordings/recording.ts';
import { recordingOf } from '../recordings/recording-of.ts';
import { type ReaderFlags, readingRecords, unknownName } from './print-context.ts';
import { CommandError, type Terminal } from './terminal.ts';

export interface RecordFlags extends ReaderFlags {
  /** The file; default: standard output. */
  readonly output?: string;
}

/** `dragoman record`: a recorded exchange as a file that `dragoman replay` runs again. Throws CommandError. */
export async function recordExchange(terminal: Terminal, name: string, flags: RecordFlags): Promise<number> {
  const record = await readingRecords(terminal, flags, async (reader) => {
    const [found] = await reader.list({ limit: 1, whole: true, ...(name === 'last' ? {} : { name }) });
    if (found === undefined) throw new CommandError(unknownName(name));
    return found;
  });
  try {
    await write(terminal, recordingText(recordingOf(record)), flags.output);
  } catch (thrown) {
    if (thrown instanceof RecordingError) throw new CommandError(thrown.message);
    throw thrown;
  }
  return 0;
}

async function write({ stdout, stderr, cwd }: Terminal, text: string, output: string | undefined): Promise<void> {
  if (output === undefined) {
    stdout.write(text);
    return;
  }
  try {
    await writeFile(resolve(cwd, output), text, { flag: 'wx', mode: 0o600 });
  } catch (thrown) {
    const code = codeOf(thrown) || String(thrown);
    const reason = code === 'EEXIST' ? 'there is such a file already' : code;
    throw new CommandError(`${output} cannot be written: ${reason}.`);
  }
  stderr.write(`${output}: read it before you give it away; all words are in it.\n`);
}
