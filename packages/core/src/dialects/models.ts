// Table: which dialect a model was trained to write, by a part of its name.

interface KnownModel {
  /** Lower-case part of the model's name. */
  readonly part: string;
  readonly dialect: string;
}

/** Sources: the chat templates published with each. */
const knownModels: readonly KnownModel[] = [
  { part: 'kimi-k2', dialect: 'kimi-k2' },
  { part: 'hermes-2', dialect: 'hermes' },
  { part: 'hermes-3', dialect: 'hermes' },
  { part: 'hermes-4', dialect: 'hermes' },
  { part: 'qwen2.5', dialect: 'hermes' },
  { part: 'qwq', dialect: 'hermes' },
  { part: 'granite-4', dialect: 'hermes' },
];

/** Models whose names hold a known part but that write another form. */
const exceptions: readonly string[] = ['qwen2.5-vl'];

/** The dialect that a model of this name writes, if it is known to write one. */
export function dialectOfModel(name: string): string | undefined {
  const lower = name.toLowerCase();
  if (exceptions.some((part) => lower.includes(part))) return undefined;
  return knownModels.find((known) => lower.includes(known.part))?.dialect;
}
