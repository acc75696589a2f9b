import type { Around, CallTable, DialectTable, HeadedTable, TaggedTable } from './dialect-table.ts';
import { findMissing } from './find-missing.ts';
import { headerForm } from './header-form.ts';
import { isPadded } from './table-grammar.ts';
import { attributeOpener } from './tag-literal.ts';

/** What is wrong in a table, and what to write instead. */
export interface TableProblem {
  readonly path: readonly string[];
  readonly reason: string;
}

/**
 * What the types of a table cannot say, and where a caller without types has left something out. Empty: `defineTable` makes
 * a dialect of it.
 */
export function checkTable(table: DialectTable): readonly TableProblem[] {
  const missing = findMissing(table);
  if (missing.length > 0) return missing;
  const { call, section, reasoning } = table;
  const block = call.kernel === 'tagged' ? call.block : undefined;
  return [
    ...under(['call'], checkOpener(call)),
    ...under(['call'], call.kernel === 'headed' ? checkHeader(call) : []),
    ...under(['call'], call.kernel === 'tagged' ? checkTagged(call) : []),
    ...checkAround('section', section),
    ...under(['call'], checkAround('block', block)),
    ...checkAround('reasoning', reasoning),
    ...(reasoning !== undefined && isBlank(reasoning.closer)
      ? [{ path: ['reasoning', 'closer'], reason: 'must say what ends the thinking, such as "</think>"' }]
      : []),
  ];
}

function under(path: readonly string[], problems: readonly TableProblem[]): readonly TableProblem[] {
  return problems.map((problem) => ({ ...problem, path: [...path, ...problem.path] }));
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

function checkOpener(call: CallTable): readonly TableProblem[] {
  const problem = (reason: string) => [{ path: ['opener'], reason }];
  if (call.opener.trim().startsWith('```')) {
    return problem('a Markdown fence opens code, too; for calls in fences use the dialect "fenced-json"');
  }
  if (call.kernel === 'gemma' && isBlank(call.quote)) {
    return [{ path: ['quote'], reason: 'must be the token on both sides of a string' }];
  }
  if (!isBlank(call.opener)) return [];
  if (call.kernel === 'json') {
    const unmarked = call.keyed === true || call.grouping === 'sequence';
    return unmarked ? problem('must not be empty: without a marker and a key for the name nothing tells a call') : [];
  }
  if (call.kernel === 'python' && call.grouping === 'list') return [];
  return problem('must not be empty: write the marker that stands in front of a call');
}

function checkHeader({ header = '{name}', separator }: HeadedTable): readonly TableProblem[] {
  const { slots } = headerForm(header);
  if (slots.filter((slot) => slot === 'name').length !== 1) {
    return [{ path: ['header'], reason: 'must hold {name} once, where the name of the tool stands' }];
  }
  if (header.includes('}{')) {
    return [{ path: ['header'], reason: 'needs a literal between two of {name}, {id} and {index}' }];
  }
  if (new Set(slots).size < slots.length) return [{ path: ['header'], reason: 'must hold {id} and {index} only once' }];
  if (separator.includes('{')) {
    return [{ path: ['separator'], reason: 'must end in front of the brace that opens the arguments' }];
  }
  return [];
}

function checkTagged({ opener, end, closer, parameter }: TaggedTable): readonly TableProblem[] {
  const problems: TableProblem[] = [...checkEnd(opener, end)];
  const add = (path: readonly string[], reason: string) => void problems.push({ path, reason });
  if (isBlank(closer)) add(['closer'], 'must say what ends a call');
  if (isBlank(parameter.opener)) add(['parameter', 'opener'], 'must say what stands in front of a key');
  if (isBlank(parameter.closer)) add(['parameter', 'closer'], 'must say what ends a value');
  else if (parameter.closer.trim()[0] !== opener.trim()[0]) {
    add(['parameter', 'closer'], `must begin with the character that a call begins with, ${JSON.stringify(opener[0])}`);
  }
  problems.push(...under(['parameter'], checkEnd(parameter.opener, parameter.end)));
  if (isBlank(parameter.end)) add(['parameter', 'end'], 'must say what ends a key');
  const front = parameter.value ?? parameter.end;
  const padded = isPadded(parameter) && parameter.typed === undefined;
  const edges = padded ? [front.slice(0, -1), parameter.closer.slice(1)] : [front, parameter.closer];
  if (edges[0]?.trimEnd() !== edges[0] || edges[1]?.trimStart() !== edges[1]) {
    add(
      ['parameter'],
      'values are read with their white space: write one newline on both sides of them, or nothing on either',
    );
  }
  if (parameter.typed !== undefined && attributeOpener(parameter.opener) === undefined) {
    add(['parameter', 'typed'], 'needs an opener that ends in an attribute, such as "<parameter name=\\""');
  }
  return problems;
}

function checkEnd(opener: string, end: string): readonly TableProblem[] {
  const quote = attributeOpener(opener)?.quote;
  if (quote === undefined || (end.startsWith(quote) && !isBlank(end.slice(1)))) return [];
  const reason = `must begin with ${JSON.stringify(quote)}, which the opener has opened, and hold what ends the tag`;
  return [{ path: ['end'], reason }];
}

function checkAround(key: string, around: Around | undefined): readonly TableProblem[] {
  if (around === undefined || !isBlank(around.opener)) return [];
  return [{ path: [key, 'opener'], reason: 'must not be empty' }];
}
