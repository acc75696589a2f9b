import { repairs } from '../parser/call-warnings.ts';
import { ticks } from '../parser/documentation/fenced-code.ts';
import { pastArguments } from '../render/past-calls.ts';
import { readLiterals, readTexts, withRepairs, writtenText } from '../table/literals.ts';
import { type CallForm, readerOf } from '../table/parts.ts';
import type { HeaderTable } from '../table.ts';
import { headedCalls } from './header/headed-json-call.ts';
import { headerForm } from './header/header-form.ts';

/** A header with the name, then the arguments as JSON: `<function=read>{"path": "a"}</function>`. */
export const header: CallForm<HeaderTable> = {
  read(table, reading) {
    const { fenced = false, closerOptional, guarded, notBefore, argumentsRepair, channelWords, gaps } = table;
    const openers = readLiterals(table.opener, () => reading.tools);
    const named = table.reader === undefined ? undefined : readerOf(reading.parts, table.reader).header?.(reading);
    const isPlain = table.header === undefined || table.header === '{name}';
    const { read } = headerForm(table.header ?? '{name}');
    const separators = separatorsOf(table);
    // Where only the brace ends the header, the fence before it is no part of the name.
    const inFront = (text: string) => (fenced ? (text.split(ticks)[0] ?? '').trim() : text);
    const readHeader =
      named ?? (isPlain && !(fenced && separators.length === 0) ? undefined : (text: string) => read(inFront(text)));
    const form = headedCalls({
      openers: openers.map(({ text, place }) => (place === undefined ? text : { literal: text, place })),
      separators,
      closers: readTexts(table.closer),
      ...(fenced && { fenced }),
      ...(closerOptional && { closerOptional }),
      ...(guarded && { guarded }),
      ...(notBefore && { notBefore }),
      ...(argumentsRepair && { repair: repairs[argumentsRepair] }),
      ...(channelWords && { channelWords }),
      ...(gaps && { gaps }),
      ...(readHeader && { readHeader }),
    });
    return withRepairs(form, openers);
  },
  write(table, { call, literals, id }) {
    const given = pastArguments(call, literals);
    const separator = writtenText(table.separator);
    // Without a separator only a brace ends the header: what is no object is in one.
    const isWhole = given.startsWith('{') || separatorsOf(table).length > 0;
    const body = isWhole ? given : `{"arguments": ${given}}`;
    const front = headerForm(table.header ?? '{name}').write(call, { id, idOptional: table.idOptional ?? false });
    return `${front}${separator}${table.fenced ? `\`\`\`json\n${body}\n\`\`\`` : body}`;
  },
  values: () => 'The arguments are a valid JSON object.',
  // A header with an index is itself the id.
  id: ({ header: form }, call) => (form?.includes('{index}') ? headerForm(form).write(call, { id: '' }) : undefined),
};

/** A newline alone is a separator, too. */
function separatorsOf({ separator }: HeaderTable): readonly string[] {
  const isLine = typeof separator === 'string' && separator.trim() === '' && separator.includes('\n');
  return isLine ? ['\n'] : readTexts(separator);
}
