import { expect } from 'vitest';

/**
 * Takes steps until what they lead to is there. One step is not enough where a person would try again, too: menus ignore what
 * comes while they open, and a dialog that closes takes them along.
 */
export async function tryUntil(isThere: () => Promise<boolean>, step: () => Promise<unknown>): Promise<void> {
  const isThereAfterStep = async (): Promise<boolean> => {
    if (await isThere()) return true;
    // What it wanted to click may just have gone.
    await step().catch(() => {});
    return isThere();
  };
  await expect.poll(isThereAfterStep, { interval: 500, timeout: 60_000 }).toBe(true);
}

/** Milliseconds that one click of a step may take. */
export const soon = { timeout: 2000 } as const;
