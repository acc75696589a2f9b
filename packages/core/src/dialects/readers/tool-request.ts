import type { ToolDefinition } from '../../chat/tool.ts';
import { SchemaView } from '../../json/schema.ts';
import { type CallHeader, headedCalls } from '../forms/header/headed-json-call.ts';
import { bareName, type HeaderReader, impliedName } from '../forms/tags/tag-header.ts';
import { taggedCalls } from '../forms/tags/tagged-call.ts';
import { ToolTable } from '../parser/calls/tool-table.ts';
import type { CallsForm } from '../parser/create-grammar.ts';
import { spellings } from '../parser/markers/spellings.ts';
import type { TableReader } from '../table/parts.ts';
import { attributeCalls } from './attribute-call.ts';
import { spokenCalls } from './spoken-call.ts';

const openers = ['[TOOL_REQUEST]'];
const closers = ['[END_TOOL_REQUEST]', '[TOOL_REQUEST_END]'];

/** What models put in front of a call that they say in words. */
const spokenOpeners: readonly string[] = spellings(['✦', '✨', '🔧', '🛠️', '⚙️'], ['', ' '], ['tool_call:']);

/** The forms that models without training fall into beside JSON between two marks. */
export const toolRequestForms: TableReader = {
  grammar: (form, { tools, policy }) => {
    const declared = new ToolTable(tools, policy.names ?? 'normalised');
    return {
      ...form,
      calls: [
        ...form.calls,
        headedCalls({ openers, closers, separators: [], fenced: true }),
        ...tools.map(({ name }) => nameMarked(name)),
        genericTag(tools, declared),
        ...attributeCalls(tools, useTags),
        spokenCalls(tools, spokenOpeners),
        headedCalls({ openers: spokenOpeners, separators: [], closers: [], readHeader: declaredName(declared) }),
        reasonedActions(declared),
      ],
    };
  },
  markers: (tools) => [
    ...tools.flatMap(({ name }) => [`[${name}]`, ...useTags(name)]),
    ...['<name>', '</arguments>', ...spokenOpeners],
  ],
};

/** The tags whose attributes are the parameters of a tool. */
function useTags(name: string): readonly string[] {
  return [`<use ${name}`, `<use_${name}`];
}

/**
 * `Action:` with the name and `Action Input:` with the arguments, as prompts of the ReAct kind ask for them. Both are words of
 * prose (`Action: none`), so the tool has to be declared.
 */
function reasonedActions(tools: ToolTable): CallsForm {
  return headedCalls({
    openers: ['Action:'],
    separators: ['Action Input:'],
    closers: [],
    fenced: true,
    guarded: true,
    readHeader: declaredName(tools),
  });
}

/** Where words or common tags open a call, its tool has to be declared: prose and XML hold them, too. */
function declaredName(tools: ToolTable): (name: string) => CallHeader | undefined {
  return (name) => (tools.find(name) === undefined ? undefined : { name });
}

/** The name between brackets in place of the opener. */
function nameMarked(name: string): CallsForm {
  return headedCalls({
    openers: [{ literal: `[${name}]`, place: 'line-start' }],
    separators: [],
    closers,
    readHeader: (header) => (header === '' ? { name } : undefined),
  });
}

/** `<tool>` with a name and arguments, which are JSON or a tag each. */
function genericTag(tools: readonly ToolDefinition[], declared: ToolTable): CallsForm {
  const read = bareName({ ends: ['</name>'], behind: ['<arguments>'], behindNeeded: true });
  const header: HeaderReader = (scanner, index) => {
    const found = read(scanner, index);
    return typeof found === 'object' && declared.find(found.name) === undefined ? 'no' : found;
  };
  const keys = new Set(tools.flatMap(({ inputSchema }) => SchemaView.of(inputSchema).propertyNames));
  return taggedCalls({
    calls: [{ openers: ['<name>'], header }],
    callClosers: ['</arguments>'],
    parameters: [...keys].map((key) => ({ openers: [`<${key}>`], header: impliedName(key) })),
    parameterClosers: (key) => [`</${key}>`],
    // Both are asked for in prompts: a tag for each argument, and JSON.
    jsonParameters: [],
  });
}
