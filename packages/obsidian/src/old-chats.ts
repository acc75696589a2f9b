import { type Files, readChat } from '@dragoman/agent';
import type { DataAdapter } from 'obsidian';

export interface Import {
  /** How many chats were taken over. */
  readonly taken: number;
  /** Files that are no chats. */
  readonly left: readonly string[];
}

/**
 * Takes over chats that another plugin has left in a folder, one file of JSON each. They are copied, so the folder stays as it
 * is; the store brings them into today's form when it reads them. A chat that is here already is not taken again.
 */
export async function importChats(
  folder: string,
  { adapter, files }: { readonly adapter: DataAdapter; readonly files: Files },
): Promise<Import> {
  const here = new Set(await files.list('chats'));
  const left: string[] = [];
  let taken = 0;
  for (const path of (await adapter.list(folder)).files) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (!name.endsWith('.json') || here.has(name)) continue;
    const text = await adapter.read(path);
    const reading = readChat(text, { id: name.slice(0, -'.json'.length), now: Date.now() });
    // A list of chats is none itself.
    if ('fault' in reading || reading.chat.messages.length === 0) {
      left.push(path);
      continue;
    }
    await files.write(`chats/${name}`, text);
    taken += 1;
  }
  return { taken, left };
}
