import type { ToolDefinition } from '../../chat/tool.ts';
import { mends } from './call-issues.ts';
import type { GrammarForm, Kernel } from './create-grammar.ts';
import { mendedCalls } from './mended-calls.ts';
import { namedTagCalls } from './named-tag-call.ts';
import { rememberedFor } from './remembered.ts';
import { bareName } from './tag-header.ts';

const callTag = {
  opener: '<function=',
  header: bareName({ ends: ['>'] }),
  headerOf: (tool: string) => `${tool}>`,
  closer: '</function>',
};

/** A form of `<function=NAME>` in which models also write the names of parameters as tags: `<path>a</path>`. */
export function withNamedTags(
  form: GrammarForm,
): (context: { readonly tools: readonly ToolDefinition[] }) => GrammarForm {
  const formFor = rememberedFor((tools: readonly ToolDefinition[]): GrammarForm => {
    const named: Kernel = namedTagCalls(tools, { tagOf: (name) => name, fold: false, callTag });
    return { ...form, calls: [...form.calls, mendedCalls(named, () => mends.spelling)] };
  });
  return ({ tools }) => formFor(tools);
}
