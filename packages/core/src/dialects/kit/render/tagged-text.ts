import type { ToolDefinition } from '../../../chat/tool.ts';
import type { PastCall } from '../../dialect.ts';
import { pastParameters, pastText } from './past-arguments.ts';
import { quotedName } from './quoted-name.ts';
import type { TextValueForm } from './text-value.ts';

/** How values stand in tags, as a rule for the model. */
export const rawValueRule =
  'Write strings as they are, without quotes and without escaping; white space counts. Write objects, arrays, numbers and booleans as JSON.';

/** How a dialect writes calls whose parameters stand one by one, as text (kernels X1 and K1). */
export interface TaggedTextForm extends Pick<TextValueForm, 'markup'> {
  readonly opener: (name: string) => string;
  /** A parameter with its value, which is written already. */
  readonly parameter: (key: string, value: string) => string;
  readonly closer: string;
  /** Default `never`. */
  readonly padded?: TextValueForm['padded'];
  /** What stands between opener, parameters and closer. Default a newline. */
  readonly between?: string;
}

/** Past calls, each with its parameters one by one. Arguments that are no object are one parameter named `arguments`. */
export function taggedTexts(
  calls: readonly PastCall[],
  tools: readonly ToolDefinition[],
  form: TaggedTextForm,
): readonly string[] {
  const { opener, parameter: write, closer, markup, padded = 'never', between = '\n' } = form;
  return calls.map((call) => {
    const parameters = pastParameters(call, tools).map((parameter) =>
      write(parameter.key, pastText(parameter, { markup, padded })),
    );
    return [opener(call.name), ...parameters, closer].join(between);
  });
}

/** Tags of invokes and parameters, with the name in an attribute and something in front of the tag's own. */
export function invokeTags(prefix = ''): Pick<TaggedTextForm, 'opener' | 'parameter' | 'closer'> {
  return {
    opener: (name) => `<${prefix}invoke name=${quotedName(name)}>`,
    parameter: (key, value) => `<${prefix}parameter name=${quotedName(key)}>${value}</${prefix}parameter>`,
    closer: `</${prefix}invoke>`,
  };
}

/** Tools as JSON lines between tags, as many models were trained to read them: what stands in front, and the block. */
export function toolsBlock(
  lines: readonly string[],
  tag = 'tools',
): { readonly intro: string; readonly tools: string } {
  return {
    intro: `You can call the tools below. Each line between <${tag}> and </${tag}> describes one tool as JSON, with the JSON Schema of its parameters.`,
    tools: `<${tag}>\n${lines.join('\n')}\n</${tag}>`,
  };
}
