import type { Departures } from './departures.ts';

/** One event of an event stream. */
export interface SseBlock {
  /** What its `event:` line says. */
  readonly event: string | undefined;
  /** Its `data:` lines, joined; undefined when it has none, as a comment has not. */
  readonly data: string | undefined;
  readonly comments: readonly string[];
}

/**
 * Reads a recorded event stream as the standard says and tells where it has another form than clients with simple readers
 * understand. The departures are at the block that is yielded next.
 */
export function* sseBlocks(stream: string, departures: Departures): Generator<SseBlock> {
  if (stream.includes('\r')) departures.note('a line ends in CR');
  const blocks = stream.replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n\n');
  const last = blocks.pop() ?? '';
  for (const text of blocks) yield readBlock(text, departures);
  if (last === '') return;
  const block = readBlock(last, departures);
  const what = 'the stream does not end with a blank line';
  if (block.data === '[DONE]') departures.note(what);
  else departures.violate(what);
  yield block;
}

function readBlock(text: string, departures: Departures): SseBlock {
  departures.next(text);
  const data: string[] = [];
  const comments: string[] = [];
  let event: string | undefined;
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const rest = colon < 0 ? '' : line.slice(colon + 1);
    const value = rest.startsWith(' ') ? rest.slice(1) : rest;
    if (line === '') departures.form('a blank line too much');
    else if (colon === 0) comments.push(value);
    else if (field === 'data') {
      if (!rest.startsWith(' ')) departures.note('no space comes after "data:"');
      data.push(value);
    } else if (field === 'event') event = value;
    else if (field === 'id' || field === 'retry') departures.form(`has a line "${field}:"`);
    else departures.violate('a line is not a field of an event');
  }
  if (data.length > 1) departures.note('data is on several lines');
  return { event, data: data.length === 0 ? undefined : data.join('\n'), comments };
}
