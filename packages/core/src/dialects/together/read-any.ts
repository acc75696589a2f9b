import { endsInHalf } from '../../json/json-characters.ts';
import type { StageFactory } from '../../stream/stage.ts';
import type { Dialect, ParseContext, Span } from '../dialect.ts';
import type { Grammar } from '../parser/grammar.ts';
import { createSpanParser } from '../parser/reply-parser.ts';
import { literalStart } from '../parser/scanner.ts';
import { dialects } from '../registry.ts';
import { createJointGrammar, noCalls, readTogether } from './read-together.ts';

/** What stands for a dialect where calls are read in whatever form the model writes them. */
export const anyDialect = 'any';

/**
 * Forms that models of many families write, the commonest first: where several dialects would find a call after the same
 * marker, the first of them is reported. The others follow by name.
 */
const commonest: readonly string[] = [
  ...['hermes', 'qwen3-coder', 'anthropic-xml', 'glm', 'mistral-args', 'kimi-k2', 'deepseek-v3.1', 'deepseek-dsml'],
  ...['llama3-json', 'pythonic', 'granite', 'phi4-mini', 'functionary-v3.1', 'jamba', 'fenced-json'],
];

/**
 * Teaches this dialect and reads all of them: the built-in ones, and `more` beside them, of which those that have a parser of
 * their own are left out.
 */
export function readAny(taught: Dialect, more: Iterable<Dialect> = []): Dialect {
  const known = new Map<string, Dialect>(dialects);
  for (const dialect of more) known.set(dialect.id, dialect);
  return readTogether(
    taught,
    commonestFirst(known).filter(({ grammar }) => grammar !== undefined),
  );
}

/** These dialects, those that most models write before the others. */
export function commonestFirst(known: ReadonlyMap<string, Dialect>): readonly Dialect[] {
  const first = commonest.flatMap((id) => known.get(id) ?? []);
  return [...new Set([...first, ...known.values()])];
}

/**
 * Dialects whose calls look like prose, code or data: nobody could tell one that leaked from one that was shown. Those that
 * begin with a word are among them: a native stream would wait at each of its letters.
 */
export const lookAlikes: ReadonlySet<string> = new Set([
  'cline-xml',
  'command-r',
  'fenced-json',
  'functionary-v3.2',
  'gemma-fence',
  'gigachat3',
  'mcp-xml',
  'phi4-mini',
  'pythonic',
  'tool-request',
  'xlam',
]);

/** Without tools no form has calls that are without a marker. */
const noTools: ParseContext = { tools: [] };

let leaks: Grammar | undefined;

/**
 * Takes calls out of the text of a model that calls natively, whatever dialect they are written in, if that has markers of its
 * own. All else is delivered exactly as it was written, reasoning, channels and white space included. Each call says in `of`
 * which dialect it was written in.
 */
export function readLeaks(
  context: Pick<ParseContext, 'tools' | 'policy' | 'limits' | 'mayOpen' | 'watch'>,
): StageFactory<string, Span> {
  const policy = { ...context.policy, reasoning: 'never', results: 'text', answers: 'text' } as const;
  return createSpanParser(leakGrammar(), { ...context, policy });
}

/**
 * Up to where a text is nothing but text to `readLeaks`: its end may be the beginning of a marker. Undefined where there is one. It goes on
 * after what is text, or after nothing (`isFirst`), so that no dialect has been shown yet.
 */
export function plainUpTo(text: string, isFirst: boolean): number | undefined {
  const { markers, firstSections } = leakGrammar();
  const section = isFirst ? firstSections.find(text, 0, false) : 'no';
  if (section !== 'no') return section === 'more' ? 0 : undefined;
  const { starts } = markers;
  for (let at = starts.find(text, 0); at < text.length; at = starts.find(text, at + 1)) {
    const found = markers.find(text, at, false);
    if (found === 'more') return at;
    if (found !== 'no' && found.value().some(({ counts }) => counts !== 'shown')) return undefined;
  }
  return endsInHalf(text) ? text.length - 1 : text.length;
}

/** The markers of `readLeaks` that may open a call, up to where anything may follow. Each text that `mayOpen` is asked about begins with one. */
export function leakMarkers(): readonly string[] {
  const { markers } = leakGrammar();
  const opens = markers.entries().filter(([, meanings]) => meanings().some(({ marker }) => marker.kind === 'opener'));
  return opens.map(([marker]) => literalStart(marker));
}

function leakGrammar(): Grammar {
  leaks ??= createJointGrammar(
    () => noCalls,
    commonestFirst(dialects).filter(({ id }) => !lookAlikes.has(id)),
    { takes: 'calls' },
  ).of(noTools);
  return leaks;
}
