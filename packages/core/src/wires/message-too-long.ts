import { DragomanError, type ErrorCode } from '../errors.ts';

/** What platforms call too long. They take one text, so it is the text that they were sent. */
const names = ['message', 'text', 'content', 'input', 'prompt', 'query', 'question', 'conversation', 'context'];
const complaints = ['too long', 'is too long', 'too large', 'is too large', 'length exceeds', 'exceeds the limit'];
const phrases = names.flatMap((name) => complaints.map((complaint) => `${name} ${complaint}`));

/** Errors that say no more than that a message was not taken. */
const vague: readonly ErrorCode[] = ['upstream-refused', 'upstream-failed'];

/**
 * The error of a platform that takes one text, as `context-too-long` where its words say that the text is too long: agents
 * shorten a conversation only when they are told so. Any other error is returned as it is.
 */
export function orTooLong(error: DragomanError): DragomanError {
  const words = error.message.toLowerCase();
  if (!vague.includes(error.code) || !phrases.some((phrase) => words.includes(phrase))) return error;
  return new DragomanError('context-too-long', error.message, { upstreamStatus: error.upstreamStatus });
}

/** Whether one of the words is anywhere in a body. */
export function saysWords(body: unknown, words: readonly string[]): boolean {
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
  return words.some((word) => text.includes(word));
}
