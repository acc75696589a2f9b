import { isObject, type JsonObject } from './read-values.ts';
import type { ListedModel } from './wire.ts';

/** A longer id is a mistake of the list, or an attempt on our memory. */
const longestId = 256;
const longestName = 200;
/** Of numbers above it nobody can say whether they mean seconds or milliseconds. */
const lastSecond = 100_000_000_000;

/** The first of the values that is a whole number of at least one. */
export function firstCount(...values: readonly unknown[]): number | undefined {
  return values.find((value): value is number => Number.isSafeInteger(value) && Number(value) >= 1);
}

/** The first of the values that is true or false. */
export function firstFlag(...values: readonly unknown[]): boolean | undefined {
  return values.find((value) => typeof value === 'boolean');
}

/** The first of the values that can name a model: a text without control characters. */
export function firstId(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => {
    if (typeof value !== 'string' || value === '' || value.length > longestId) return false;
    return [...value].every((character) => character >= ' ' && (character < '\u007f' || character > '\u009f'));
  });
}

/** What a list calls a model, cut to what a list of models has room for; nothing where it only repeats the id. */
export function readName(value: unknown, id: string): string | undefined {
  if (typeof value !== 'string' || value.trim() === '' || value === id) return undefined;
  return value.trim().slice(0, longestName);
}

/** Seconds since 1970, out of seconds, milliseconds or a date. */
export function readMoment(value: unknown): number | undefined {
  const given = typeof value === 'string' ? Date.parse(value) / 1000 : value;
  if (typeof given !== 'number' || !(given > 0)) return undefined;
  const seconds = Math.floor(given < lastSecond ? given : given / 1000);
  return seconds < lastSecond ? seconds : undefined;
}

/** A longer template is none. */
const longestTemplate = 200_000;

/** A chat template, if it is one. */
export function readTemplate(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= longestTemplate ? value : undefined;
}

/** An object, or an empty one in place of anything else. */
export function fieldsOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Whether a list of words has the word; undefined when it is no list. */
export function includes(list: unknown, ...words: readonly string[]): boolean | undefined {
  return Array.isArray(list) ? words.some((word) => list.includes(word)) : undefined;
}

/** Says only what is so: many lists name what a model can do and not what it can't. */
export function onlyTrue(value: unknown): true | undefined {
  return value === true ? true : undefined;
}

/** The model without the fields that its list does not tell. */
export function withoutGaps(
  model: { readonly [Field in keyof ListedModel]?: ListedModel[Field] | undefined } & { readonly id: string },
): ListedModel {
  const { id, contextWindow, longestWindow, maxOutput, images, toolCalling, reasoning, displayName, created } = model;
  const { template, version, counts, quirks } = model;
  return {
    id,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(longestWindow === undefined ? {} : { longestWindow }),
    ...(maxOutput === undefined ? {} : { maxOutput }),
    ...(images === undefined ? {} : { images }),
    ...(toolCalling === undefined ? {} : { toolCalling }),
    ...(template === undefined ? {} : { template }),
    ...(quirks === undefined ? {} : { quirks }),
    ...(counts === undefined ? {} : { counts }),
    ...(version === undefined ? {} : { version }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(displayName === undefined ? {} : { displayName }),
    ...(created === undefined ? {} : { created }),
  };
}
