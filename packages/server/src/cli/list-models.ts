import { describeModel, type EngineSetup, listModels } from '@dragoman/core';
import { harmless } from '../log/harmless.ts';
import { columns } from './columns.ts';
import { ownCommand } from './how-started.ts';
import { readLearnt } from './read-learnt.ts';
import { readConfig } from './read-setup.ts';
import { ServedConfig } from './served-config.ts';
import type { Terminal } from './terminal.ts';
import { toolCallingOf } from './tool-calling-of.ts';

export interface ModelsFlags {
  readonly config?: string;
  readonly json?: boolean;
}

/**
 * Asks every upstream for its list and prints the models that clients would see, one a line. A list that cannot be had is
 * told on standard error, and is the exit code 1.
 */
export async function printModels(terminal: Terminal, flags: ModelsFlags): Promise<number> {
  const { config } = readConfig(terminal, flags);
  const served = new ServedConfig(config, terminal);
  served.use({ found: await served.find() });
  const { redact } = served;
  let code = 0;
  const warn = (message: string) => {
    code = 1;
    terminal.stderr.write(`${harmless(redact(message))}\n`);
  };
  await served.offered(async ({ setup: { setup } }) => {
    const learnt = { ...setup, facts: await readLearnt(terminal, config) };
    terminal.stdout.write(flags.json === true ? jsonOf(learnt) : `${columns([head, ...rowsOf(learnt)]).join('\n')}\n`);
    if (listModels(learnt).length === 0) terminal.stderr.write(`See what is wrong: ${ownCommand} doctor\n`);
  }, warn);
  return code;
}

const head = ['model', 'context', 'answer', 'tools', 'images', 'reasoning'] as const;

function rowsOf(setup: EngineSetup): readonly (readonly string[])[] {
  return listModels(setup).map((entry) => {
    const { id, contextWindow, maxOutput, images, reasoning } = describeModel(entry, { setup, startedAt: 0 });
    return [id, cell(contextWindow), cell(maxOutput), toolCallingOf(entry, setup), cell(images), cell(reasoning)];
  });
}

/** The same for programs. What nobody knows is left out. */
function jsonOf(setup: EngineSetup): string {
  const models = listModels(setup).map((entry) => {
    const { entry: _entry, created: _created, ...told } = describeModel(entry, { setup, startedAt: 0 });
    return { ...told, toolCalling: toolCallingOf(entry, setup) };
  });
  return `${JSON.stringify(models, undefined, 2)}\n`;
}

/** A dash stands for what nobody knows. */
function cell(value: number | boolean | undefined): string {
  if (value === undefined) return '-';
  return typeof value === 'number' ? String(value) : value ? 'yes' : 'no';
}
