import { ownCommand } from './how-started.ts';

/** The examples at the end of a command's help, one a line, as they can be typed here. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line.replace(/(?<=^|\| )dragoman(?= |$)/, ownCommand)}`).join('\n')}`;
}
