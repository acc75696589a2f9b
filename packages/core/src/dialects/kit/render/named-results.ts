import type { ToolDefinition } from '../../../chat/tool.ts';
import type { PastResult } from '../../dialect.ts';
import type { GrammarForm } from '../create-grammar.ts';
import { rememberedFor } from '../remembered.ts';
import { resultLine } from './result-line.ts';

/** Each result under the name of its tool, plain: where a model's own frame is a turn, which is not ours to open. */
export function namedResults(results: readonly PastResult[]): string {
  return results.map((result) => `${heading(result.call.name)}${resultLine(result)}`).join('\n\n');
}

/** How such a result begins: only we may write one. */
export function namedResultOpeners(tools: readonly ToolDefinition[]): readonly string[] {
  return tools.map(({ name }) => heading(name));
}

function heading(name: string): string {
  return `Result of ${name}:\n`;
}

interface WithTools {
  readonly tools: readonly ToolDefinition[];
}

/** A form of which such results are a part, for the tools of a request. The same one for the same tools. */
export function withNamedResults(
  form: GrammarForm | ((context: WithTools) => GrammarForm),
): (context: WithTools) => GrammarForm {
  const formFor = rememberedFor((tools: readonly ToolDefinition[]): GrammarForm => {
    const own = typeof form === 'function' ? form({ tools }) : form;
    return { ...own, results: [...(own.results ?? []), ...namedResultOpeners(tools)] };
  });
  return ({ tools }) => formFor(tools);
}
