import { agents } from '../test/agents/agents.mjs';
import { installProgram } from '../test/install-program.mjs';
import { installNewestNode } from '../test/newest-node.mjs';
import { installServers, serversFolder } from '../test/servers/install-servers.mjs';
import { installVscode, vscodeFolder } from '../test/vscode/install-vscode.mjs';
import { agentsFolder } from './ensure.mjs';

// Installs the servers, the editor, the agents and the Node that the suites with real ones start. CI does so beside `npm test`. A suite
// installs what is missing itself, so a failure here is only told.

const say = (line) => console.error(line);
const servers = async () => {
  const { problem, lacking } = await installServers(serversFolder(), say);
  return problem ?? lacking[0];
};
const vscode = async () => (await installVscode(vscodeFolder(), say)).problem;
const theAgents = async () => {
  const node = await installNewestNode();
  if (node.problem !== undefined) say(node.problem);
  for (const agent of agents) say((await installProgram(agent, agentsFolder)).problem ?? `${agent.name}: installed`);
};
for (const problem of await Promise.all([servers(), vscode(), theAgents()])) if (problem !== undefined) say(problem);
