import { configWarnings } from '../config/config-warnings.ts';
import { createSetup } from '../config/create-setup.ts';
import type { Config } from '../config/schema.ts';
import { createDemoUpstream } from '../transports/scripted/demo-upstream.ts';
import { readConfig } from './read-setup.ts';
import type { Terminal } from './terminal.ts';

/** `dragoman check-config`. Throws ConfigError with every mistake in the file, or else in the prompts that it names. */
export async function checkConfig(terminal: Terminal, file: string): Promise<number> {
  const { config } = readConfig(terminal, { config: file });
  const { env, cwd } = terminal;
  await createSetup(config, { env, cwd, demo: createDemoUpstream() }).close();
  terminal.stdout.write(`${file} is valid: ${contentsOf(config)}.\n`);
  for (const warning of configWarnings(config)) terminal.stdout.write(`warning: ${warning}\n`);
  return 0;
}

/** What a configuration holds, such as `1 upstream, 2 models, 1 alias, and the demo`. */
function contentsOf({ upstreams, models, demo }: Config): string {
  const count = (number: number, word: string, plural = `${word}s`) => `${number} ${number === 1 ? word : plural}`;
  const listed = Object.values(upstreams).reduce((sum, each) => sum + Object.keys(each.models).length, 0);
  const parts = [
    count(Object.keys(upstreams).length, 'upstream'),
    count(listed, 'model'),
    count(Object.keys(models).length, 'alias', 'aliases'),
  ];
  return `${parts.join(', ')}${demo ? ', and the demo' : ''}`;
}
