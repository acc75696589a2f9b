import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The files in a workspace folder, by name, as texts. */
export async function filesIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = await readdir(folder);
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')])),
  );
}

/** Takes out what an earlier task has left. */
export async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
}
