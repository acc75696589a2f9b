import { clients } from '../../packages/server/dist/cli/connect/clients.js';

/**
 * Points an agent at the gateway just as `dragoman connect` does: its files are written by that very command, and the
 * environment and the commands that it prints are those that are used. Returns the command lines to run first, and the
 * environment. `key` is the gateway's, in the variable GATEWAY_KEY; undefined when it has none.
 */
export function connectAgent({ client, api, file, gateway, config, url, model, key }) {
  const way = clients.get(client).ways.find((each) => each.api === api);
  const keyVariable = key === undefined ? {} : { keyVariable: 'GATEWAY_KEY' };
  const unused = { contextWindow: 32_768, maxOutput: 4096, images: false, reasoning: false };
  const steps = way.steps({ url, models: [{ id: model, ...unused }], ...keyVariable });
  const plain = (word) => (typeof word === 'string' ? word : key);
  const variables = steps.filter(({ kind }) => kind === 'variables').flatMap(({ values }) => Object.entries(values));
  const env = Object.fromEntries(variables.map(([name, word]) => [name, plain(word)]));
  const commands = steps.filter(({ kind }) => kind === 'command').map(({ words }) => words.slice(1).map(plain));
  const writing = [process.execPath, gateway, 'connect', client, '--api', api, '--model', model, '--write', '--yes'];
  const flags = ['--config', config, ...(key === undefined ? [] : ['--key-env', 'GATEWAY_KEY'])];
  return {
    env: key === undefined ? env : { ...env, GATEWAY_KEY: key },
    first: [
      ...(steps.some(({ kind }) => kind === 'file') ? [[...writing, ...flags]] : []),
      // The last command asks the agent something, which is what a turn does in its own words.
      ...commands.slice(0, -1).map((args) => [file, ...args]),
    ],
  };
}
