import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { codeOf } from '../code-of.ts';
import { ConfigError } from '../config/problem.ts';
import { compareReplies } from '../recordings/compare-replies.ts';
import { readRecording } from '../recordings/read-recording.ts';
import { RecordingError } from '../recordings/recording.ts';
import { replayRecording } from '../recordings/replay-recording.ts';
import { CommandError, type Terminal } from './terminal.ts';

/** `dragoman replay`: runs recordings again, offline. The exit code is 0 only when every client is told the same. */
export async function replayRecordings(terminal: Terminal, files: readonly string[]): Promise<number> {
  let same = 0;
  for (const file of files) if (await replayFile(terminal, file)) same += 1;
  if (files.length > 1) terminal.stdout.write(`${same} of ${files.length} are as they were recorded\n`);
  return same === files.length ? 0 : 1;
}

async function replayFile({ stdout, cwd }: Terminal, file: string): Promise<boolean> {
  const recording = reading(file, await textOf(resolve(cwd, file), file));
  const { isSame, reply, asked } = compareReplies(recording, await replaying(file, recording));
  stdout.write(`${file}: ${isSame ? 'the client is told the same' : 'the client is told something else'}\n`);
  if (!isSame) stdout.write(`${reply}\n`);
  if (asked !== '') stdout.write(`The upstream is asked something else, which changes no reply here:\n${asked}\n`);
  return isSame;
}

function reading(file: string, text: string) {
  try {
    return readRecording(text);
  } catch (thrown) {
    if (thrown instanceof RecordingError) throw new CommandError(`${file}: ${thrown.message}`);
    throw thrown;
  }
}

async function replaying(file: string, recording: ReturnType<typeof readRecording>) {
  try {
    return await replayRecording(recording);
  } catch (thrown) {
    if (thrown instanceof ConfigError)
      throw new CommandError(`${file}: its configuration is refused:\n${thrown.message}`);
    throw thrown;
  }
}

async function textOf(path: string, file: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (thrown) {
    const code = codeOf(thrown) || String(thrown);
    throw new CommandError(`${file} cannot be read: ${code === 'ENOENT' ? 'there is no such file' : code}.`);
  }
}
