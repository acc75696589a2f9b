import type { IncomingHttpHeaders } from 'node:http';

/** Milliseconds. Claude Code, Codex and whatever stands on Node's `fetch` give up after 300 s. */
const mostPatience = 240_000;

/** Those that wait for less, by the beginning of their `user-agent`. VS Code gives up after 120 s without a byte. */
const impatient: readonly { readonly agent: string; readonly patience: number }[] = [
  { agent: 'GitHubCopilotChat/', patience: 100_000 },
];

/** How long a client waits in silence, in milliseconds, with some time to spare. */
export function patienceOf(headers: IncomingHttpHeaders): number {
  const agent = headers['user-agent'] ?? '';
  return impatient.find((each) => agent.startsWith(each.agent))?.patience ?? mostPatience;
}
