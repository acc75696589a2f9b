import { createTwoFilesPatch } from 'diff';
import type { JsonObject } from '../chat/message.ts';

/** What a tool wants to change. */
export type ChangeRequest =
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'move'; readonly path: string; readonly to: string }
  | { readonly kind: 'delete'; readonly path: string };

/** What a person is asked about: a change of a file, or a call of a tool that somebody else runs. */
export type Proposal = FileProposal | CallProposal;

interface Asked {
  /** The call that wants it. */
  readonly callId: string;
  readonly tool: string;
}

/** A call of a tool that has a `source`. */
export interface CallProposal extends Asked {
  readonly kind: 'call';
  /** Who runs it, such as `MCP server "github"`. */
  readonly source: string;
  readonly arguments: JsonObject;
}

/** A change of a file. */
export interface FileProposal extends Asked {
  readonly kind: 'create' | 'change' | 'move' | 'delete';
  readonly path: string;
  /** Where a file moves to. */
  readonly to?: string;
  /** What is there now; absent for a new file. */
  readonly before?: string;
  /** What will be there; absent for a file that goes or moves. */
  readonly after?: string;
  /** Lines of a unified diff; empty for a move. */
  readonly diff: string;
}

/** A change that was made, with all that is needed to take it back. */
export interface Change extends Omit<FileProposal, 'diff' | 'tool'> {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly undone?: true;
  /** Other chats show it, too: those that began as this one does. */
  readonly shared?: true;
}

/**
 * What its person says to a proposal. `approve-all`: to this one and, in this chat, to all changes of files that come, or to all calls
 * of this tool.
 */
export type Decision = 'approve' | 'approve-all' | 'reject';

/** Asks a person. What rejects or gives anything else counts as `reject`. */
export type AskConsent = (proposal: Proposal, options: { readonly signal: AbortSignal }) => Promise<Decision>;

/** A longer comparison is given up: then the diff says only that all of it changes. Milliseconds. */
const patience = 1_000;

/** What changes, as a unified diff. */
export function diffOf({ path, before = '', after = '' }: Pick<FileProposal, 'path' | 'before' | 'after'>): string {
  const patch = createTwoFilesPatch(path, path, before, after, '', '', { context: 3, timeout: patience });
  if (patch !== undefined) {
    const hunks = patch.indexOf('@@');
    return hunks === -1 ? '' : patch.slice(hunks);
  }
  const lines = (text: string, sign: string) => text.split('\n').map((line) => sign + line);
  return [...lines(before, '-'), ...lines(after, '+')].join('\n');
}
