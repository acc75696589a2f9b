import { ToolFault } from '../vault/vault.ts';

/** What replaces what in which text. `from`: the number of the first old line, counted from one. */
export interface LineReplacement {
  readonly path: string;
  readonly old: string;
  readonly by: string;
  readonly from?: number;
}

/** The text with whole lines replaced. Throws ToolFault where the old lines are not there, or several times. */
export function replaceLines(text: string, { path, old, by, from }: LineReplacement): string {
  // Lines of Windows stay such lines.
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(end);
  const wanted = linesOf(old);
  const places = placesOf(lines, wanted);
  const quoted = JSON.stringify(path);
  if (places.length === 0) {
    throw new ToolFault(`These lines are not in ${quoted}. Read it again and give them exactly as they are there.`);
  }
  const numbers = places.map((at) => at + 1);
  const at = from === undefined && places.length === 1 ? places[0] : places.find((place) => place + 1 === from);
  if (at === undefined) {
    throw new ToolFault(
      from === undefined
        ? `These lines are in ${quoted} ${places.length} times, at lines ${numbers.slice(0, 10).join(', ')}. Give "from", or more lines.`
        : `These lines are not at line ${from} of ${quoted}, but at ${numbers.slice(0, 10).join(', ')}.`,
    );
  }
  const put = by === '' ? [] : linesOf(by);
  return [...lines.slice(0, at), ...put, ...lines.slice(at + wanted.length)].join(end);
}

/** The lines of a text; a line break at its end begins no further line. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\r\n').join('\n').split('\n');
  return lines.length > 1 && lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function placesOf(lines: readonly string[], wanted: readonly string[]): readonly number[] {
  const places: number[] = [];
  for (let at = 0; at + wanted.length <= lines.length; at += 1) {
    if (wanted.every((line, index) => lines[at + index] === line)) places.push(at);
  }
  return places;
}
