import type { PromptSources } from '@dragoman/agent';
import { type App, MarkdownView } from 'obsidian';
import type { Settings } from './settings.ts';

/** Notes of the agent's folder that are part of every prompt; each may be missing. */
const parts = ['charter', 'rules', 'voice', 'memory'] as const;

/** What prompts are made of: the notes that a person has written for the agent, and what they look at. */
export async function readSources(app: App, settings: Settings): Promise<PromptSources> {
  const found = await Promise.all(
    parts.map(async (part) => {
      const file = app.vault.getFileByPath(`${settings.folder}/${part}.md`);
      return file === null ? [] : [[part, (await app.vault.cachedRead(file)).trim()] as const];
    }),
  );
  const file = settings.activeNote ? app.workspace.getActiveFile() : null;
  const selection = settings.selection ? selectionIn(app) : '';
  return {
    ...Object.fromEntries(found.flat().filter(([, text]) => text !== '')),
    ...(file?.extension === 'md' && { activeNote: { path: file.path, text: await app.vault.cachedRead(file) } }),
    ...(selection !== '' && { selection }),
  };
}

/** What is selected in a note. The panel may have the focus: the note that was looked at last counts. */
export function selectionIn(app: App): string {
  const active = app.workspace.getActiveFile();
  for (const { view } of app.workspace.getLeavesOfType('markdown')) {
    if (view instanceof MarkdownView && view.file === active) return view.editor.getSelection();
  }
  return '';
}
