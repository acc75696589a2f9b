import {
  type PromptTemplate,
  type PromptValues,
  type PromptVariable,
  promptVariables,
  requiredVariables,
  type TemplateName,
} from '@dragoman/core';
import { didYouMean } from '../config/nearest-name.ts';
import { type JinjaTemplate, parseJinja } from './jinja.ts';

/** A line that holds nothing else divides a template into parts, and is between those that are said. */
const divider = '---';

/** More is no prompt; a parser of templates may need as much stack as they are deep. */
const longestTemplate = 256 * 1024;

/** One part of a template. */
interface TemplatePart {
  readonly mentions: ReadonlySet<PromptVariable>;
  readonly template: JinjaTemplate;
}

/**
 * Reads a template. What it may say is so little that saying it cannot fail: texts, `{{ variable }}`, `{% if %}`, and the
 * filters `trim`, `upper` and `lower`. A part whose variables are all empty is left out with its divider.
 *
 * Throws TemplateError for a syntax error, for everything else that Jinja could do, for a variable that does not exist,
 * for one that the prompt needs and the template lacks, and for one that it names but does not always say.
 */
export function readTemplate(name: TemplateName, source: string): PromptTemplate {
  if (source.length > longestTemplate) throw new TemplateError(1, `is longer than ${longestTemplate} characters`);
  const parts = partsOf(source).map(({ text, line }) => readPart(text, line));
  const mentions = new Set(parts.flatMap((part) => [...part.mentions]));
  const render = (values: PromptValues) => renderParts(parts, values);
  const missing = requiredVariables[name].find((variable) => !mentions.has(variable));
  if (missing !== undefined) {
    throw new TemplateError(1, `lacks {{ ${missing} }}, and nothing else says ${promptVariables[missing]}`);
  }
  for (const variable of mentions) if (clientTexts.has(variable)) probe(variable, render);
  return { mentions, headings: headingsOf(source), render };
}

function partsOf(source: string): readonly { readonly text: string; readonly line: number }[] {
  const lines = source.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  const dividers = lines.flatMap((line, at) => (line.trimEnd() === divider ? [at] : []));
  return [-1, ...dividers].map((before, index) => {
    const text = lines.slice(before + 1, dividers[index] ?? lines.length).join('\n');
    return { text, line: before + 2 };
  });
}

/** Lines that begin with a sign for a heading, as far as the template itself says them. */
function headingsOf(source: string): readonly string[] {
  const headings = source.split('\n').flatMap((line) => {
    const [own = ''] = line.split('{', 1);
    return own.startsWith('#') && own.trim().length > 1 ? [own.trim()] : [];
  });
  return [...new Set(headings)];
}

function readPart(text: string, line: number): TemplatePart {
  try {
    const template = parseJinja(text.trim());
    return { template, mentions: readVariables(template.parsed, text) };
  } catch (thrown) {
    if (thrown instanceof TemplateError) throw new TemplateError(line + thrown.line - 1, thrown.reason);
    throw new TemplateError(line + lineOfSyntaxError(text) - 1, whatIsWrong(thrown));
  }
}

/** What can be written, beside the parser's own words where it has some: at the end of a text it stumbles over its own feet. */
function whatIsWrong(thrown: unknown): string {
  if (!(thrown instanceof Error) || thrown instanceof TypeError) return 'what begins here is not ended';
  if (thrown instanceof RangeError) return 'is nested too deeply';
  return `what is here is not Jinja (${thrown.message}); tags are {{ variable }}, {% if variable %} … {% endif %} and {# comment #}`;
}

function renderParts(parts: readonly TemplatePart[], values: PromptValues): string {
  const said: string[] = [];
  for (const { mentions, template } of parts) {
    if (mentions.size > 0 && [...mentions].every((variable) => values[variable] === '')) continue;
    const text = template.render({ ...values });
    if (text.trim() !== '') said.push(text);
  }
  return said.join(`\n\n${divider}\n\n`);
}

/** What holds words of the client. A template may only test the others, or say them here and there. */
const clientTexts: ReadonlySet<PromptVariable> = new Set<PromptVariable>([
  'system',
  'tools',
  'instructions',
  'attachments',
  'context',
  'history',
  'results',
  'task',
]);

/** What a template names is taken out of the client's text, so it has to be said, whatever else is there. */
function probe(variable: PromptVariable, render: PromptTemplate['render']): void {
  // Without letters, so that it stays what it is in capitals.
  const mark = '{{ 7 * 7 }} {% 49 %}';
  const values = (others: string): PromptValues => ({ ...valuesOf(others), [variable]: mark });
  if (!render(values('')).includes(mark)) {
    throw new TemplateError(
      1,
      `says {{ ${variable} }} only where another variable has a value, so its text could get lost`,
    );
  }
  if (!render(values('1')).includes(mark)) {
    throw new TemplateError(1, `does not say {{ ${variable} }} where others have a value, so its text could get lost`);
  }
}

function valuesOf(value: string): PromptValues {
  return {
    system: value,
    tools: value,
    tool_list: value,
    call_example: value,
    instructions: value,
    rules: value,
    attachments: value,
    context: value,
    history: value,
    results: value,
    task: value,
  };
}

/**
 * The line of a text that is no template, from one. The parser does not tell, so we look for it: from that line on, each
 * beginning of the text fails in the very same way.
 */
