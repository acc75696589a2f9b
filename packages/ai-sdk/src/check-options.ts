import { type Checks, checkOptions as checkAll, dialects, refuse, textRuleChecks } from '@dragoman/core';
import type { DragomanOptions } from './options.ts';

const { images: _, ...ruleChecks } = textRuleChecks;

const optionChecks: Checks<DragomanOptions> = { dialect, ...ruleChecks };

/**
 * Throws DragomanError `config-invalid` for options that would not do what they say: an unknown one, or one with a value that
 * it cannot have. The message names it and says what is possible.
 */
export function checkOptions(options: unknown): void {
  checkAll(options, optionChecks, 'dragoman()');
}

/** Ids are looked up where they are used, which says what is near; here only what is no dialect at all is refused. */
function dialect(value: unknown, path: string): void {
  if (typeof value === 'string') return;
  const isOne =
    typeof value === 'object' && value !== null && 'createParser' in value && typeof value.createParser === 'function';
  if (!isOne) refuse(path, value, `give it the id of a dialect, such as "${[...dialects.keys()][0]}", or a Dialect.`);
}
