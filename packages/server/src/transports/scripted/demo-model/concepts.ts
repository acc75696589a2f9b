import { stem } from './words.ts';

/** Words for the same deed. A tool whose name holds one of them fits a request that holds another. */
const groups = [
  'read show open view cat display print see',
  'write create save make put store generate',
  'append',
  'edit change replace modify update fix patch',
  'list ls dir directory folder tree',
  'search find grep look locate lookup glob',
  'run execute bash shell command terminal exec start launch',
  'fetch download url web browse website webpage page http visit',
  'delete remove rm unlink erase',
  'move rename mv',
  'weather forecast temperature rain sunny',
  'calculate compute calculator evaluate math sum add multiply divide',
  'time clock date today',
  'ask question',
  'todo task plan',
  'send email mail message notify',
  'glob pattern match',
] as const;

/** Words that ask about the content of something and so call for reading it, if it is something that can be read. */
const inquiries =
  'say contain content summarize summarise explain describe check inspect review tell compare about what how';

/** Verbs that begin a part of a request without calling for a tool of their own. */
const plainVerbs = 'tell say summarize summarise explain describe compare answer give count report repeat let mention';

const conceptsByStem = new Map<string, number[]>();
for (const [index, group] of groups.entries()) {
  for (const word of group.split(' ')) {
    const stemmed = stem(word);
    conceptsByStem.set(stemmed, [...(conceptsByStem.get(stemmed) ?? []), index]);
  }
}
const inquiryStems = new Set(inquiries.split(' ').map(stem));
const plainVerbStems = new Set(plainVerbs.split(' ').map(stem));
const readConcept = 0;
const matchConcept = groups.indexOf('glob pattern match');

/** The deeds that a stemmed word stands for. */
export function conceptsOf(stemmed: string): readonly number[] {
  return conceptsByStem.get(stemmed) ?? [];
}

/** Whether a stemmed word asks what something says. */
export function isInquiry(stemmed: string): boolean {
  return inquiryStems.has(stemmed);
}

/** Whether a tool's concepts include matching names against patterns. */
export function isMatching(concepts: ReadonlySet<number>): boolean {
  return concepts.has(matchConcept);
}

/** Whether a tool's concepts include reading. */
export function isReading(concepts: ReadonlySet<number>): boolean {
  return concepts.has(readConcept);
}

/** Whether a stemmed word can begin a new part of a request. */
export function isVerb(stemmed: string): boolean {
  return conceptsByStem.has(stemmed) || plainVerbStems.has(stemmed);
}
