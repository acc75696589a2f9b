import { spellings } from '../kit/spellings.ts';

/** What models put in front of a call that they say in words. */
export const spokenOpeners: readonly string[] = spellings(['✦', '✨', '🔧', '🛠️', '⚙️'], ['', ' '], ['tool_call:']);

/** The tags whose attributes are the parameters of a tool. */
export function useTags(name: string): readonly string[] {
  return [`<use ${name}`, `<use_${name}`];
}

/** The name of a tool as a mark of its own. */
export function nameMark(name: string): string {
  return `[${name}]`;
}
