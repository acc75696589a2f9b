import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import type { Terminal } from '../terminal.ts';
import type { FilePlace } from './connection.ts';

/** Where a client's file is, or would be, on this machine. */
export function findFile(place: FilePlace, { env }: Terminal, platform: string = process.platform): string {
  const moved = place.movedBy === undefined ? undefined : env[place.movedBy];
  if (moved !== undefined && moved !== '') return join(moved, basename(place.home[0]));
  const home = env.HOME ?? env.USERPROFILE ?? homedir();
  const elsewhere = platform === 'darwin' ? place.darwin : platform === 'win32' ? place.win32 : undefined;
  if (elsewhere !== undefined) return join(home, elsewhere);
  const files = place.home.map((each) => join(home, each));
  return files.find((file) => existsSync(file)) ?? join(home, place.home[0]);
}
