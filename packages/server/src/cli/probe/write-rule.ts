import { resolve } from 'node:path';
import type { ModelEntry } from '@dragoman/core';
import { codeOf } from '../../code-of.ts';
import { entriesOf, fieldOf, valueAt } from '../../config/raw-value.ts';
import type { Config } from '../../config/schema.ts';
import type { ModeRule } from '../../probe/modes.ts';
import type { SettingChange } from '../connect/change-settings.ts';
import type { SettingsObject } from '../connect/connection.ts';
import { replaceFile, textOf } from '../connect/replace-file.ts';
import { parseSettings, withChanges } from '../connect/settings-text.ts';
import { showDifference } from '../connect/show-difference.ts';
import { CommandError, type Terminal } from '../terminal.ts';

export interface RuleToWrite {
  readonly entry: ModelEntry;
  readonly rule: ModeRule;
  /** The configuration that was read; undefined where there is none, and one is made. */
  readonly file: string | undefined;
  /** With what was found. */
  readonly config: Config;
}

/**
 * Puts how a model calls tools into the configuration. Comments and all else stay, and the file as it was is kept beside it. An upstream that
 * was found is written down with it. Returns what was done, in words. Throws CommandError.
 */
export function writeRule(
  { cwd }: Pick<Terminal, 'cwd'>,
  { entry, rule, file = 'dragoman.jsonc', config }: RuleToWrite,
): string {
  const path = resolve(cwd, file);
  const before = textOf(path) ?? '';
  const changes = changesFor(parseSettings('jsonc', before), { entry, rule, config });
  const after = withChanges('jsonc', before, changes);
  if (after === before) return `${file} says so already.`;
  try {
    const backup = replaceFile(path, after);
    const note = backup === undefined ? '' : ` The file as it was: ${backup}`;
    return `${showDifference(before, after)}\nWrote ${file}.${note}`;
  } catch (thrown) {
    if (codeOf(thrown) === '') throw thrown;
    throw new CommandError(`${path} cannot be written: ${codeOf(thrown)}. Run it in a folder that you may write.`);
  }
}

function changesFor(found: unknown, { entry, rule, config }: Omit<RuleToWrite, 'file'>): readonly SettingChange[] {
  const { upstream, model } = entry;
  const written = valueAt(found, ['upstreams', upstream]);
  if (written === undefined) return [...newUpstream(found, { entry, rule, config })];
  const at = ['upstreams', upstream];
  const changes: SettingChange[] = [];
  if (typeof written === 'string') changes.push({ path: at, value: { baseUrl: written } });
  if (fieldOf(fieldOf(written, 'models'), model) !== undefined) {
    return Object.entries(rule).map(([field, value]) => ({ path: [...at, 'models', model, field], value }));
  }
  // What holds for any model holds for this one as well; and an upstream that names a model has no others unless it says so.
  const anyModel = fieldOf(written, 'anyModel');
  const namesNone = entriesOf(fieldOf(written, 'models')).length === 0;
  if (anyModel === undefined && namesNone) changes.push({ path: [...at, 'anyModel'], value: true });
  changes.push({ path: [...at, 'models', model], value: { ...plainObject(anyModel), ...rule } });
  return changes;
}

/** What was found has no place in the file yet. All else that is found stays served. */
function newUpstream(found: unknown, { entry, rule, config }: Omit<RuleToWrite, 'file'>): readonly SettingChange[] {
  const { id, upstream, model } = entry;
  const { baseUrl, wire, apiKey, discovery } = config.upstreams[upstream] ?? {};
  if (baseUrl === undefined || !isReference(apiKey)) {
    throw new CommandError(
      `The upstream "${upstream}" is in no configuration, so there is no place for the rule. Write it there by hand.`,
    );
  }
  const path = discovery?.path;
  const settings: SettingsObject = {
    baseUrl,
    ...(wire === undefined ? {} : { wire }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(path === undefined ? {} : { discovery: { path } }),
    anyModel: true,
    models: { [model]: { ...rule } },
  };
  const isNamed = id === `${upstream}/${model}` || config.models[id] !== undefined;
  return [
    { path: ['upstreams', upstream], value: settings },
    // Clients go on asking for it by its short name.
    ...(isNamed ? [] : [{ path: ['models', id], value: `${upstream}/${model}` }]),
    ...(fieldOf(found, 'findUpstreams') === undefined ? [{ path: ['findUpstreams'], value: true }] : []),
  ];
}

/** A key itself is not written down. */
function isReference(apiKey: string | undefined): boolean {
  return apiKey === undefined || apiKey.startsWith('env:') || apiKey.startsWith('file:');
}

function plainObject(value: unknown): SettingsObject {
  return JSON.parse(JSON.stringify(Object.fromEntries(entriesOf(value))));
}
