/** A block `<name …>inner</name>` whose opener begins a line. */
export interface TagBlock {
  readonly name: string;
  readonly inner: string;
  readonly from: number;
  readonly to: number;
}

/** After so many names without a closer, the rest of a text counts as plain: this bounds the search. */
const mostUnclosed = 64;

/**
 * Finds the outermost tag blocks of a text. An opener must begin a line, and a closer counts only where another tag or
 * the end follows it or a line ends, so that a tag in the middle of a quoted text closes nothing.
 */
export function tagBlocks(text: string): TagBlock[] {
  const blocks: TagBlock[] = [];
  const unclosed = new Set<string>();
  let at = text.indexOf('<');
  while (at !== -1 && unclosed.size < mostUnclosed) {
    const name = beginsLine(text, at) ? tagName(text, at) : undefined;
    const open = name === undefined || unclosed.has(name) ? -1 : text.indexOf('>', at);
    const close = name === undefined || open === -1 ? -1 : closerOf(text, { name, from: open + 1 });
    if (name === undefined || open === -1 || close === -1) {
      if (name !== undefined) unclosed.add(name);
      at = text.indexOf('<', at + 1);
      continue;
    }
    const to = close + name.length + 3;
    blocks.push({ name, inner: text.slice(open + 1, close), from: at, to });
    at = text.indexOf('<', to);
  }
  return blocks;
}

/** The text outside of blocks. */
export function outsideOf(text: string, blocks: readonly TagBlock[]): string {
  let rest = '';
  let at = 0;
  for (const block of blocks) {
    rest += text.slice(at, block.from);
    at = block.to;
  }
  return (rest + text.slice(at)).trim();
}

function closerOf(text: string, { name, from }: { readonly name: string; readonly from: number }): number {
  const closer = `</${name}>`;
  let at = text.indexOf(closer, from);
  while (at !== -1 && !endsThere(text, at + closer.length)) at = text.indexOf(closer, at + 1);
  return at;
}

/** Whether a line or the text ends here, or a tag follows. */
function endsThere(text: string, at: number): boolean {
  let next = at;
  while (text[next] === ' ' || text[next] === '\t' || text[next] === '\r') next += 1;
  return next >= text.length || text[next] === '\n' || text[next] === '<';
}

function beginsLine(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && (text[before] === ' ' || text[before] === '\t')) before -= 1;
  return before < 0 || text[before] === '\n' || text[before] === '>';
}

function tagName(text: string, at: number): string | undefined {
  let to = at + 1;
  while (to < text.length && to - at < 64 && isNameCharacter(text[to] ?? '')) to += 1;
  const next = text[to];
  return to > at + 1 && (next === '>' || next === ' ') ? text.slice(at + 1, to) : undefined;
}

function isNameCharacter(character: string): boolean {
  return (
    (character >= 'a' && character <= 'z') ||
    (character >= 'A' && character <= 'Z') ||
    (character >= '0' && character <= '9') ||
    '_-:.'.includes(character)
  );
}
