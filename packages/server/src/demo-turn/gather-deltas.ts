import { isRecord } from '../transports/scripted/is-record.ts';

/** The longest line of gathered pieces, in UTF-16 units; one piece may be longer. */
const longestLine = 72;

/**
 * Deltas as lines for people: pieces of one text or of one call's arguments that follow each other stand side by side,
 * each in its own quotation marks, under a line that counts them. Every other delta is a line of its own, in JSON.
 */
export function gatherDeltas(deltas: readonly string[]): readonly string[] {
  const lines: string[] = [];
  let run: { readonly place: string; readonly pieces: string[] } | undefined;
  const close = () => {
    if (run !== undefined) lines.push(`${run.place}, ${countOf(run.pieces.length)}:`, ...inRows(run.pieces));
    run = undefined;
  };
  for (const delta of deltas) {
    const piece = pieceOf(delta);
    if (piece === undefined || piece.place !== run?.place) close();
    if (piece === undefined) lines.push(delta);
    else if (run === undefined) run = { place: piece.place, pieces: [piece.text] };
    else run.pieces.push(piece.text);
  }
  close();
  return lines;
}

function countOf(number: number): string {
  return number === 1 ? '1 delta' : `${number} deltas`;
}

/** What a delta adds and where, if it says nothing else. */
function pieceOf(delta: string): { readonly place: string; readonly text: string } | undefined {
  const value: unknown = JSON.parse(delta);
  const [field, content] = onlyField(value) ?? [];
  if (typeof content === 'string') return { place: field ?? '', text: JSON.stringify(content) };
  if (field !== 'tool_calls' || !Array.isArray(content) || content.length !== 1) return undefined;
  const fragment: unknown = content[0];
  if (!isRecord(fragment) || Object.keys(fragment).length !== 2) return undefined;
  const [name, text] = onlyField(fragment.function) ?? [];
  if (name !== 'arguments' || typeof fragment.index !== 'number' || typeof text !== 'string') return undefined;
  return { place: `tool_calls[${fragment.index}].function.arguments`, text: JSON.stringify(text) };
}

function onlyField(value: unknown): readonly [string, unknown] | undefined {
  const fields = isRecord(value) ? Object.entries(value) : [];
  return fields.length === 1 ? fields[0] : undefined;
}

function inRows(pieces: readonly string[]): readonly string[] {
  const rows: string[] = [];
  let row = ' ';
  for (const piece of pieces) {
    if (row !== ' ' && row.length + 1 + piece.length > longestLine) {
      rows.push(row);
      row = ' ';
    }
    row += ` ${piece}`;
  }
  rows.push(row);
  return rows;
}
