import type { ToolDefinition } from '@dragoman/core';
import { readParameterLines } from './read-parameter-lines.ts';

interface Section {
  readonly name: string;
  readonly lines: string[];
}

/**
 * Reads tools out of a manual: a heading that is one word, the tool's name; a description; a line that begins with
 * `Parameters`; one list item for each parameter. Where the manual shows calls as tags, a heading without a tag of its
 * name (such as `## Notes` inside a description) does not begin a tool.
 */
export function readManual(text: string): ToolDefinition[] {
  const sections = cutSections(text, tagNames(text));
  return sections.flatMap(({ name, lines }) => {
    const start = lines.findIndex((line) => isLabel(line, 'parameters'));
    if (start === -1) return [];
    const description = readDescription(lines.slice(0, start));
    const { properties, required } = readParameterLines(lines.slice(start + 1));
    const inputSchema = { type: 'object', properties, required };
    return [description === '' ? { name, inputSchema } : { name, description, inputSchema }];
  });
}

function cutSections(text: string, tags: ReadonlySet<string>): Section[] {
  const headings: Section[] = [];
  let current: Section | undefined;
  for (const line of text.split('\n')) {
    const name = headingOf(line);
    if (name === undefined) current?.lines.push(line);
    else {
      current = { name, lines: [] };
      headings.push(current);
    }
  }
  if (!headings.some(({ name }) => tags.has(name))) return headings;
  // Lines under a heading that is no tool belong to the tool above it.
  const sections: Section[] = [];
  for (const section of headings) {
    if (tags.has(section.name)) sections.push(section);
    else sections.at(-1)?.lines.push(...section.lines);
  }
  return sections;
}

/** The single word of a Markdown heading; undefined for any other line. */
function headingOf(line: string): string | undefined {
  if (!line.startsWith('#')) return undefined;
  let at = 0;
  while (line[at] === '#') at += 1;
  let word = line.slice(at).trim();
  if (word.startsWith('`') && word.endsWith('`')) word = word.slice(1, -1);
  if (word.toLowerCase().startsWith('tool:')) word = word.slice('tool:'.length).trim();
  return word === '' || word.includes(' ') ? undefined : word;
}

/** The names of all opening tags in a text. */
function tagNames(text: string): Set<string> {
  const names = new Set<string>();
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    let to = at + 1;
    while (to < text.length && to - at <= 200 && !tagNameEnds.has(text[to] ?? '')) to += 1;
    const closed = text[to] === '>' || text[to] === '/' || text[to] === ' ';
    if (to > at + 1 && closed) names.add(text.slice(at + 1, to));
  }
  return names;
}

const tagNameEnds = new Set('<>/ \n\t');

function readDescription(lines: readonly string[]): string {
  const text = lines.join('\n').trim();
  return isLabel(text, 'description') ? text.slice(text.indexOf(':') + 1).trim() : text;
}

/** Whether a line is the label `word:`, plain or in Markdown bold. */
function isLabel(line: string, word: string): boolean {
  let rest = line.trimStart();
  while (rest.startsWith('*') || rest.startsWith('#')) rest = rest.slice(1).trimStart();
  return rest.slice(0, word.length).toLowerCase() === word && rest.slice(word.length, word.length + 20).includes(':');
}
