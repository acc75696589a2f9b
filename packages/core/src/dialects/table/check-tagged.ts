import { attributeOpener, isPadded } from './attribute-opener.ts';
import { endsName, isWordSign } from './marker-signs.ts';
import type { PlainParameter, PlainTags } from './plain-table.ts';
import type { TableProblem } from './table-shape.ts';

/** Whether the names and values of a `tags` call can be told from the markup around them. */
export function checkTagged({ opener, end, closer, parameter }: PlainTags): readonly TableProblem[] {
  const problems = [
    ...checkTag(['call'], { opener, end }),
    ...checkTag(['call', 'parameter'], parameter),
    ...checkEdges(parameter),
    ...checkTyped(parameter),
  ];
  const add = (path: readonly string[], reason: string) => void problems.push({ path: ['call', ...path], reason });
  if (closer.trim() === '') add(['closer'], 'must say what ends a call');
  if (parameter.opener.trim() === '') add(['parameter', 'opener'], 'must say what stands in front of a key');
  if (parameter.end.trim() === '') add(['parameter', 'end'], 'must say what ends a key');
  if (parameter.closer.trim() === '') add(['parameter', 'closer'], 'must say what ends a value');
  else if (parameter.closer.trim()[0] !== opener.trim()[0]) {
    add(['parameter', 'closer'], `must begin with the character that a call begins with, ${JSON.stringify(opener[0])}`);
  }
  return problems;
}

/** An opener with a name behind it, and what ends the name. */
function checkTag(
  path: readonly string[],
  { opener, end }: { readonly opener: string; readonly end: string },
): readonly TableProblem[] {
  const quote = attributeOpener(opener)?.quote;
  const wrong = (reason: string) => [{ path: [...path, 'end'], reason }];
  if (quote !== undefined) {
    if (end.startsWith(quote) && endsName(end.slice(1))) return [];
    return wrong(
      `must begin with ${JSON.stringify(quote)}, which the opener has opened, and hold what ends the tag, such as ">"`,
    );
  }
  if (isWordSign(opener.slice(-1))) {
    const reason = 'must not end in a letter or digit: a name would go on with it; write a sign or a space behind it';
    return [{ path: [...path, 'opener'], reason }];
  }
  if (end.trim() === '' || endsName(end)) return [];
  return wrong(`${JSON.stringify(end)} may stand in a name: write a sign such as ">" there`);
}

function checkEdges(parameter: PlainParameter): readonly TableProblem[] {
  const front = parameter.value ?? parameter.end;
  const padded = isPadded(parameter) && parameter.typed === undefined;
  const edges = padded ? [front.slice(0, -1), parameter.closer.slice(1)] : [front, parameter.closer];
  if (edges[0]?.trimEnd() === edges[0] && edges[1]?.trimStart() === edges[1]) return [];
  const reason =
    'values are read with their white space: write one newline on both sides of them, or nothing on either';
  return [{ path: ['call', 'parameter'], reason }];
}

function checkTyped({ opener, typed }: PlainParameter): readonly TableProblem[] {
  if (typed === undefined) return [];
  const wrong = (reason: string, ...path: string[]) => [{ path: ['call', 'parameter', 'typed', ...path], reason }];
  const own = attributeOpener(opener);
  if (own === undefined) return wrong('needs an opener that ends in an attribute, such as "<parameter name=\\""');
  if (!isAttributeName(typed.attribute)) return wrong('must be the name of an attribute', 'attribute');
  if (typed.attribute === own.attribute) return wrong('must differ from the attribute that holds the key', 'attribute');
  if (typed.text === typed.json) return wrong('must differ from what JSON is marked with', 'text');
  const quoted = (['text', 'json'] as const).find((key) => [...typed[key]].some((sign) => '"\'<>\n'.includes(sign)));
  return quoted === undefined ? [] : wrong('must stand in quotation marks: leave out quotes and brackets', quoted);
}

function isAttributeName(text: string): boolean {
  const isNameSign = (sign: string) => ':.-'.includes(sign) || (sign < '\x80' && isWordSign(sign));
  return text !== '' && [...text].every(isNameSign);
}