function lineOfSyntaxError(text: string): number {
  const lines = text.split('\n');
  const whole = failureOf(text);
  let line = lines.length;
  while (line > 1 && failureOf(lines.slice(0, line - 1).join('\n')) === whole) line -= 1;
  return line;
}

function failureOf(text: string): string | undefined {
  try {
    parseJinja(text);
    return undefined;
  } catch (thrown) {
    return String(thrown);
  }
}

/** A template cannot be used. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  /** From one. */
  readonly line: number;
  readonly reason: string;

  constructor(line: number, reason: string) {
    super(`line ${line}: ${reason}`);
    this.line = line;
    this.reason = reason;
  }
}

/** What a template may consist of: each kind of node with the fields that hold others. All of it works on any text. */
const allowed: ReadonlyMap<string, readonly string[]> = new Map([
  ['Program', ['body']],
  ['Comment', []],
  ['StringLiteral', []],
  ['Identifier', []],
  ['If', ['test', 'body', 'alternate']],
  ['Ternary', ['condition', 'trueExpr', 'falseExpr']],
  ['BinaryExpression', ['left', 'right']],
  ['UnaryExpression', ['argument']],
  ['FilterExpression', ['operand']],
]);

/** So that neither reading nor saying a template ever needs much stack. */
const deepest = 100;

const operators: readonly string[] = ['and', 'or', 'not', '==', '!=', 'in', 'not in', '~'];

const filters: readonly string[] = ['trim', 'upper', 'lower'];

/** The variables that a parsed template names. Throws TemplateError for all that a prompt cannot use. */
function readVariables(program: unknown, source: string): ReadonlySet<PromptVariable> {
  const found = new Set<PromptVariable>();
  const visit = (node: unknown, depth: number): void => {
    if (depth > deepest) throw new TemplateError(1, `is nested deeper than ${deepest} levels`);
    const fields = fieldsOf(node);
    const type = textOf(fields.get('type'));
    const inner = allowed.get(type);
    if (inner === undefined) throw refused(type, source);
    if (type === 'Identifier') found.add(variableOf(textOf(fields.get('value')), source));
    if (type === 'FilterExpression') checkFilter(fieldsOf(fields.get('filter')), source);
    if (type.endsWith('aryExpression')) checkOperator(fieldsOf(fields.get('operator')), source);
    for (const child of inner.flatMap((field) => fields.get(field))) visit(child, depth + 1);
  };
  visit(program, 0);
  return found;
}

function variableOf(name: string, source: string): PromptVariable {
  for (const variable of variables) if (variable === name) return variable;
  const known = variables.join(', ');
  throw new TemplateError(
    lineOf(name, source),
    `there is no variable ${JSON.stringify(name)}; there are ${known}${didYouMean(name, variables)}`,
  );
}

function checkFilter(filter: ReadonlyMap<string, unknown>, source: string): void {
  const name = textOf(filter.get('value') ?? fieldsOf(filter.get('callee')).get('value'));
  if (filters.includes(name) && filter.get('type') === 'Identifier') return;
  const known = filters.join(', ');
  throw new TemplateError(lineOf(name, source), `prompts have no filter ${JSON.stringify(name)}; they have ${known}`);
}

function checkOperator(operator: ReadonlyMap<string, unknown>, source: string): void {
  const name = textOf(operator.get('value'));
  if (operators.includes(name)) return;
  const known = operators.join(', ');
  throw new TemplateError(lineOf(name, source), `prompts have no operator ${name}; they have ${known}`);
}

/** What people call the kinds of nodes that they are likely to try, and how it looks. */
const names: ReadonlyMap<string, { readonly told: string; readonly written: string }> = new Map([
  ['For', { told: '{% for %}: all variables are texts', written: 'for' }],
  ['Set', { told: '{% set %}', written: 'set' }],
  ['Macro', { told: '{% macro %}', written: 'macro' }],
  ['CallExpression', { told: 'functions', written: '(' }],
  ['MemberExpression', { told: 'parts of variables: they are texts', written: '.' }],
  [
    'TestExpression',
    { told: '"is": a variable is always there and may be empty, so {% if name %} does', written: 'is' },
  ],
]);

function refused(type: string, source: string): TemplateError {
  const name = names.get(type);
  return new TemplateError(
    name === undefined ? 1 : lineOf(name.written, source),
    `prompts have no ${name?.told ?? type}`,
  );
}

/** The line of the first tag that holds this word, from one. The parsed template does not tell. */
function lineOf(word: string, source: string): number {
  const tag = /\{\{.*?\}\}|\{%.*?%\}/gs;
  const bounded = /^\w+$/.test(word) ? new RegExp(`\\b${word}\\b`) : undefined;
  for (const { 0: text, index } of source.matchAll(tag)) {
    const at = bounded === undefined ? text.slice(2, -2).indexOf(word) + 2 : text.search(bounded);
    if (at >= (bounded === undefined ? 2 : 0)) return source.slice(0, index + at).split('\n').length;
  }
  return 1;
}

const variables: readonly PromptVariable[] = ((): PromptVariable[] => {
  const isVariable = (name: string): name is PromptVariable => name in promptVariables;
  return Object.keys(promptVariables).filter(isVariable);
})();

function fieldsOf(node: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof node === 'object' && node !== null ? Object.entries(node) : []);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
