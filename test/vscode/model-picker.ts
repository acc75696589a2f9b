import type { Locator } from 'playwright-core';
import type { Window } from './open-window.ts';
import { soon, tryUntil } from './try-until.ts';

/** A model as the picker names it, and the endpoint or note that is beside the name. */
export type PickerRow = readonly [name: string, beside: string];

/**
 * Opens the picker below the chat's input with all its models, and resolves with the rows of these when they are there. The
 * picker lists what was known when it opened, and folds most away or not, as it was left.
 */
export async function openModelPicker(
  { page, inside }: Window,
  rows: readonly PickerRow[],
): Promise<readonly Locator[]> {
  const picker = page.locator('.action-widget').first();
  const folded = picker.locator('.monaco-list-row[aria-expanded="false"]', { hasText: 'Other Models' });
  const found = rows.map(([name, beside]) =>
    picker.locator('.monaco-list-row', { hasText: name }).filter({ hasText: beside }).first(),
  );
  await tryUntil(
    async () => (await Promise.all(found.map((row) => row.isVisible()))).every((isShown) => isShown),
    async () => {
      if (await folded.isVisible()) await folded.click(soon);
      else if (await picker.isVisible()) await page.keyboard.press('Escape');
      else await inside(({ commands }) => commands.executeCommand('workbench.action.chat.openModelPicker'));
    },
  );
  return found;
}
