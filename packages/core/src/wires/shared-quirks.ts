import type { QuirkRule } from './wire.ts';

/**
 * Which ids of calls an upstream takes. `as-they-are`: any. `short`: up to 64 characters without white space. `forty`:
 * the same up to 40. `nine`: exactly nine letters and digits. `anthropic`: letters, digits, `_` and `-`. `kimi`:
 * `functions.NAME:N`, where N counts the calls of the conversation. `number`: whole numbers.
 */
export const callIdForms = ['as-they-are', 'short', 'forty', 'nine', 'anthropic', 'kimi', 'number'] as const;

export type CallIdFormName = (typeof callIdForms)[number];

/** The quirk by which an upstream's configuration names the form. */
export const callIdsQuirk = {
  meaning: 'Which ids of past calls it takes (`docs/ids-and-history.md`). Default: as its host, model or API tells.',
  value: callIdForms,
} as const;

/** The form that a quirk's value names, if it names one. */
export function callIdFormOf(value: boolean | string | number | undefined): CallIdFormName | undefined {
  return callIdForms.find((form) => form === value);
}

/** For servers, and models behind them, that refuse to stream: the request asks for a whole answer, which is read as ever. */
export const noStreamQuirk: QuirkRule =
  'Refuses streams, as some servers do with tools. It is asked for whole answers, and clients get each of them at once. `timeouts` have to be long enough.';

export const noStreamOptionsQuirk: QuirkRule = 'Refuses `stream_options`, so the gateway counts the tokens itself.';

export const noParallelToolCallsQuirk: QuirkRule =
  'Refuses `parallel_tool_calls`, so it is not sent. Models of OpenAI that refuse it are known by their names.';

export const anyToolNameQuirk: QuirkRule =
  'Takes any name of a tool. Without this, a name with other characters than letters, digits, `_` and `-` is sent as another one, and calls come back under its own.';

export const mergeRolesQuirk: QuirkRule = 'Refuses two messages of one role in a row, so they are sent as one.';
