import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Terminal } from './terminal.ts';

/** Where we keep what is ours: in the folder that programs keep their state in on this system. */
export function stateFolder({ env }: Pick<Terminal, 'env'>, platform: string = process.platform): string {
  const home = env.HOME ?? env.USERPROFILE ?? homedir();
  const folder =
    platform === 'win32'
      ? env.LOCALAPPDATA || join(home, 'AppData', 'Local')
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : join(home, '.local', 'state');
  return join(env.XDG_STATE_HOME || folder, 'dragoman');
}
