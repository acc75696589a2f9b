import { canonicalJson } from '../../json/canonical-json.ts';
import { kindOfValue } from '../../json/json-type.ts';
import { cdataOpen } from '../forms/tags/value-end.ts';
import { escapeJsonMarkers } from '../render/escape-json-markers.ts';
import { functionJson } from '../render/lesson.ts';
import { type PastParameter, pastParameters } from '../render/past-calls.ts';
import type { TableReader } from '../table/parts.ts';

/** What would be read as markup inside a string that is as it is. */
const valueMarkup = ['<|open|>', '<|close|>', '<|sep|>', cdataOpen];

/** XTML of Kimi K3: two characters are escaped in attributes, an attribute says the type of each value, tools stand with their keys in order. */
export const xtml: TableReader = {
  attributes: { write: escapeAttribute, read: unescapeAttribute },
  writeCall: ({ call, at, tools }) => {
    const head = `<|open|>call tool="${escapeAttribute(call.name)}" index="${at + 1}"<|sep|>`;
    return `${head}${writeArguments(pastParameters(call, tools))}<|close|>call<|sep|>`;
  },
  describe: (tool, literals) => {
    return escapeJsonMarkers(canonicalJson(JSON.parse(functionJson(tool))), [...literals, '```']);
  },
};

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

/** The text that `escapeAttribute` was given. */
function unescapeAttribute(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

/** One element for each argument; all of them as one JSON element where a string holds markup, which only JSON can escape. */
function writeArguments(parameters: readonly PastParameter[]): string {
  const texts = parameters.map(({ json }) => JSON.parse(json)).filter((value) => typeof value === 'string');
  if (texts.some((text) => valueMarkup.some((literal) => text.includes(literal)))) {
    const members = parameters.map(({ key, json }) => `${JSON.stringify(key)}:${json}`);
    const object = escapeJsonMarkers(`{${members.join(',')}}`, valueMarkup);
    return `<|open|>json type="object"<|sep|>${object}<|close|>json<|sep|>`;
  }
  return parameters.map(writeArgument).join('');
}

function writeArgument({ key, json }: PastParameter): string {
  const value: unknown = JSON.parse(json);
  const written = typeof value === 'string' ? value : escapeJsonMarkers(json, valueMarkup);
  const head = `<|open|>argument key="${escapeAttribute(key)}" type="${kindOfValue(value)}"<|sep|>`;
  return `${head}${written}<|close|>argument<|sep|>`;
}
