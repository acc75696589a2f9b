import type { TemplateName } from '../plan/prompt-template.ts';

/** What the choice of a template hangs on. */
export interface PromptSituation {
  /** The upstream knows nothing of the conversation yet. */
  readonly isNew: boolean;
  /** Tools are there to be called. */
  readonly hasTools: boolean;
  /** Results of calls are to be told. */
  readonly hasResults: boolean;
  /** System text or tools are not what the upstream was told last. */
  readonly hasChanged: boolean;
}

/**
 * The template for what is to be said. A new conversation begins with everything; results go on with the round that
 * they belong to; and what has changed is told as at the beginning.
 */
export function chooseTemplate({ isNew, hasTools, hasResults, hasChanged }: PromptSituation): TemplateName {
  if (!isNew && hasResults) return 'results';
  if (isNew || hasChanged) return hasTools ? 'first-tools' : 'first-simple';
  return hasTools ? 'tools' : 'simple';
}
