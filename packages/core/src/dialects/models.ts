// Table: which dialect a model was trained to write, by a part of its name.

/** Models whose names show that they write a dialect. */
export interface KnownModel {
  /** Lower-case part of the model's name. */
  readonly part: string;
  /** The id of a built-in dialect. */
  readonly dialect: string;
  /** Lower-case parts of names that hold `part`, too, but belong to models that write another form or call natively. */
  readonly except?: readonly string[];
}

/** In the order in which they are tried. Sources: the chat templates published with each. */
export const knownModels: readonly KnownModel[] = [
  { part: 'kimi-k2', dialect: 'kimi-k2' },
  { part: 'hermes-2', dialect: 'hermes' },
  { part: 'hermes-3', dialect: 'hermes' },
  { part: 'hermes-4', dialect: 'hermes' },
  { part: 'qwen2.5', dialect: 'hermes', except: ['qwen2.5-vl', 'qwen2.5vl'] },
  // Qwen3-Coder and everything from 3.5 on write XML inside <tool_call>; the hosted Max models call natively.
  { part: 'qwen3', dialect: 'hermes', except: ['qwen3-coder', 'qwen3.', 'qwen3-max'] },
  { part: 'qwq', dialect: 'hermes' },
  { part: 'granite-4', dialect: 'hermes' },
  { part: 'granite4', dialect: 'hermes' },
];

/** What a model is taught whose server takes no tools and whose name tells nothing: the form that most open models know. */
export const taughtDialect = 'hermes';

/** The dialect that a model of this name writes, if it is known to write one. Letter case does not matter. */
export function dialectOfModel(name: string): string | undefined {
  const lower = name.toLowerCase();
  const found = knownModels.find(
    ({ part, except = [] }) => lower.includes(part) && !except.some((other) => lower.includes(other)),
  );
  return found?.dialect;
}
