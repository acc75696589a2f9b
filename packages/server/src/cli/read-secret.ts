import { CommandError, type Terminal } from './terminal.ts';

/** The value of `--key`: the key itself, or what `env:NAME` names. Throws CommandError for a variable that is not set. */
export function readSecret(text: string, { env }: Terminal): string {
  if (!text.startsWith('env:')) return text;
  const name = text.slice('env:'.length);
  const key = env[name];
  if (key === undefined || key === '') throw new CommandError(`--key: the environment variable ${name} is not set`);
  return key;
}
