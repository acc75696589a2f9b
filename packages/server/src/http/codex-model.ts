import type { ModelDescription } from '@dragoman/core';

/** What a file of JSON can hold: Codex reads its models from one, too. */
interface CodexObject {
  readonly [name: string]: CodexValue;
}
type CodexValue = string | number | boolean | null | CodexObject | readonly CodexValue[];

/**
 * A model as Codex wants it. Codex reads the whole list or nothing of it, so every field that some version of it insists
 * on is there. `place` is where it is in the list: Codex takes the first for its default.
 */
export function writeCodexModel(
  model: Pick<ModelDescription, 'id' | 'displayName' | 'contextWindow' | 'images' | 'reasoning'>,
  place: number,
): CodexObject {
  const { id, displayName, contextWindow, images, reasoning } = model;
  const window =
    contextWindow === undefined ? {} : { context_window: contextWindow, max_context_window: contextWindow };
  return {
    slug: id,
    display_name: displayName,
    description: null,
    supported_reasoning_levels: reasoning === true ? reasoningLevels : [],
    ...(reasoning === true ? { default_reasoning_level: 'medium' } : {}),
    shell_type: 'default',
    visibility: 'list',
    supported_in_api: true,
    priority: place,
    upgrade: null,
    availability_nux: null,
    base_instructions: instructions,
    supports_reasoning_summaries: reasoning === true,
    support_verbosity: false,
    default_verbosity: null,
    apply_patch_tool_type: null,
    truncation_policy: { mode: 'bytes', limit: 10_000 },
    supports_parallel_tool_calls: true,
    ...window,
    experimental_supported_tools: [],
    input_modalities: images ? ['text', 'image'] : ['text'],
  };
}

const reasoningLevels = [
  { effort: 'low', description: 'Thinks briefly' },
  { effort: 'medium', description: 'Thinks as long as most tasks need' },
  { effort: 'high', description: 'Thinks long' },
];

/** Codex gives a model of a list the system prompt that the list has for it, and none of its own. */
const instructions = `You are Codex, a coding agent in the user's terminal. You and the user share one workspace.

Work on the user's task until it is done, then say in a few sentences what you did and what is left.

- Look before you change: list and read the files that matter, and follow the conventions that you find there. Files named
  AGENTS.md hold instructions for the folder that they are in; what the user says counts for more.
- Use your tools. Run commands with the shell tool and change files with the means that it has, such as apply_patch. Prefer
  rg to grep. Never make up what a command would print.
- Change what the task needs and nothing else. Leave alone what others have changed, and never reset, commit or delete
  work unless you are asked to.
- Solve the problem at its root, keep the code simple, and check your work: run the tests or the program where you can, and
  say so where you can't.
- When a command fails, read why before you try again. When you need a decision that only the user can make, ask.
- Be brief and exact. Name files with their paths, and say what is uncertain.`;
