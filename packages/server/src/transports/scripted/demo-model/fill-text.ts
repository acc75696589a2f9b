import { conceptsOf } from './concepts.ts';
import type { Parameter } from './parameter-role.ts';
import { bare, namedValue, phraseAfter, phraseBehind, upToWord, withoutFillers } from './phrases.ts';
import type { Supply } from './supply.ts';

/** A string for a parameter: what the request gives it by name, what fits its role, what its schema suggests, or the request's own words. */
export function fillText(parameter: Parameter, supply: Supply): string {
  const named = namedValue(supply.clause, parameter.name);
  if (named !== undefined) return named;
  return textByRole(parameter, supply) ?? suggestion(parameter) ?? lastResort(supply);
}

function suggestion({ shape }: Parameter): string | undefined {
  const [first] = shape.suggestions;
  if (first !== undefined) return typeof first === 'string' ? first : JSON.stringify(first);
  const at = shape.description.indexOf('e.g. ');
  if (at === -1) return undefined;
  const example = bare(upToBracket(shape.description.slice(at + 5)));
  return example === '' ? undefined : example;
}

function upToBracket(text: string): string {
  let to = 0;
  while (to < text.length && !')],;\n'.includes(text[to] ?? '')) to += 1;
  return text.slice(0, to);
}

function lastResort(supply: Supply): string {
  const taken = supply.take('quoted', 'code', 'name', 'path', 'url', 'number');
  return taken ?? (withoutFillers(supply.clause.text) || supply.clause.text);
}

function textByRole(parameter: Parameter, supply: Supply): string | undefined {
  const { clause } = supply;
  switch (parameter.role) {
    case 'url':
      return urlFrom(supply);
    case 'path':
      return pathFrom(parameter, supply);
    case 'command':
      return supply.take('code', 'quoted') ?? commandFrom(supply);
    case 'query':
      return supply.take('pattern', 'quoted', 'code') ?? queryFrom(supply);
    case 'old':
      return swapPart(supply, 0);
    case 'new':
      return swapPart(supply, 1);
    case 'content':
      return contentFrom(supply);
    case 'place':
      return supply.take('name', 'quoted') ?? placeFrom(supply);
    case 'note':
      return bare(clause.text);
    case 'other':
      return supply.take('quoted', 'code', 'name');
  }
}

function urlFrom(supply: Supply): string | undefined {
  const url = supply.take('url');
  if (url !== undefined) return url;
  // "example.com" reads like a file; where an address is wanted, it is one.
  const host = supply.take('path');
  return host === undefined ? undefined : `https://${host}`;
}

function pathFrom({ shape }: Parameter, supply: Supply): string | undefined {
  const path = supply.take('path') ?? supply.take('quoted', 'code');
  if (path === undefined || supply.directory === undefined) return path;
  const isRelative = !path.startsWith('/') && !path.startsWith('~') && path[1] !== ':';
  if (!isRelative || !shape.description.toLowerCase().includes('absolute')) return path;
  const directory = supply.directory.endsWith('/') ? supply.directory.slice(0, -1) : supply.directory;
  return `${directory}/${path.startsWith('./') ? path.slice(2) : path}`;
}

const runConcept = conceptsOf('run');

function commandFrom({ clause }: Supply): string | undefined {
  const phrase = phraseBehind(clause, (stemmed) => conceptsOf(stemmed).some((concept) => runConcept.includes(concept)));
  if (phrase === undefined) return undefined;
  const noun = phraseBehind({ ...clause, text: phrase, mentions: [] }, (stemmed) => stemmed === 'command');
  return noun ?? (phrase.startsWith('the ') ? phrase.slice(4) : phrase);
}

function queryFrom({ clause }: Supply): string | undefined {
  const phrase = phraseAfter(clause, ['for', 'about', 'matching', 'mentioning']) ?? withoutFillers(clause.text);
  return upToWord(withoutFillers(phrase), new Set(['in', 'inside', 'within', 'under', 'on'])) || undefined;
}

function placeFrom({ clause }: Supply): string | undefined {
  const phrase = phraseAfter(clause, ['in', 'for', 'at']);
  if (phrase === undefined) return undefined;
  return (
    upToWord(withoutFillers(phrase), new Set(['and', 'or', 'today', 'tomorrow', 'now', 'right', 'please'])) || undefined
  );
}

/** "replace A with B", "change A to B": A and B. */
function swapped({ clause }: Supply): readonly [string, string] | undefined {
  const phrase = phraseAfter(clause, ['replace', 'change', 'rename', 'edit', 'update']);
  if (phrase === undefined) return undefined;
  for (const joint of [' with ', ' to ', ' by ', ' into ']) {
    const at = phrase.indexOf(joint);
    if (at !== -1) return [bare(phrase.slice(0, at)), bare(upToWord(phrase.slice(at + joint.length), new Set(['in'])))];
  }
  return undefined;
}

/** Of two quotations the first is the old text, whichever parameter the schema names first. */
function swapPart(supply: Supply, part: 0 | 1): string | undefined {
  const quoted = supply.clause.mentions.filter(({ kind }) => kind === 'quoted' || kind === 'code');
  const mention = quoted.length > 1 ? quoted[part] : undefined;
  return mention === undefined ? (supply.take('quoted', 'code') ?? swapped(supply)?.[part]) : supply.use(mention);
}

/** Whether the request says what is to be replaced with what. */
export function namesSwap(supply: Supply): boolean {
  return swapped(supply) !== undefined;
}

function contentFrom(supply: Supply): string | undefined {
  const quoted = supply.take('code', 'quoted');
  if (quoted !== undefined) return quoted;
  const given = phraseAfter(supply.clause, ['saying', 'containing', 'says', 'content', 'text', 'with']);
  return given === undefined ? supply.latestResult : withoutFillers(given);
}
