import type { ToolChoice, ToolDefinition } from '../chat/tool.ts';
import { turnMarkers } from '../chat/turn-markers.ts';
import type { StageFactory } from '../stream/stage.ts';
import type { ParseContext, Span } from './dialect.ts';
import { bareArguments } from './forms/json/bare-arguments.ts';
import { jsonCalls } from './forms/json/json-call.ts';
import { createGrammar } from './parser/create-grammar.ts';
import { ticks } from './parser/markers/fence.ts';
import { createFrame } from './parser/reply-parser.ts';
import { ruleList } from './render/instructions.ts';
import { toolLines } from './render/lesson.ts';

/** What is called plain JSON where somebody is told of it. */
const formName = 'plain JSON';

/** A request that needs a call. */
export interface OwedCall {
  /** `required`, or a tool. */
  readonly choice: ToolChoice;
  /** The markers of the model's own dialect, which it may write around the JSON from habit. */
  readonly strays: readonly string[];
  /** Calls have to say their name: it is what shows that the model means them. Default: the arguments alone may do. */
  readonly onlyNamed?: boolean;
}

/** Markers that every dialect knows, and that no call stands behind. */
const reasoningTags: readonly string[] = ['<think>', '</think>', '<thinking>', '</thinking>'];

/**
 * Reads calls that are plain JSON, for a reply that needs one: servers that constrain a model to JSON take away the form
 * that it was taught, and some models fall back to JSON by themselves. An object with the name of a tool and arguments
 * counts at the start of a line, and in a fence; where only one tool can be meant, the reply may also be its arguments.
 */
export function createOwedJsonParser(context: ParseContext, owed: OwedCall): StageFactory<string, Span> {
  const around = owed.strays.filter((literal) => !reasoningTags.includes(literal));
  const names = context.tools.map(({ name }) => name);
  const only = owed.onlyNamed === true ? undefined : onlyTool(context.tools, owed.choice);
  const named = jsonCalls({
    openers: [...around, `${ticks}json`, ticks],
    closers: [...around, ticks],
    closerOptional: true,
    fenced: true,
    sequence: ',;',
    guarded: names,
    bare: names,
  });
  const calls = only === undefined ? [named] : [named, bareArguments({ tool: only, strays: around })];
  const frame = createFrame(createGrammar({ calls }), context);
  return (sink) => frame((span) => sink(span.kind === 'call' ? { ...span, of: formName } : span));
}

/** The tool that a call can only be of. */
function onlyTool(tools: readonly ToolDefinition[], choice: ToolChoice): ToolDefinition | undefined {
  if (typeof choice === 'object') return tools.find(({ name }) => name === choice.name);
  return tools.length === 1 ? tools[0] : undefined;
}

/** The system text that teaches the tools and asks for nothing but a call as plain JSON. Strays are escaped in it. */
export function renderOwedJson(tools: readonly ToolDefinition[], { choice, strays }: OwedCall): string {
  const owed = typeof choice === 'object' ? `the tool ${choice.name}` : 'one of the tools below';
  const form = `Call it with one JSON object that holds its name and its arguments:

{"name": "TOOL_NAME", "arguments": {"PARAMETER": "VALUE"}}`;
  const rules = [
    'Your reply is this object and nothing else: no words around it and no code fence.',
    'Call only a tool described here, by its exact name, and give every required parameter.',
    'Its result comes in the next message: never write or guess it yourself.',
  ];
  const intro = `Your next reply must call ${owed}. Each line describes one tool as JSON, with the JSON Schema of its parameters.`;
  return `# Tools\n\n${intro}\n\n${toolLines(tools, [...turnMarkers, ...strays]).join('\n')}\n\n${form}\n\n${ruleList(rules)}`;
}
