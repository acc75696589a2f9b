import { type Chat, chatMarkdown } from '@dragoman/agent';
import { type App, normalizePath } from 'obsidian';

/** Writes a chat as a note, where new notes go. Resolves with its path. */
export async function exportChat(app: App, chat: Chat): Promise<string> {
  const folder = app.fileManager.getNewFileParent(app.workspace.getActiveFile()?.path ?? '').path;
  const name = fileName(chat.title);
  for (let count = 1; ; count += 1) {
    const path = normalizePath(`${folder}/${name}${count === 1 ? '' : ` ${count}`}.md`);
    if (app.vault.getAbstractFileByPath(path) !== null) continue;
    await app.vault.create(path, chatMarkdown(chat));
    return path;
  }
}

/** A title as the name of a file: without what some system or Obsidian's links do not take. */
function fileName(title: string): string {
  const plain = title
    .replaceAll(/[\\/:*?"<>|#^[\]]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return plain.replace(/^\.+/, '').slice(0, 80).trim() || 'Chat';
}
