import { isObject } from '../chat/read-message.ts';
import type { Change } from '../vault/change.ts';
import type { Files } from './files.ts';
import { writeAtomically } from './files.ts';

/** The ids of the chats that have a file. */
export async function chatIds(files: Files): Promise<readonly string[]> {
  const names = await files.list('chats');
  return names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));
}

/**
 * The changes of one chat, each in a file of its own in `undo/<chat>/`. It is written before the change is made: what a
 * program that ended has not made any more is found so by `undo`, which compares first.
 */
export class ChangeLog {
  readonly #files: Files;
  readonly #chatId: string;
  readonly #folder: string;

  constructor({ files, chatId }: { readonly files: Files; readonly chatId: string }) {
    this.#files = files;
    this.#chatId = chatId;
    this.#folder = `undo/${chatId}`;
  }

  /** All changes, oldest first. Damaged files are passed over. */
  async list(): Promise<readonly Change[]> {
    const names = (await this.#files.list(this.#folder)).filter((name) => name.endsWith('.json')).sort();
    const found: Change[] = [];
    for (const name of names) {
      const change = await this.find(name.slice(0, -'.json'.length));
      if (change !== undefined) found.push(change);
    }
    return found;
  }

  async find(id: string): Promise<Change | undefined> {
    if (id === '' || id.includes('/')) return undefined;
    try {
      const value: unknown = JSON.parse(await this.#files.read(this.#pathOf(id)));
      return isChange(value) ? { ...value, id } : undefined;
    } catch {
      return undefined;
    }
  }

  async add(change: Omit<Change, 'id'>): Promise<Change> {
    const numbers = (await this.#files.list(this.#folder)).map((name) => Number.parseInt(name, 10) || 0);
    const number = Math.max(0, ...numbers) + 1;
    // Another window may take the same number at this moment.
    const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
    const added = { ...change, id: `${String(number).padStart(6, '0')}-${random.toString(36)}` };
    await this.#write(added);
    return added;
  }

  /** In all chats that show it. */
  async markUndone(change: Change): Promise<Change> {
    const undone: Change = { ...change, undone: true };
    await this.#write(undone);
    if (change.shared !== true) return undone;
    for (const chatId of await chatIds(this.#files)) {
      const other = new ChangeLog({ files: this.#files, chatId });
      if (chatId !== this.#chatId && (await other.find(change.id)) !== undefined) await other.#write(undone);
    }
    return undone;
  }

  /** Another chat shows the same calls: what they changed can be taken back from both. */
  async share(chatId: string, callIds: ReadonlySet<string>): Promise<void> {
    const other = new ChangeLog({ files: this.#files, chatId });
    for (const change of await this.list()) {
      if (!callIds.has(change.callId)) continue;
      const shared: Change = { ...change, shared: true };
      await other.#write(shared);
      if (change.shared !== true) await this.#write(shared);
    }
  }

  async remove(id: string): Promise<void> {
    await this.#files.delete(this.#pathOf(id)).catch(() => {});
  }

  /** Forgets all. */
  async clear(): Promise<void> {
    for (const name of await this.#files.list(this.#folder)) await this.#files.delete(`${this.#folder}/${name}`);
  }

  async #write(change: Change): Promise<void> {
    await writeAtomically(this.#files, { path: this.#pathOf(change.id), text: JSON.stringify(change) });
  }

  #pathOf(id: string): string {
    return `${this.#folder}/${id}.json`;
  }
}

const isText = (value: unknown) => value === undefined || typeof value === 'string';

function isChange(value: unknown): value is Change {
  if (!isObject(value)) return false;
  const { kind, path, callId, at, to, before, after } = value;
  const isKind = kind === 'create' || kind === 'change' || kind === 'move' || kind === 'delete';
  const isFull = typeof path === 'string' && typeof callId === 'string' && typeof at === 'number';
  return isKind && isFull && isText(to) && isText(before) && isText(after);
}
