import { readFileSync, type Stats, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CommandError } from '../cli/terminal.ts';
import { codeOf } from '../code-of.ts';
import type { TemplateSource } from './render-template.ts';

/** A chat template with its tokenizer's tokens. */
export interface FoundTemplate extends TemplateSource {
  /** The token that ends a text; empty where nobody says. */
  readonly eos: string;
  /** The tokenizer says how replies are read, which counts for more than any guess. */
  readonly hasResponseTemplate: boolean;
}

/** More is no chat template; a tokenizer's configuration may hold its vocabulary. */
const longestFile = 64 * 1024 * 1024;
const configName = 'tokenizer_config.json';
const templateName = 'chat_template.jinja';

/**
 * Reads `tokenizer_config.json`, a template, or a folder that holds one of them or both. Throws CommandError that says what
 * is missing.
 */
export function readTemplateSource(path: string, shown: string): FoundTemplate {
  const stats = statsOf(path, shown);
  if (stats === undefined) throw new CommandError(`There is no file or folder ${shown}.`);
  if (!stats.isDirectory()) {
    return path.endsWith('.json') ? ofConfig(readConfig(path, shown), shown) : ofTemplate(readText(path, shown), {});
  }
  const [config, template] = [configName, templateName].map((name) => join(path, name));
  const has = (file: string | undefined): file is string =>
    file !== undefined && statsOf(file, `${shown}/${basename(file)}`)?.isFile() === true;
  const fields = has(config) ? readConfig(config, `${shown}/${configName}`) : {};
  if (has(template)) return ofTemplate(readText(template, shown), fields);
  if (has(config)) return ofConfig(fields, `${shown}/${configName}`);
  throw new CommandError(`${shown} holds neither ${templateName} nor ${configName}.`);
}

type Fields = Readonly<Record<string, unknown>>;

function ofConfig(fields: Fields, shown: string): FoundTemplate {
  const source = templateIn(fields.chat_template);
  if (source === undefined) {
    throw new CommandError(`${shown} has no "chat_template"; name ${templateName} of the same model instead.`);
  }
  return ofTemplate(source, fields);
}

function ofTemplate(source: string, fields: Fields): FoundTemplate {
  const eos = tokenOf(fields.eos_token);
  return {
    source,
    eos,
    hasResponseTemplate: 'response_template' in fields || 'response_schema' in fields,
    variables: { bos_token: tokenOf(fields.bos_token), eos_token: eos },
  };
}

/** One template, or a list of named ones, of which that for tools counts. */
function templateIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return undefined;
  const named = (wanted: string) => value.find((each) => Reflect.get(Object(each), 'name') === wanted);
  const found: unknown = Reflect.get(Object(named('tool_use') ?? named('default') ?? value[0]), 'template');
  return typeof found === 'string' ? found : undefined;
}

function tokenOf(value: unknown): string {
  const text: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'content') : value;
  return typeof text === 'string' ? text : '';
}

function readConfig(path: string, shown: string): Fields {
  try {
    const value: unknown = JSON.parse(readText(path, shown));
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch (thrown) {
    if (thrown instanceof CommandError) throw thrown;
  }
  throw new CommandError(`${shown} is not a JSON object.`);
}

/** Undefined where nothing stands. Throws CommandError for a place that cannot be looked at. */
function statsOf(path: string, shown: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return undefined;
    throw new CommandError(`${shown} cannot be read: ${whyNot(thrown)}.`);
  }
}

function readText(path: string, shown: string): string {
  const stats = statsOf(path, shown);
  if (stats?.isFile() === false) throw new CommandError(`${shown} is not a file.`);
  if ((stats?.size ?? 0) > longestFile) {
    throw new CommandError(
      `${shown} is larger than ${longestFile / 1024 / 1024} megabytes; is it the tokenizer itself?`,
    );
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (thrown) {
    if (thrown instanceof TypeError) throw new CommandError(`${shown} is not text: it holds bytes that are not UTF-8.`);
    throw new CommandError(`${shown} cannot be read: ${whyNot(thrown)}.`);
  }
  if (text.includes('\0')) throw new CommandError(`${shown} is not text: it holds zero bytes.`);
  if (text.trim() === '') throw new CommandError(`${shown} is empty.`);
  return text;
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'it may not be opened by this user',
  EPERM: 'it may not be opened by this user',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  ENOENT: 'it is not there',
  ENOTDIR: 'a part of its path is not a folder',
};

function whyNot(thrown: unknown): string {
  const code = codeOf(thrown);
  return reasons[code] ?? code;
}
