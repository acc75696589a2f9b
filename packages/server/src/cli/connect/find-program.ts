import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Terminal } from '../terminal.ts';
import { clients } from './clients.ts';
import type { Launch } from './connection.ts';

/** The first agent, by its id, that `launch` can start and that is installed; undefined where none is. */
export function installedAgent(terminal: Pick<Terminal, 'env'>): string | undefined {
  return [...clients.values()].find(({ launch }) => launch !== undefined && findProgram(terminal, launch) !== undefined)
    ?.id;
}

/** Where a program is: in the folders of PATH, or where its own installer puts it. */
export function findProgram(
  { env }: Pick<Terminal, 'env'>,
  { program, places = [] }: Launch,
  platform: string = process.platform,
): string | undefined {
  const home = env.HOME ?? env.USERPROFILE ?? homedir();
  const endings = platform === 'win32' ? (env.PATHEXT ?? '.COM;.EXE;.BAT;.CMD').split(';') : [''];
  const folders = [
    ...(env.PATH ?? env.Path ?? '').split(platform === 'win32' ? ';' : ':'),
    ...places.map((place) => join(home, place)),
  ];
  const files = folders.flatMap((folder) => endings.map((ending) => join(folder, `${program}${ending}`)));
  return files.find((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true);
}
