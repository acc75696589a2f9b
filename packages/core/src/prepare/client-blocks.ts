import { findTags } from './client-tags.ts';

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
export interface FoundBlocks {
  readonly rest: string;
  readonly blocks: readonly string[];
}

/** Takes the blocks that a client adds by itself out of a text of the user's. Work is linear. */
export function findClientBlocks(text: string): FoundBlocks {
  const pieces = text.includes('<') ? findTags(text, blockTags) : [];
  const rest: string[] = [];
  let at = 0;
  for (const { start, end } of pieces) {
    rest.push(text.slice(at, start));
    at = end;
  }
  rest.push(text.slice(at));
  return { rest: rest.join(''), blocks: pieces.map(({ start, end }) => text.slice(start, end)) };
}
