import { createEscape } from '../chat/escape.ts';
import { Remembered } from '../chat/known-texts.ts';
import { madeOnce } from '../chat/made-once.ts';
import type { ToolDefinition } from '../chat/tool.ts';
import { turnMarkers } from '../chat/turn-markers.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { ToolDocForm } from '../plan/prompt-template.ts';
import { exampleCall } from './example-exchange.ts';
import { renderToolDoc } from './tool-docs.ts';

/** As for `teachTools`. */
const maxRemembered = 16;

const memoryOf = madeOnce((_: Dialect) => new Remembered<string>(maxRemembered));

/** The tools in short, for a model that has been taught them. No description of theirs can forge a call. */
export function listTools(dialect: Dialect, tools: readonly ToolDefinition[], form: ToolDocForm): string {
  const key = JSON.stringify([form, tools]);
  return memoryOf(dialect).of(key, () => {
    const docs = tools
      .map((tool) => renderToolDoc(tool, form))
      .join(form === 'line' || form === 'signature' ? '\n' : '\n\n');
    return createEscape([...turnMarkers, ...dialect.markers(tools)])(docs).text;
  });
}

/** A call of the first tool, as the model writes it; empty without tools. */
export function showCall(dialect: Dialect, tools: readonly ToolDefinition[]): string {
  const [first] = tools;
  return memoryOf(dialect).of(JSON.stringify(['call', first]), () => {
    const call = exampleCall(tools);
    return call === undefined ? '' : dialect.renderCalls([call], tools);
  });
}

/** A short text that ends a message of the user. */
export function remindOfCalls(dialect: Dialect, tools: readonly ToolDefinition[]): string {
  return `(To call a tool, write the call in this form:\n${showCall(dialect, tools)})`;
}
