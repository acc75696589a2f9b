import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import type { Terminal } from '../terminal.ts';
import type { FilePlace } from './connection.ts';

/** Where a client's file is, or would be, on this machine. */
export function findFile(place: FilePlace, { env }: Terminal, platform: string = process.platform): string {
  for (const { variable, folder, platform: only } of place.moves ?? []) {
    const moved = env[variable];
    if (moved === undefined || moved === '' || (only !== undefined && only !== platform)) continue;
    if (folder === undefined) return moved;
    return firstThere(place.home.map((each) => join(moved, folder, basename(each))));
  }
  const home = env.HOME ?? env.USERPROFILE ?? homedir();
  const elsewhere = platform === 'darwin' ? place.darwin : platform === 'win32' ? place.win32 : undefined;
  if (elsewhere !== undefined) return join(home, elsewhere);
  return firstThere(place.home.map((each) => join(home, each)));
}

function firstThere(files: readonly string[]): string {
  return files.find((file) => existsSync(file)) ?? files[0] ?? '';
}
