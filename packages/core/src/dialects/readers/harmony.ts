import type { CallHeader } from '../forms/header/headed-json-call.ts';
import { repairs } from '../parser/call-warnings.ts';
import { type Channel, closedBy } from '../parser/grammar.ts';
import type { TableReader } from '../table/parts.ts';

const recipientKey = 'to=';
/** Recipients that are no tools: what is said to them, and is no JSON, is text. */
const people = ['assistant', 'user'];
const toolPrefix = 'functions.';

/** Thinking ends with its message; where the end token is missing, with the next message. */
const reasoning = closedBy(['<|end|>', '<|return|>'], ['<|start|>', '<|channel|>', '<|call|>']);

/** What headers without a recipient are made of. Another word shows that it is prose about headers. */
const headerWords = ['assistant', 'analysis', 'commentary', 'final', 'json', 'commentaryjson'];
/** The tokens that are between these words. */
const constrain = '<|constrain|>';
const headerTokens = ['<|channel|>', constrain];

/**
 * A message's header: `analysis` is reasoning, a recipient on any channel is a call, every other channel is text. The
 * recipient stands before or after the channel, and spaces may be missing around it.
 */
function readMessageHeader(header: string): CallHeader | Omit<Channel, 'end'> | undefined {
  const name = recipientOf(header);
  const isMessage = name !== undefined && people.includes(name) && !wordsOf(header).includes('json');
  if (name !== undefined && !isMessage) return { name, repair: saysJson(header) ? undefined : repairs.header };
  const words = wordsOf(header).filter((word) => word !== `${recipientKey}${name}`);
  if (words.some((word) => !headerWords.includes(word))) return undefined;
  return words.includes('analysis') && !words.includes('final') ? { reasoning } : {};
}

/** That the arguments are JSON is said after a token, or not at all. */
function saysJson(header: string): boolean {
  const bare = wordsOf(header).some((word) => word === 'json' || word === 'commentaryjson');
  return !bare || header.includes(constrain);
}

/** The words between white space and tokens. */
function wordsOf(header: string): readonly string[] {
  return headerTokens
    .reduce((words, token) => words.replaceAll(token, ' '), header)
    .replaceAll('\n', ' ')
    .split(' ')
    .filter((word) => word !== '');
}

function recipientOf(header: string): string | undefined {
  const at = header.indexOf(recipientKey);
  if (at < 0) return header.startsWith(toolPrefix) ? nameIn(header.slice(toolPrefix.length)) : undefined;
  const recipient = header.slice(at + recipientKey.length);
  return nameIn(recipient.startsWith(toolPrefix) ? recipient.slice(toolPrefix.length) : recipient);
}

/** The name up to white space or the next token. */
function nameIn(text: string): string {
  let end = 0;
  while (end < text.length && text.charCodeAt(end) > 32 && text[end] !== '<') end += 1;
  return text.slice(0, end);
}

/** Reads headers of harmony. */
export const harmonyHeader: TableReader = { header: () => readMessageHeader };
