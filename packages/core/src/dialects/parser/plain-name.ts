import { CharacterSet } from './character-set.ts';

/** Brackets that open markup or an object: what stands behind one of them is no longer the name of a tool. */
export const nameEnders: readonly number[] = [...'<{'].map((sign) => sign.charCodeAt(0));

/** What names of tools never hold: these brackets, quotation marks, white space and other control characters. */
export const notInNames = new CharacterSet([...nameEnders, '"'.charCodeAt(0), ...Array(33).keys()]);

/** May a tool have this name? Prose and JSON that stand where a name should are told by their first such character. */
export function isPlainName(name: string): boolean {
  return name !== '' && notInNames.find(name, 0) === name.length;
}
