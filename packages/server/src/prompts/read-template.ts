import {
  type PromptTemplate,
  type PromptValues,
  type PromptVariable,
  promptVariables,
  requiredVariables,
  type TemplateName,
} from '@dragoman/core';
import { type JinjaTemplate, parseJinja } from './jinja.ts';
import { lineOfSyntaxError } from './line-of-syntax-error.ts';
import { readVariables } from './read-variables.ts';
import { TemplateError } from './template-error.ts';

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
  return `what is here is no Jinja (${thrown.message}); tags are {{ variable }}, {% if variable %} … {% endif %} and {# comment #}`;
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
