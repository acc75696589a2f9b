import { checkTable, type TableProblem } from '../table/check-table.ts';
import type { Around, DialectTable } from '../table.ts';
import { type Fields, fieldsOf } from './call-shape.ts';
import { readDelimiter, textsOf } from './delimiter.ts';
import { readCallField } from './read-call-field.ts';
import { legacySchemaFields } from './read-response-schema.ts';
import { TemplateNotes } from './template-notes.ts';

/** What a template says, as a table. */
export interface ResponseTemplateReading {
  /** Absent where there are problems. */
  readonly table?: DialectTable;
  /** What cannot be read, each at its place in the template, with what to write instead. */
  readonly problems: readonly TableProblem[];
  /** What was assumed, and what of the template has no meaning here. */
  readonly notes: readonly string[];
}

const reasoningNames = ['thinking', 'reasoning', 'reasoning_content'];
const templateKeys = ['version', 'defaults', 'start_anchor', 'start_anchor_pattern', 'fields'];

/**
 * Reads a `response_template` of version 1, with which Hugging Face tokenizers say how a reply is read, or the older
 * `response_schema`. Its patterns are never matched: those that are literals in disguise become the markers of a form, and
 * all others are problems.
 *
 * Source: https://huggingface.co/docs/transformers/main/chat_response_parsing
 */
export function readResponseTemplate(value: unknown): ResponseTemplateReading {
  const notes = new TemplateNotes();
  const template = fieldsOf(value);
  const table = 'fields' in template ? readTemplate(template, notes) : readSchema(template, notes);
  const problems = notes.problems.length > 0 || table === undefined ? notes.problems : tableProblems(table);
  return { ...(problems.length === 0 && table !== undefined ? { table } : {}), problems, notes: notes.notes };
}

/** What no form could do with the literals that a template names. */
function tableProblems(table: DialectTable): readonly TableProblem[] {
  return checkTable(table).map(({ path, reason }) => ({
    path: ['fields', 'tool_calls'],
    reason: `makes a table whose ${path.join('.')} ${reason}`,
  }));
}

function readTemplate(template: Fields, notes: TemplateNotes): DialectTable | undefined {
  const { version = 1, fields } = template;
  if (version !== 1) notes.problem(['version'], `${JSON.stringify(version)} is unknown; known: 1`);
  for (const key of Object.keys(template)) {
    if (!templateKeys.includes(key)) notes.problem([key], `unknown key; known: ${templateKeys.join(', ')}`);
  }
  tellAnchor(template, notes);
  return readFields(fieldsOf(fields), notes.at('fields'));
}

function readSchema(schema: Fields, notes: TemplateNotes): DialectTable | undefined {
  if (!('properties' in schema) && !('x-regex' in schema)) {
    notes.problem([], 'is no response template: it has no "fields"');
    return undefined;
  }
  const fields = legacySchemaFields(schema, notes);
  return fields === undefined ? undefined : readFields(fields, notes);
}

function readFields(fields: Fields, notes: TemplateNotes): DialectTable | undefined {
  const around: { reasoning?: Around; turnEnds: string[]; silent: string[] } = { turnEnds: [], silent: [] };
  for (const [name, value] of Object.entries(fields)) {
    const field = fieldsOf(value);
    const at = notes.at(name);
    if (name === 'tool_calls') continue;
    if (reasoningNames.includes(name)) {
      const reasoning = readReasoning(field, at);
      if (reasoning !== undefined) around.reasoning = reasoning;
    } else if (name === 'content') {
      const open = textsOf(readDelimiter(field, 'open', at));
      const close = textsOf(readDelimiter(field, 'close', at));
      if (open.length === 0) around.turnEnds.push(...close);
      else around.silent.push(...open, ...close);
    } else at.problem([], 'is no part of a reply that clients know; leave it out');
  }
  if (fields.tool_calls === undefined) {
    notes.problem(['tool_calls'], 'is missing; a model without calls needs no dialect');
    return undefined;
  }
  const calls = readCallField(fieldsOf(fields.tool_calls), notes.at('tool_calls'));
  if (calls === undefined) return undefined;
  const { reasoning, turnEnds, silent } = around;
  return {
    ...calls,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(turnEnds.length === 0 ? {} : { turnEnds: turnEnds.map((text) => text.trim()) }),
    ...(silent.length === 0 ? {} : { silent: silent.map((text) => text.trim()) }),
  };
}

/** Where the prompt has opened the thinking, only its closer is written. */
function readReasoning(field: Fields, notes: TemplateNotes): Around | undefined {
  const [closer] = textsOf(readDelimiter(field, 'close', notes));
  if (opensInPrompt(field.open_pattern)) {
    notes.opened();
    return closer === undefined ? undefined : { opener: closer.replace('</', '<'), closer };
  }
  const [opener] = textsOf(readDelimiter(field, 'open', notes));
  if (opener === undefined || closer === undefined) {
    if (notes.problems.length === 0) notes.problem([], 'needs an opener and a closer');
    return undefined;
  }
  return { opener, closer };
}

/** A pattern that only looks ahead to the closer. */
function opensInPrompt(pattern: unknown): boolean {
  return typeof pattern === 'string' && pattern.startsWith('(?=') && pattern.endsWith(')');
}

/** The anchor is for prompts, which we never see; but it may say that the prompt opens the thinking. */
function tellAnchor(template: Fields, notes: TemplateNotes): void {
  const { start_anchor: literal, start_anchor_pattern: pattern } = template;
  const anchor = [literal, pattern].flat().find((each) => typeof each === 'string');
  if (typeof anchor === 'string' && anchor.includes('<think>')) {
    notes.opened();
  }
}
