import type { ToolDefinition } from '../../chat/tool.ts';
import { SchemaView } from '../../json/schema.ts';
import { attributeCalls } from '../kit/attribute-call.ts';
import { mends } from '../kit/call-issues.ts';
import type { Kernel } from '../kit/create-grammar.ts';
import { defineDialect } from '../kit/define-dialect.ts';
import { type CallHeader, headedCalls } from '../kit/headed-json-call.ts';
import { jsonCalls } from '../kit/json-call.ts';
import { spokenCalls } from '../kit/spoken-call.ts';
import { bareName, type HeaderReader, impliedName } from '../kit/tag-header.ts';
import { taggedCalls } from '../kit/tagged-call.ts';
import { ToolTable } from '../kit/tool-table.ts';
import { nameMark, spokenOpeners, useTags } from './forms.ts';
import * as prompt from './prompt.ts';

const openers = ['[TOOL_REQUEST]'];
const closers = ['[END_TOOL_REQUEST]', '[TOOL_REQUEST_END]'];

/** JSON between two marks, and the other forms that models without training fall into. */
export const toolRequest = defineDialect({
  id: 'tool-request',
  summary: '`[TOOL_REQUEST]{"name":…,"arguments":{…}}[END_TOOL_REQUEST]`: any model by prompt, as LM Studio teaches it',
  prompt,
  grammar: ({ tools, policy }) => {
    const declared = new ToolTable(tools, policy?.names ?? 'normalised');
    return {
      calls: [
        jsonCalls({ openers, closers, fenced: true, sequence: ',', bare: tools.map(({ name }) => name) }),
        headedCalls({ openers, closers, separators: [], fenced: true }),
        ...tools.map(({ name }) => nameMarked(name)),
        genericTag(tools, declared),
        ...attributeCalls(tools, useTags),
        spokenCalls(tools, spokenOpeners),
        headedCalls({ openers: spokenOpeners, separators: [], closers: [], readHeader: declaredName(declared) }),
        reasonedActions(declared),
      ],
      sections: { openers: ['<tool>'], closers: ['</tool>'], optional: true },
      mendOf: (literal) => (literal === '[TOOL_REQUEST_END]' ? mends.otherCloser : undefined),
      results: ['[TOOL_RESULT]', 'Observation:'],
    };
  },
});

/**
 * `Action:` with the name and `Action Input:` with the arguments, as prompts of the ReAct kind ask for them. Both are words of
 * prose (`Action: none`), so the tool has to be declared.
 */
function reasonedActions(tools: ToolTable): Kernel {
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
function nameMarked(name: string): Kernel {
  return headedCalls({
    openers: [{ literal: nameMark(name), place: 'line-start' }],
    separators: [],
    closers,
    readHeader: (header) => (header === '' ? { name } : undefined),
  });
}

/** `<tool>` with a name and arguments, which are JSON or a tag each. */
function genericTag(tools: readonly ToolDefinition[], declared: ToolTable): Kernel {
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
