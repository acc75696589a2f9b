import type { SchemaView } from '../../../json/schema.ts';
import type { Scanner } from '../../parser/scanner.ts';
import type { Ending, Passed } from './literal-ending.ts';
import { isSign, longestName, nameEnd } from './literal-head.ts';
import type { LiteralSyntax, Quote } from './literal-syntax.ts';

/** Where a parameter may stand. */
interface Place {
  readonly syntax: LiteralSyntax;
  readonly schema: SchemaView;
  /** The parameters that have come. */
  readonly given: ReadonlySet<string>;
  /** What the literal in front of it holds. */
  readonly passed: Passed;
}

/** Does a literal end in front of `start`, since a parameter that has not come yet stands there, with its sign? */
export function lookParameter(scanner: Scanner, start: number, { syntax, schema, given, passed }: Place): Ending {
  if (start === scanner.text.length) return 'yes';
  const unpacked = syntax.positional ? scanner.look('**{', start) : 'no';
  if (unpacked !== 'no') return unpacked;
  const name = lookName(scanner, start, syntax);
  if (typeof name === 'string') return name;
  const sign = scanner.behindSpace(name.end);
  if (typeof sign === 'string') return sign;
  if (sign === scanner.text.length) return 'yes';
  if (!isSign(scanner, sign, syntax.assign)) return 'no';
  if (scanner.wantsMore(sign + 1)) return 'more';
  const isComparison = scanner.text[sign + 1] === scanner.text[sign];
  if (isComparison || given.has(name.text)) return 'no';
  if (passed === 'none') return 'yes';
  if (!schema.known(name.text)) return schema.propertyNames.length > 0 ? 'no' : 'unclear';
  return passed === 'odd' ? 'unclear' : 'yes';
}

interface Name {
  readonly text: string;
  readonly end: number;
}

/** A name at `start`; in quotation marks only where a string can be nothing else. */
function lookName(scanner: Scanner, start: number, { quotes, positional }: LiteralSyntax): Name | 'no' | 'more' {
  const quote = quotes.find(scanner.text, start, scanner.ended);
  if (quote === 'more') return 'more';
  if (quote !== 'no') return positional ? 'no' : lookQuoted(scanner, start + quote.length, quote.value);
  const end = nameEnd(scanner, start);
  return typeof end === 'string' ? end : { text: scanner.text.slice(start, end), end };
}

/** A name in quotation marks, from behind the first one. */
function lookQuoted(scanner: Scanner, from: number, { literal, escapes }: Quote): Name | 'no' | 'more' {
  const { text } = scanner;
  for (let at = from; at - from <= longestName; at += 1) {
    if (scanner.wantsMore(at)) return 'more';
    const closer = scanner.look(literal, at);
    if (closer === 'more') return 'more';
    if (closer === 'yes') return { text: text.slice(from, at), end: at + literal.length };
    if (escapes && text.charAt(at) === '\\') at += 1;
  }
  return 'no';
}
