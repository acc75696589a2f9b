import { configWarnings } from '../config/config-warnings.ts';
import { createSetup } from '../config/create-setup.ts';
import type { Config } from '../config/schema.ts';
import { ownCommand } from './how-started.ts';
import { readConfig } from './read-setup.ts';
import { missingModels } from './tell-found.ts';
import { CommandError, type Terminal } from './terminal.ts';

/**
 * `dragoman check-config`, of the file that is named, or else the one that the gateway would read. Throws ConfigError with every mistake in it, or
 * else in the prompts that it names, and CommandError where there is none.
 */
export async function checkConfig(terminal: Terminal, named: string | undefined): Promise<number> {
  const { config, file } = readConfig(terminal, named === undefined ? {} : { config: named });
  if (file === undefined) throw new CommandError(`There is no configuration here. Make one: ${ownCommand} init`);
  const { env, cwd } = terminal;
  const { setup, close } = createSetup(config, { env, cwd });
  await close();
  terminal.stdout.write(`${file} is valid: ${contentsOf(config)}.\n`);
  for (const warning of configWarnings(config)) terminal.stdout.write(`warning: ${warning}\n`);
  // Of any other configuration these are mistakes.
  for (const { setting, model } of missingModels(setup)) {
    const warning = `${JSON.stringify(model)} is not a model of this file; "${ownCommand} doctor" says whether a server of this machine has it`;
    terminal.stdout.write(`warning: ${setting}: ${warning}\n`);
  }
  return 0;
}

/** What a configuration holds, such as `1 upstream, 2 models, 1 alias`; the demo is listed where nothing else is. */
function contentsOf({ upstreams, models, demo }: Config): string {
  const count = (number: number, word: string, plural = `${word}s`) => `${number} ${number === 1 ? word : plural}`;
  const listed = Object.values(upstreams).reduce((sum, each) => sum + Object.keys(each.models).length, 0);
  const parts = [
    count(Object.keys(upstreams).length, 'upstream'),
    count(listed, 'model'),
    count(Object.keys(models).length, 'alias', 'aliases'),
  ];
  return `${parts.join(', ')}${demo && Object.keys(upstreams).length === 0 ? ', and the demo' : ''}`;
}
