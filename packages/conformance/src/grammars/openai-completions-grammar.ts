import { type Departure, Departures, textsOf } from '../departures.ts';
import { type Fields, isWellFormed } from '../read-json.ts';
import { ChunkStream, checkWhole } from './chunk-stream.ts';

/** What a Completions stream is held to besides the rules of every one. */
export interface CompletionsGrammarOptions {
  /** The client asked for usage: one usage chunk has to come. Without it none may. */
  readonly includeUsage?: boolean;
}

/**
 * Checks a recorded stream of the older Completions API against what its clients need and the form that Dragoman gives it,
 * and says in words what breaks a rule. Knows nothing of who wrote the stream.
 */
export function completionsViolations(stream: string, options: CompletionsGrammarOptions = {}): string[] {
  return textsOf(checkCompletions(stream, options), 'frame');
}

/** The same, with the weight of each departure. */
export function checkCompletions(stream: string, options: CompletionsGrammarOptions = {}): readonly Departure[] {
  const out = new Departures();
  const chunks = new ChunkStream(out, {
    idPrefix: 'cmpl-',
    object: 'text_completion',
    fixed: {},
    finishReasons,
    includeUsage: options.includeUsage === true,
    choice: (choice, isFinal) => checkChoice(choice, { out, isFinal }),
  });
  chunks.read(stream);
  return out.all();
}

const choiceFields: readonly string[] = ['text', 'index', 'logprobs', 'finish_reason'];

function checkChoice(choice: Fields, { out, isFinal }: { readonly out: Departures; readonly isFinal: boolean }): void {
  if ('delta' in choice || 'message' in choice) out.violate('the choice is one of Chat Completions');
  else if (Object.keys(choice).some((field) => !choiceFields.includes(field))) out.form('the choice has other fields');
  if (typeof choice.text !== 'string') out.violate('text is not a string');
  else if (!isWellFormed(choice.text)) out.violate('a text holds half a character');
  else if (choice.text === '' && !isFinal) out.form('a chunk says nothing');
}

const finishReasons: readonly unknown[] = ['stop', 'length', 'content_filter'];

/** Checks a whole answer of the older Completions API. */
export function checkCompletion(body: unknown): readonly Departure[] {
  const choice = ({ text }: Fields, out: Departures) => {
    if (typeof text !== 'string') out.violate('text is not a string');
  };
  return checkWhole(body, { object: 'text_completion', finishReasons, choice });
}
