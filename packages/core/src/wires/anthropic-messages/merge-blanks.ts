import type { Warning } from '../../chat/warning.ts';
import { reportDropped } from '../report-dropped.ts';
import { type Fields, wireId } from './types.ts';

/**
 * Blocks without a text that is only white space, which the API refuses. It joins the text before it, or after it; where
 * no text is next to it, it is left out and told. Fields of its own, such as a cache marker, go with it.
 */
export function mergeBlanks(blocks: readonly Fields[], warnings: Warning[]): readonly Fields[] {
  if (!blocks.some(isBlank)) return blocks;
  const merged: Fields[] = [];
  let leading: Fields | undefined;
  for (const block of blocks) {
    const last = merged.at(-1);
    if (!isBlank(block)) {
      merged.push(leading === undefined || block.type !== 'text' ? block : joined(leading, block));
      if (leading !== undefined && block.type !== 'text') reportBlank(warnings);
      leading = undefined;
    } else if (last?.type === 'text' && leading === undefined) merged[merged.length - 1] = joined(last, block);
    else leading = leading === undefined ? block : joined(leading, block);
  }
  if (leading !== undefined) reportBlank(warnings);
  return merged;
}

function reportBlank(warnings: Warning[]): void {
  reportDropped(warnings, `A text of white space alone can't be said in ${wireId}.`);
}

function isBlank({ type, text }: Fields): boolean {
  return type === 'text' && typeof text === 'string' && text.trim() === '';
}

function joined(first: Fields, second: Fields): Fields {
  return { ...first, ...second, text: `${String(first.text)}${String(second.text)}` };
}
