import { isObject } from '../read-fields.ts';
import type { CallerFields } from './written-request.ts';

export interface CallerOptions {
  readonly fields: CallerFields;
  readonly toolChoice: unknown;
  readonly providerOptions: Readonly<Record<string, unknown>>;
}

/** What callers of the language model API name their options, and OpenResponses' name for each. */
const fields: Readonly<Record<string, string>> = {
  temperature: 'temperature',
  top_p: 'top_p',
  topP: 'top_p',
  max_output_tokens: 'max_output_tokens',
  maxOutputTokens: 'max_output_tokens',
  max_completion_tokens: 'max_output_tokens',
  max_tokens: 'max_output_tokens',
  maxTokens: 'max_output_tokens',
  presence_penalty: 'presence_penalty',
  frequency_penalty: 'frequency_penalty',
  parallel_tool_calls: 'parallel_tool_calls',
  max_tool_calls: 'max_tool_calls',
  text: 'text',
  truncation: 'truncation',
  metadata: 'metadata',
  service_tier: 'service_tier',
  safety_identifier: 'safety_identifier',
  prompt_cache_key: 'prompt_cache_key',
};

/** The smallest limit that OpenResponses takes. */
const leastOutput = 16;

/**
 * Whether Copilot Chat asks for a title, a summary or the like: it marks every request, and turns of a chat once more. Such
 * a request needs no thought, and is not what a person looks for when they want to know about their last turn.
 */
export function isUtility(options: Readonly<Record<string, unknown>> | undefined): boolean {
  return options?._capturingTokenCorrelationId !== undefined && options._enableThinking === undefined;
}

/**
 * Fields of a request from the options that its caller set. VS Code's own, which begin with an underscore, never leave;
 * what OpenResponses has no field for is left out with a note.
 */
export function readModelOptions(
  options: Readonly<Record<string, unknown>> | undefined,
  note: (text: string) => void,
): CallerOptions {
  const written: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options ?? {})) {
    if (name.startsWith('_') || value === undefined || value === null) continue;
    if (name === 'tool_choice' || name === 'providerOptions') continue;
    const field = fields[name];
    if (field === undefined) note(`the option ${name} was left out: OpenResponses has no such field`);
    else written[field] = value;
  }
  if (typeof written.max_output_tokens === 'number' && written.max_output_tokens < leastOutput) {
    note(`max_output_tokens was raised to ${leastOutput}, the least that OpenResponses takes`);
    written.max_output_tokens = leastOutput;
  }
  if (written.metadata !== undefined) {
    const metadata = trimMetadata(written.metadata, note);
    if (metadata === undefined) delete written.metadata;
    else written.metadata = metadata;
  }
  return {
    fields: written as CallerFields,
    toolChoice: options?.tool_choice,
    providerOptions: isObject(options?.providerOptions) ? options.providerOptions : {},
  };
}

const limits = { keys: 16, name: 64, value: 512 };

/** The first 16 entries, names cut at 64 characters, values written as text and cut at 512. */
function trimMetadata(value: unknown, note: (text: string) => void): Readonly<Record<string, string>> | undefined {
  if (!isObject(value)) {
    note('metadata was left out: it is not an object');
    return undefined;
  }
  const entries = Object.entries(value);
  if (entries.length > limits.keys) note(`${entries.length - limits.keys} entries of metadata were left out`);
  const kept = entries.slice(0, limits.keys).map(([name, entry]) => {
    const text = typeof entry === 'string' ? entry : (JSON.stringify(entry) ?? '');
    if (name.length > limits.name || text.length > limits.value) note(`metadata ${name.slice(0, 20)} was cut`);
    return [name.slice(0, limits.name), text.slice(0, limits.value)] as const;
  });
  return Object.fromEntries(kept);
}
