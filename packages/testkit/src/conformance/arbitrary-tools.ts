import type { Dialect, PastCall, ToolDefinition } from '@dragoman/core';
import fc from 'fast-check';
import { anyPlace, type Member, members, objectPlace, type Place } from './arbitrary-schema.ts';
import { awkwardString } from './arbitrary-text.ts';
import { sampleTools } from './sample-tools.ts';

/** Tools, and a round of calls of them whose arguments fit their schemas. */
export interface Round {
  readonly tools: readonly ToolDefinition[];
  readonly calls: readonly PastCall[];
}

const toolNames: readonly string[] = [
  ...['read', 'read_all', 'do-it', 'a', 'Run2', 'mcp__srv__get', 'mcp.server:do-it', 'list', 'name', 'arguments'],
  `x${'y'.repeat(60)}`,
];

/**
 * Not among them, since no form but JSON can say them: the empty name, names with `>`, `=`, line breaks or white space at an
 * edge, which end a bare name in a tag (`<parameter=NAME>`), and names with both kinds of quotation marks, which attributes
 * cannot hold.
 */
const parameterName = fc.constantFrom(
  ...['path', 'q', 'max_results', 'text', 'name', 'arguments', 'id', 'type', 'input', 'item', 'camelCase'],
  ...['a-b', 'a.b', 'a b', '$top', '@id', '_', '__proto__', "it's", 'a"b', 'a<b', 'a:b', 'a,b', 'a)', '{', '0', 'None'],
  ...['for', 'constructor', 'ключ', '漢字'],
);

/** One to three tools that a client might declare, and as many calls of them, as far as the dialect can write them. */
export function anyRound(dialect: Dialect): fc.Arbitrary<Round> {
  const options = { strings: awkwardString(dialect.markers(sampleTools)), bareText: writesBareText(dialect) };
  const tool = fc.record({
    name: fc.constantFrom(...toolNames),
    members: members(parameterName, anyPlace(options), 4),
  });
  const tools = fc.uniqueArray(tool, { minLength: 1, maxLength: 3, selector: ({ name }) => name });
  return fc.tuple(tools, fc.array(fc.nat(2), { minLength: 1, maxLength: 3 }), fc.nat(20)).map(roundOf);
}

function roundOf([declared, picks, first]: [{ name: string; members: Member[] }[], number[], number]): Round {
  const roots = declared.map(({ name, members: list }) => ({ name, place: objectPlace(list) }));
  const calls = picks.flatMap((pick, index) => {
    const root = roots[pick % roots.length];
    const ordinal = first + index;
    if (root === undefined) return [];
    const { name, place } = root;
    return {
      callId: `call_${ordinal}`,
      nativeId: `functions.${name}:${ordinal}`,
      ordinal,
      name,
      arguments: place.value,
    };
  });
  return { tools: roots.map(({ name, place }) => ({ name, inputSchema: JSON.parse(withDefs(place)) })), calls };
}

/**
 * Does the dialect write a string and a number alike? Where the schema says nothing of a value, or lets a string stand
 * beside the number, nobody can tell them apart then.
 */
export function writesBareText(dialect: Dialect): boolean {
  const tools = [{ name: 'read', inputSchema: { type: 'object', properties: { free: {} } } }];
  const [text, number] = ['"5"', '5'].map((value) => {
    return dialect.renderCalls([{ callId: 'a', ordinal: 0, name: 'read', arguments: `{"free":${value}}` }], tools);
  });
  return text === number;
}

function withDefs({ schema, defs }: Place): string {
  const entries = Object.entries(defs).map(([key, json]) => `${JSON.stringify(key)}:${json}`);
  return entries.length === 0 ? schema : `${schema.slice(0, -1)},"$defs":{${entries.join(',')}}}`;
}
