import type { Prompts, PromptVariable } from '../plan/prompt-template.ts';
import { type ClientTag, findClientTags, type TaggedPiece } from './client-tags.ts';

/** What surrounds a request, by the tags of clients. */
const contextTags: ReadonlySet<ClientTag> = new Set<ClientTag>([
  'context',
  'environment_info',
  'workspace_info',
  'editorContext',
  'repoContext',
  'conversation-summary',
]);

/** Texts of a client, and what was taken out of them. */
export interface ClaimedTags {
  /** The texts without what was taken, in their order. */
  readonly rests: readonly string[];
  /** The inside of the last `<instructions>`. */
  readonly instructions: string;
  readonly attachments: string;
  readonly context: string;
}

interface FoundPiece extends TaggedPiece {
  /** Which text holds it. */
  readonly source: number;
  /** With its tags. */
  readonly whole: string;
}

/** Takes out of texts, oldest first, what a template names by itself. Everything else stays, in its place. */
export function claimTags(
  texts: readonly string[],
  { mentions, merge }: { readonly mentions: ReadonlySet<PromptVariable>; readonly merge: Prompts['context'] },
): ClaimedTags {
  const found = texts.flatMap((text, source) =>
    findClientTags(text).map((piece): FoundPiece => ({ ...piece, source, whole: text.slice(piece.start, piece.end) })),
  );
  const instructions = mentions.has('instructions') ? found.findLast(({ tag }) => tag === 'instructions') : undefined;
  const attachments = mentions.has('attachments') ? found.filter(({ tag }) => tag === 'attachments') : [];
  const context = mentions.has('context') ? found.filter(({ tag }) => contextTags.has(tag)) : [];
  const claimed = new Set<FoundPiece>([
    ...attachments,
    ...context,
    ...(instructions === undefined ? [] : [instructions]),
  ]);
  const taken = texts.map((): FoundPiece[] => []);
  for (const piece of found) if (claimed.has(piece)) taken[piece.source]?.push(piece);
  return {
    rests: texts.map((text, at) => without(text, taken[at] ?? [])),
    instructions: instructions === undefined ? '' : insideOf(texts[instructions.source] ?? '', instructions),
    attachments: joined(attachments),
    context: joined(merge === 'merge' ? context : newestOf(context)),
  };
}

/** The context of texts, with nothing taken out of them. */
export function contextOf(texts: readonly string[], merge: Prompts['context']): string {
  return claimTags(texts, { mentions: new Set(['context']), merge }).context;
}

function insideOf(text: string, { innerStart, innerEnd }: TaggedPiece): string {
  return text.slice(innerStart, innerEnd).trim();
}

/** Of each tag those of the newest text that has it. */
function newestOf(pieces: readonly FoundPiece[]): readonly FoundPiece[] {
  const newest = new Map(pieces.map(({ tag, source }) => [tag, source]));
  return pieces.filter(({ tag, source }) => newest.get(tag) === source);
}

/** Each text once. */
function joined(pieces: readonly FoundPiece[]): string {
  return [...new Set(pieces.map(({ whole }) => whole))].join('\n');
}

/** A text without pieces of it; the white space that was around them at its ends goes with them. */
function without(text: string, pieces: readonly TaggedPiece[]): string {
  if (pieces.length === 0) return text;
  const kept: string[] = [];
  let at = 0;
  for (const { start, end } of pieces) {
    kept.push(text.slice(at, start));
    // A line that held nothing else goes, too.
    const ownsLine = start === 0 || text[start - 1] === '\n';
    at = ownsLine && text[end] === '\n' ? end + 1 : end;
  }
  return [...kept, text.slice(at)].join('').trim();
}
