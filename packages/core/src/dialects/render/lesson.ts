import type { ToolDefinition } from '../../chat/tool.ts';
import type { ToolPrompt } from '../dialect.ts';
import { escapeJsonMarkers } from './escape-json-markers.ts';
import { functionJson } from './function-json.ts';
import { callRules, ruleList } from './instructions.ts';

/** What a dialect teaches, apart from the rules that hold in all of them. */
export interface Lesson {
  /** What stands in front of the tools: a sentence that says what follows. */
  readonly intro: string;
  /** The tools, as the model was trained to read them. */
  readonly tools: string;
  /** How a call is written: a sentence, an empty line and an example. */
  readonly form: string;
  /** Further rules, a sentence each. */
  readonly rules?: readonly string[];
}

/** The system text that teaches tools. Empty when there is nothing to teach. */
export function renderLesson(
  tools: readonly ToolDefinition[],
  prompt: ToolPrompt,
  lesson: (tools: readonly ToolDefinition[]) => Lesson,
): string {
  if (tools.length === 0 || prompt.choice === 'none') return '';
  const { intro, tools: described, form, rules = [] } = lesson(tools);
  return `# Tools\n\n${intro}\n\n${described}\n\n${form}\n\n${ruleList([...callRules(prompt), ...rules])}`;
}

/** A tool as JSON in the shape that models trained on function calling know, a line each, without these literals. */
export function toolLines(tools: readonly ToolDefinition[], literals: readonly string[]): readonly string[] {
  return tools.map((tool) => escapeJsonMarkers(functionJson(tool), literals));
}
