import type { PastCall, TableDialect, ToolDefinition } from '@dragoman/core';
import { run } from '@dragoman/core/stream/stage';
import { findingsOf } from './finding.ts';
import { type CasePage, readCasePage } from './read-case-page.ts';
import { writeFinding } from './read-finding.ts';
import { readTools } from './read-tools.ts';

/**
 * A page of cases that hold for every dialect, as this one writes them. In its outputs and texts `⟦read {"path": "a"}⟧` is the
 * call as the dialect writes it, `⟦list {} + list {}⟧` two of them in one round, `⟦think⟧` and `⟦/think⟧` what is around its
 * reasoning, `⟦result⟧` a result of `list` as it writes one. `call ⟦list {}⟧` in `spans` is what it finds in this call where
 * nothing is around it, whose name and arguments have to be those. Throws where they are not.
 */
export function sharedPage(markdown: string, dialect: TableDialect): CasePage {
  const tools = toolsOf(markdown);
  let fence: { readonly word: string; readonly marks: string } | undefined;
  const lines = markdown.split('\n').map((line) => {
    if (fence === undefined) {
      const marks = line.startsWith('~~~') ? '~~~' : line.startsWith('```') ? '```' : undefined;
      if (marks !== undefined) fence = { marks, word: line.slice(marks.length).trim() };
      return line;
    }
    const { word, marks } = fence;
    if (line === marks) {
      fence = undefined;
      return line;
    }
    if (word === 'spans' && line.startsWith('call ⟦')) return foundAlone(line.slice(6, -1), dialect, tools);
    return filled(line, (token) => {
      const written = writtenAs(token, dialect, tools);
      return word === 'output' ? written : JSON.stringify(written).slice(1, -1);
    });
  });
  return readCasePage(lines.join('\n'));
}

/** The dialects for which a case on a page says that it does not hold: on the line after its words `Not in`, each in backticks. */
export function exceptedIn(page: string): readonly string[] {
  const [, list = ''] = page.split('Not in ');
  return [...(list.split('\n')[0] ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
}

function toolsOf(markdown: string): ToolDefinition[] {
  const lines = markdown.split('\n');
  const start = lines.indexOf('```tools');
  return readTools(lines.slice(start + 1, lines.indexOf('```', start + 1)).join('\n'));
}

function filled(line: string, textOf: (token: string) => string): string {
  return line.replaceAll(/⟦([^⟧]*)⟧/g, (_, token: string) => textOf(token));
}

function callsIn(token: string): readonly PastCall[] {
  return token.split(/(?<=\}) \+ (?=\w+ \{)/).map((call, ordinal) => {
    const space = call.indexOf(' ');
    return { callId: `call_${ordinal}`, ordinal, name: call.slice(0, space), arguments: call.slice(space + 1) };
  });
}

function writtenAs(token: string, dialect: TableDialect, tools: readonly ToolDefinition[]): string {
  if (token === 'think' || token === '/think') return reasoningOf(dialect)[token === 'think' ? 0 : 1];
  if (token === 'result') {
    const [call] = callsIn('list {}');
    return call === undefined ? '' : dialect.renderResults([{ call, status: 'ok', text: 'a.md' }]);
  }
  return dialect.renderCalls(callsIn(token), tools);
}

/** The first pair of the table that is no words of prose; else what every dialect knows. */
function reasoningOf({ table: { reasoning = [] } }: TableDialect): readonly [opener: string, closer: string] {
  const pairs = 'opener' in reasoning ? [reasoning] : reasoning;
  const pair = pairs.find(({ atStart }) => !atStart);
  if (pair === undefined) return ['<think>', '</think>'];
  const [first = ''] = typeof pair.opener === 'string' ? [pair.opener] : pair.opener;
  return [typeof first === 'string' ? first : first.text, pair.closer];
}

function foundAlone(token: string, dialect: TableDialect, tools: readonly ToolDefinition[]): string {
  const calls = callsIn(token);
  const found = findingsOf(run(dialect.createParser({ tools }), [dialect.renderCalls(calls, tools)]));
  const whole = found.flatMap((finding) => (finding.kind === 'call' ? [finding] : []));
  const said = whole.map((call) => [call.name, JSON.parse(call.arguments)]);
  const wanted = calls.map((call) => [call.name, JSON.parse(call.arguments)]);
  if (JSON.stringify(said) !== JSON.stringify(wanted)) {
    throw new Error(`${dialect.id} reads its own ${token} as ${JSON.stringify(said)}`);
  }
  return whole.map(writeFinding).join('\n');
}
