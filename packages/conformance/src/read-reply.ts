import { Departures } from './departures.ts';
import { type Fields, isFields, readJson } from './read-json.ts';
import { sseBlocks } from './sse-blocks.ts';

/** The JSON objects of an event stream, in order. What is none is left out: the grammar has told of it. */
export function eventsIn(stream: string): Fields[] {
  const blocks = [...sseBlocks(stream, new Departures())];
  return blocks.map(({ data }) => readJson(data ?? '')).filter(isFields);
}

/** The JSON objects of a stream of lines. */
export function linesIn(stream: string): Fields[] {
  return stream.split('\n').map(readJson).filter(isFields);
}

/** A field that holds an object; an empty one when it does not. */
export function fieldsAt(value: unknown, name: string): Fields {
  const inner = isFields(value) ? value[name] : undefined;
  return isFields(inner) ? inner : {};
}

/** The objects in a field that holds a list. */
export function listAt(value: unknown, name: string): readonly Fields[] {
  const inner = isFields(value) ? value[name] : undefined;
  return Array.isArray(inner) ? inner.filter(isFields) : [];
}

/** A field that holds a string; an empty one when it does not. */
export function textAt(value: unknown, name: string): string {
  const inner = isFields(value) ? value[name] : undefined;
  return typeof inner === 'string' ? inner : '';
}
