import type { ToolDefinition } from '../../chat/tool.ts';
import type { ToolPrompt } from '../dialect.ts';
import { escapeJsonMarkers } from './escape-json-markers.ts';

/** What a dialect teaches, apart from the rules that hold in all of them. */
interface Lesson {
  /** What comes before the tools: a sentence that says what follows. */
  readonly intro: string;
  /** The tools, as the model was trained to read them. */
  readonly tools: string;
  /** How a call is written: a sentence, an empty line and an example. */
  readonly form: string;
  /** Further rules, a sentence each. */
  readonly rules: readonly string[];
}

/** The system text that teaches tools. */
export function renderLesson(prompt: ToolPrompt, { intro, tools, form, rules }: Lesson): string {
  return `# Tools\n\n${intro}\n\n${tools}\n\n${form}\n\n${ruleList([...callRules(prompt), ...rules])}`;
}

/** A tool as JSON in the shape that models trained on function calling know, a line each, without these literals. */
export function toolLines(tools: readonly ToolDefinition[], literals: readonly string[]): readonly string[] {
  return tools.map((tool) => escapeJsonMarkers(functionJson(tool), literals));
}

/** The rules that hold in every dialect, one sentence each, worded by the request's choice and number of calls. */
export function callRules(prompt: ToolPrompt): readonly string[] {
  return [
    choiceRule(prompt),
    'You may write a short explanation before a call; text and calls can be in one reply.',
    prompt.parallel
      ? 'You may write several calls in one reply, one after the other. Calls that need the result of another call come in a later reply.'
      : 'Write at most one call in a reply, then wait for its result before the next one.',
    'Stop after your calls. Their results come in the next message: never write or guess a result yourself.',
    'Call only the tools described here, by their exact names, and give every required parameter.',
  ];
}

function choiceRule({ choice }: ToolPrompt): string {
  switch (choice) {
    case 'auto':
    case 'none':
      return 'Call a tool when it helps with the request; otherwise answer in plain text.';
    case 'required':
      return 'Your next reply must contain a call: an answer without one is not accepted.';
    default:
      return `Your next reply must call the tool ${choice.name}: an answer without that call is not accepted.`;
  }
}

/** The rules as a list. */
export function ruleList(rules: readonly string[]): string {
  return ['Rules:', ...rules.map((rule) => `- ${rule}`)].join('\n');
}

/** A tool as JSON on one line, in the shape that models trained on function calling know. */
export function functionJson(tool: ToolDefinition): string {
  return JSON.stringify({ type: 'function', function: functionFields(tool) });
}

/** The fields of a tool in a fixed order; an absent description stays absent. */
export function functionFields(tool: ToolDefinition): { readonly name: string; readonly [field: string]: unknown } {
  return {
    name: tool.name,
    ...(tool.description === undefined ? {} : { description: tool.description }),
    parameters: tool.inputSchema,
  };
}
