/**
 * Tags in which agent clients wrap the pieces of their requests. Copilot Chat writes all of them but the last, which is
 * what several other agents write around the words of the user.
 */
export const clientTags = [
  'context',
  'attachments',
  'userRequest',
  'instructions',
  'environment_info',
  'workspace_info',
  'editorContext',
  'reminderInstructions',
  'repoContext',
  'conversation-summary',
  'user_query',
] as const;

export type ClientTag = (typeof clientTags)[number];

/** One tagged piece of a text, by offsets in UTF-16 units. */
export interface TaggedPiece<Tag extends string = ClientTag> {
  readonly tag: Tag;
  /** From `<` of the opening tag to after `>` of the closing one. */
  readonly start: number;
  readonly end: number;
  /** What is between the tags. */
  readonly innerStart: number;
  readonly innerEnd: number;
}

/** What a text of a client says, by its tags; each is empty when the tag is absent. */
export interface TaggedText {
  /** Every block with its tags, one after the other. */
  readonly context: string;
  readonly attachments: string;
  /** The inside of the last block: a client that repeats it means the last. */
  readonly userRequest: string;
  readonly instructions: string;
  /** What is in no known tag, in its order. */
  readonly rest: string;
  readonly pieces: readonly TaggedPiece[];
}

/** Reads a text by its tags. Every character is in one piece or in the rest. */
export function readClientTags(text: string): TaggedText {
  const pieces = findClientTags(text);
  const blocks = (tag: ClientTag) => pieces.filter((piece) => piece.tag === tag);
  const whole = (tag: ClientTag) =>
    blocks(tag)
      .map(({ start, end }) => text.slice(start, end))
      .join('\n');
  const last = (tag: ClientTag) => {
    const piece = blocks(tag).at(-1);
    return piece === undefined ? '' : text.slice(piece.innerStart, piece.innerEnd);
  };
  return {
    context: whole('context'),
    attachments: whole('attachments'),
    userRequest: last('userRequest'),
    instructions: last('instructions'),
    rest: restOf(text, pieces),
    pieces,
  };
}

/**
 * The outermost tagged pieces, in order; they never overlap. A tag counts only in a pair: an opening one without its
 * closing one is text, and so is an opening one in a fenced block of code. Tags of the same name may nest. Work is linear.
 */
export function findClientTags(text: string): readonly TaggedPiece[] {
  return findTags(text, clientTags);
}

/** The same for other tags. */
function findTags<Tag extends string>(text: string, tags: readonly Tag[]): readonly TaggedPiece<Tag>[] {
  const pieces: TaggedPiece<Tag>[] = [];
  let end = 0;
  for (const piece of findPairs(text, tags)) {
    if (piece.start < end) continue;
    pieces.push(piece);
    end = piece.end;
  }
  return pieces;
}

interface Mark<Tag extends string> {
  readonly tag: Tag;
  readonly closes: boolean;
  readonly start: number;
  readonly end: number;
}

/** Every pair, sorted by where it begins. */
function findPairs<Tag extends string>(text: string, tags: readonly Tag[]): readonly TaggedPiece<Tag>[] {
  const open = new Map<Tag, Mark<Tag>[]>(tags.map((tag) => [tag, []]));
  const pairs: TaggedPiece<Tag>[] = [];
  for (const mark of findMarks(text, tags)) {
    const stack = open.get(mark.tag) ?? [];
    if (!mark.closes) {
      stack.push(mark);
      continue;
    }
    const opener = stack.pop();
    if (opener === undefined) continue;
    pairs.push({ tag: mark.tag, start: opener.start, end: mark.end, innerStart: opener.end, innerEnd: mark.start });
  }
  return pairs.sort((one, other) => one.start - other.start);
}

/** Closing tags anywhere; opening ones outside of fences, which what they wrap may leave open. */
function findMarks<Tag extends string>(text: string, tags: readonly Tag[]): readonly Mark<Tag>[] {
  const marks: Mark<Tag>[] = [];
  let inFence = false;
  let lineStart = 0;
  while (lineStart <= text.length) {
    const feed = text.indexOf('\n', lineStart);
    const lineEnd = feed < 0 ? text.length : feed;
    if (text.startsWith('```', lineStart)) inFence = !inFence;
    for (let at = text.indexOf('<', lineStart); at >= 0 && at < lineEnd; at = text.indexOf('<', at + 1)) {
      const mark = markAt(text, { start: at, lineEnd, tags });
      if (mark !== undefined && (mark.closes || !inFence)) marks.push(mark);
    }
    lineStart = lineEnd + 1;
  }
  return marks;
}

/** The longest that the attributes of an opening tag may be. */
const longestAttributes = 200;

function markAt<Tag extends string>(
  text: string,
  { start, lineEnd, tags }: { readonly start: number; readonly lineEnd: number; readonly tags: readonly Tag[] },
): Mark<Tag> | undefined {
  const closes = text.startsWith('/', start + 1);
  const from = start + (closes ? 2 : 1);
  for (const tag of tags) {
    if (!text.startsWith(tag, from)) continue;
    const after = from + tag.length;
    if (text[after] === '>') return { tag, closes, start, end: after + 1 };
    if (closes || text[after] !== ' ') continue;
    const end = text.slice(after, Math.min(lineEnd, after + longestAttributes)).indexOf('>');
    if (end >= 0) return { tag, closes, start, end: after + end + 1 };
  }
  return undefined;
}

function restOf(text: string, pieces: readonly TaggedPiece<string>[]): string {
  const rest: string[] = [];
  let at = 0;
  for (const { start, end } of pieces) {
    rest.push(text.slice(at, start));
    at = end;
  }
  rest.push(text.slice(at));
  return rest.join('');
}

/**
 * Tags of what clients put around the user's words by themselves, and may write otherwise in the next request: where and
 * when the user works, what the editor shows, reminders. Copilot Chat, Cline, Codex and Claude Code have them.
 */
const blockTags = [
  'context',
  'attachments',
  'environment_info',
  'workspace_info',
  'editorContext',
  'reminderInstructions',
  'repoContext',
  'environment_details',
  'environment_context',
  'system-reminder',
] as const;

/** A text without those blocks, and the blocks, tags included. */
interface FoundBlocks {
  readonly rest: string;
  readonly blocks: readonly string[];
}

/** Takes the blocks that a client adds by itself out of a text of the user's. Work is linear. */
export function findClientBlocks(text: string): FoundBlocks {
  const pieces = text.includes('<') ? findTags(text, blockTags) : [];
  return { rest: restOf(text, pieces), blocks: pieces.map(({ start, end }) => text.slice(start, end)) };
}
