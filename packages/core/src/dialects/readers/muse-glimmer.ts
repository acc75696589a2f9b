import { isPlainName } from '../parser/calls/tool-table.ts';
import type { LookSection, SectionMarker } from '../parser/grammar.ts';
import { spellings } from '../parser/markers/repaired-literals.ts';
import { lookBehindSpace, lookFor, type Scanner } from '../parser/scanner.ts';
import type { TableReader } from '../table/parts.ts';

/** Messages to a recipient: what is in one to the user calls nothing, and one to a tool may name one that is not declared. */
export const recipients: TableReader = {
  grammar: (form) => ({ ...form, ...(form.sections && { sections: form.sections.withHeaders(toolHeaders, toUser) }) }),
};

const toUser = spellings(['<|start|>assistant ', '<|start|>assistant', ''], ['to=user<|message|>']);

/** What comes before the name in the header of a message to any tool. */
const openers = ['<|start|>assistant to=', '<|start|>assistantto='];

/** They count only at the start of a reply, where the prompt has written the rest of the opener. */
const firstOpeners = [' to=', 'to='];

/** The header of a message to any tool, before a call of the same tool. */
function toolHeaders(look: LookSection, sectionOpeners: readonly string[]): ReadonlyMap<string, SectionMarker> {
  const header: SectionMarker = { section: afterName(look, sectionOpeners), report: { closers: [] } };
  return new Map([
    ...openers.map((literal) => [literal, header] as const),
    ...firstOpeners.map((literal) => [literal, { ...header, first: true }] as const),
  ]);
}

/** A name that is longer is prose. */
const longestName = 192;

/** A section opens after a name, if the call in it has that name: another header would be lost, so it is text. */
function afterName(look: LookSection, sectionOpeners: readonly string[]): LookSection {
  const callsIt = (scanner: Scanner, index: number, name: string) => {
    const inside = lookBehindSpace(scanner, sectionOpeners, index);
    if (inside === 'more') return 'more';
    const header = lookBehindSpace(scanner, ['<atem:invoke name="'], inside === 'no' ? index : inside);
    // The template names a tool without a namespace twice: `read.read`.
    const names = [...new Set([name, name.slice(name.lastIndexOf('.') + 1)])];
    return typeof header === 'string'
      ? header
      : lookFor(
          scanner,
          header,
          names.map((each) => `${each}"`),
        );
  };
  return (scanner, index, length) => {
    const start = index + length;
    let at = start;
    while (at < scanner.text.length && at - start <= longestName && isPlainName(scanner.text.charAt(at))) at += 1;
    if (at - start > longestName) return 'no';
    if (scanner.wantsMore(at)) return 'more';
    const name = scanner.text.slice(start, at);
    const ends = name === '' || name === 'self' ? 'no' : lookFor(scanner, at, ['<|message|>']);
    const opens = typeof ends === 'string' ? ends : look(scanner, index, ends - index);
    if (typeof opens === 'string') return opens;
    const calls = callsIt(scanner, opens, name);
    return typeof calls === 'string' ? calls : opens;
  };
}
