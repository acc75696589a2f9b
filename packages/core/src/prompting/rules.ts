/** Where system text goes: as the upstream's own system message, in front of the first user message, or both. */
export type SystemText = 'system' | 'first-user' | 'both';

/** How a tool's result is worded for a model that reads only text. `native` is the dialect's own form. */
export type ResultFormat = 'native' | 'detailed' | 'fields' | 'simple' | 'conversational' | 'header';

/** What prompting has to know of a model. */
export interface PromptRule {
  readonly systemText: SystemText;
  readonly results: ResultRule;
  /** Whether the upstream reads pictures. Otherwise they are replaced by a note, with a warning. */
  readonly images: boolean;
  /** Whether a made-up exchange in front of the conversation shows the model the form of a call. */
  readonly exampleCall: boolean;
}

/** How tool results are matched with their calls and worded. */
export interface ResultRule {
  readonly format: ResultFormat;
  /** `lenient`: orphans become context, missing results a placeholder; `strict`: 400 `invalid-tool-results`. */
  readonly mode: 'lenient' | 'strict';
  /** The longest result in UTF-16 units; what is beyond is replaced by a note. 0: no limit. */
  readonly maxLength: number;
  /** Whether a result that starts with `Error:` and has no explicit status counts as an error. */
  readonly errorPrefix: boolean;
  /** Status marks as plain words instead of symbols. */
  readonly ascii: boolean;
}
