import type { Window } from './open-window.ts';
import { soon, tryUntil } from './try-until.ts';

export interface Group {
  /** The provider, as the menu names it. */
  readonly vendor: string;
  /** What is asked for, one after the other, and what is typed there. */
  readonly answers: readonly (readonly [asked: string, typed: string])[];
}

/** Adds a group of models as a person does, in the editor of language models, and closes that. */
export async function addModels({ page, inside }: Window, { vendor, answers }: Group): Promise<void> {
  await inside(({ commands }) => commands.executeCommand('workbench.action.chat.manage'));
  const question = page.locator('.quick-input-widget');
  const item = page.getByRole('menuitem', { name: vendor, exact: true });
  await tryUntil(
    () => question.isVisible(),
    async () => {
      if (!(await item.isVisible())) return page.getByRole('button', { name: 'Add Models' }).click(soon);
      // A menu ignores clicks while it opens, but not keys.
      await item.hover(soon);
      await page.keyboard.press('Enter');
    },
  );
  for (const [asked, typed] of answers) {
    await question.filter({ hasText: asked }).waitFor();
    await question.locator('input:visible').fill(typed);
    await page.keyboard.press('Enter');
  }
  await question.waitFor({ state: 'hidden' });
  await inside(({ commands }) => commands.executeCommand('workbench.action.closeModalEditor'));
}
