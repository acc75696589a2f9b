import type { SectionForm } from '../parser/grammar.ts';
import { sectionForm } from '../parser/markers/sections.ts';
import type { DialectTable, MarkedAround } from '../table.ts';
import { readLiterals, readTexts } from './literals.ts';

/** What a table says is around calls, if it says anything: its section, the blocks of its forms, and closers that stray. */
export function sections({ call, also = [], section, strays }: DialectTable): SectionForm | undefined {
  const blocks = [call, ...also].flatMap(({ block }) => block ?? []);
  const around: readonly MarkedAround[] = [...(section ? [section] : []), ...blocks];
  if (around.length === 0 && strays === undefined) return undefined;
  const inner = blocks.flatMap(({ opener }) => readTexts(opener));
  const outer = readLiterals(section?.opener).flatMap(({ text, alone = false }) => (alone ? [] : [text]));
  return sectionForm({
    openers: around.flatMap(({ opener }) => readTexts(opener)),
    closers: [...around.flatMap(({ closer }) => readTexts(closer)), ...readTexts(strays)],
    ...(section?.nested && { nested: { outer, inner } }),
    ...(section?.optional && { optional: true }),
  });
}
