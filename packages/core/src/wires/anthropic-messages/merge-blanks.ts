import type { Issue } from '../../chat/issue.ts';
import { tellDropped } from '../tell-dropped.ts';
import { type Fields, wireId } from './types.ts';

/**
 * Blocks without a text that is only white space, which the API refuses. It joins the text before it, or behind it; where
 * no text is next to it, it is left out and told. Fields of its own, such as a cache marker, go with it.
 */
export function mergeBlanks(blocks: readonly Fields[], issues: Issue[]): readonly Fields[] {
  if (!blocks.some(isBlank)) return blocks;
  const merged: Fields[] = [];
  let leading: Fields | undefined;
  for (const block of blocks) {
    const last = merged.at(-1);
    if (!isBlank(block)) {
      merged.push(leading === undefined || block.type !== 'text' ? block : joined(leading, block));
      if (leading !== undefined && block.type !== 'text') tellBlank(issues);
      leading = undefined;
    } else if (last?.type === 'text' && leading === undefined) merged[merged.length - 1] = joined(last, block);
    else leading = leading === undefined ? block : joined(leading, block);
  }
  if (leading !== undefined) tellBlank(issues);
  return merged;
}

function tellBlank(issues: Issue[]): void {
  tellDropped(issues, `A text of white space alone can't be said in ${wireId}.`);
}

function isBlank({ type, text }: Fields): boolean {
  return type === 'text' && typeof text === 'string' && text.trim() === '';
}

function joined(first: Fields, second: Fields): Fields {
  return { ...first, ...second, text: `${String(first.text)}${String(second.text)}` };
}
