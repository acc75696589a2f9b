import { agents } from '../test/agents/agents.mjs';
import { installAgent } from '../test/agents/install-agent.mjs';
import { installServers, serversFolder } from '../test/servers/install-servers.mjs';
import { installVscode, vscodeFolder } from '../test/vscode/install-vscode.mjs';
import { agentsFolder } from './ensure.mjs';

// Installs the servers, the editor and the agents that the suites with real ones start. CI does so beside `npm test`. A suite
// installs what is missing itself, so a failure here is only told.

const say = (line) => console.error(line);
const servers = async () => {
  const { problem, lacking } = await installServers(serversFolder(), say);
  return problem ?? lacking[0];
};
const vscode = async () => (await installVscode(vscodeFolder(), say)).problem;
const theAgents = async () => {
  for (const agent of agents) say((await installAgent(agent, agentsFolder)).problem ?? `${agent.name}: installed`);
};
for (const problem of await Promise.all([servers(), vscode(), theAgents()])) if (problem !== undefined) say(problem);
