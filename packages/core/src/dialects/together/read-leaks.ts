import type { StageFactory } from '../../stream/stage.ts';
import type { ParseContext, Span } from '../dialect.ts';
import { createFrame } from '../parser/reply-parser.ts';
import { dialects } from '../registry.ts';
import { commonestFirst } from './read-any.ts';
import { createJointGrammar, noCalls } from './read-together.ts';

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

/** Without tools no form has calls that stand without a marker. */
const noTools: ParseContext = { tools: [] };

let grammarOf: ReturnType<typeof createJointGrammar> | undefined;

/**
 * Takes calls out of the text of a model that calls natively, whatever dialect they are written in, if that has markers of its
 * own. All else is delivered exactly as it was written, reasoning, channels and white space included. Each call says in `of`
 * which dialect it was written in.
 */
export function readLeaks(
  context: Pick<ParseContext, 'tools' | 'policy' | 'limits' | 'mayOpen' | 'watch'>,
): StageFactory<string, Span> {
  grammarOf ??= createJointGrammar(
    () => noCalls,
    commonestFirst(dialects).filter(({ id }) => !lookAlikes.has(id)),
    { takes: 'calls' },
  );
  const policy = { ...context.policy, reasoning: 'never', results: 'text', answers: 'text' } as const;
  return createFrame(grammarOf(noTools), { ...context, policy });
}
