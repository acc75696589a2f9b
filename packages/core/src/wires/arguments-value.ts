import type { ToolCallPart } from '../chat/message.ts';
import type { Warning } from '../chat/warning.ts';
import { quoteName } from '../chat/warning.ts';
import { compactJson } from '../json/compact-json.ts';
import { nestsTooDeeply } from '../json/json-depth.ts';
import { JsonText } from '../json/json-text.ts';
import { parsedJson } from '../json/parsed-json.ts';

/**
 * The arguments of a past call for a body that wants an object there: their value, or their own text where JavaScript
 * would write the value otherwise, be it the digits of a number or a key that comes twice. What is no JSON object, or
 * nests more deeply than anybody reads, is in one and is told: the model sees what it wrote.
 */
export function argumentsValue(call: Pick<ToolCallPart, 'name' | 'arguments'>, warnings: Warning[]): object {
  const value = objectOf(call.arguments);
  if (value !== undefined) return value;
  const message = `The arguments of a past call of ${quoteName(call.name)} are not a JSON object; they were sent as text.`;
  warnings.push({ code: 'json-repaired', message });
  return { arguments: call.arguments };
}

function objectOf(json: string): object | undefined {
  if (nestsTooDeeply(json)) return undefined;
  const value = parsedJson(json);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const written = JSON.stringify(value);
  return written === json || written === compactJson(json) ? value : new JsonText(json);
}
