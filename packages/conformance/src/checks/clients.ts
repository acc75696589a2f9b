import { collectAsAiSdk } from '../clients/ai-sdk-collector.ts';
import { collectAsCopilot } from '../clients/copilot-collector.ts';
import { discoverAsCopilot } from '../clients/copilot-ollama.ts';
import { collectAsOllama } from '../clients/ollama-collector.ts';
import type { Departure } from '../departures.ts';
import type { Session } from '../session.ts';
import type { Answer } from '../wires/probe.ts';
import { type Check, type Decision, found, judge } from './check.ts';
import { requests } from './requests.ts';

/** What a client made of a stream, next to what the stream says. */
interface Understood {
  readonly text: string;
  readonly calls: number;
  readonly problems: readonly string[];
}

const streams = [
  ['text', requests.textStreamed],
  ['text with usage', requests.usageStreamed],
  ['call', requests.callStreamed],
  ['several calls', requests.callsParallel],
] as const;

/** Lets a client read every stream that there is. */
async function checkClient(session: Session, read: (stream: string) => Understood): Promise<Decision> {
  const departures: Departure[] = [];
  let count = 0;
  for (const [name, request] of streams) {
    const exchange = await session.reply(request);
    const { answer } = judge(exchange, session.probe, { stream: true });
    if (answer === undefined || exchange.kind !== 'reply') continue;
    count += 1;
    const problems = problemsOf(() => read(exchange.text), answer);
    departures.push(...problems.map((problem) => found('violation', `in the stream "${name}": ${problem}`)));
  }
  return count === 0 ? { skipped: 'no stream came' } : { departures };
}

function problemsOf(read: () => Understood, answer: Answer): readonly string[] {
  let turn: Understood;
  try {
    turn = read();
  } catch (thrown) {
    return [`it gives up: ${messageOf(thrown)}`];
  }
  if (turn.problems.length > 0) return turn.problems;
  if (turn.text !== answer.text) return ['it reads another text'];
  return turn.calls === answer.calls.length ? [] : [`it gets ${turn.calls} of ${answer.calls.length} calls`];
}

function readAsCopilot(stream: string): Understood {
  const { text, calls, problems, outcome, message } = collectAsCopilot([stream]);
  const isGood = outcome === 'success' || outcome === 'too-long';
  const end = isGood ? [] : [`it shows the turn as ${outcome}${message === undefined ? '' : `: ${message}`}`];
  return { text, calls: calls.length, problems: [...problems, ...end] };
}

function readAsAiSdk(stream: string): Understood {
  const { text, calls, errors, lost } = collectAsAiSdk(stream);
  const gone = lost.map((piece) => `it loses ${JSON.stringify(piece)} after whole arguments`);
  return { text, calls: calls.length, problems: [...errors.map((error) => `it reports ${error}`), ...gone] };
}

function readAsOllama(stream: string): Understood {
  const { text, calls } = collectAsOllama([stream]);
  return { text, calls: calls.length, problems: [] };
}

async function checkDiscovery(session: Session): Promise<Decision> {
  try {
    const { models, skipped } = await discoverAsCopilot(session.root, (url, init) =>
      session.limits.fetch(url, { ...init, signal: AbortSignal.timeout(session.limits.silence) }),
    );
    const model = models.find(({ id }) => id === session.model);
    const departures = skipped.map(({ id, reason }) => found('note', `it leaves out ${id}: ${reason}`));
    if (model === undefined) departures.push(found('note', `it does not find ${session.model}`));
    else if (!model.toolCalling) departures.push(found('note', `it takes ${session.model} for a model without tools`));
    return { departures };
  } catch (thrown) {
    // It has no key to send, so that a server which asks for one breaks no rule.
    const level = session.key === '' ? 'violation' : 'note';
    return { departures: [found(level, `it finds nothing: ${messageOf(thrown)}`)] };
  }
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

export const clientChecks: readonly Check[] = [
  {
    name: 'client-copilot',
    expects: 'Copilot Chat in VS Code reads every stream whole: nothing lost, nothing that it takes for a failure.',
    wires: ['openai-chat'],
    run: (session) => checkClient(session, readAsCopilot),
  },
  {
    name: 'client-ai-sdk',
    expects: 'The AI SDK, as in OpenCode, reads every stream whole and refuses no chunk.',
    wires: ['openai-chat'],
    run: (session) => checkClient(session, readAsAiSdk),
  },
  {
    name: 'client-ollama',
    expects: "Ollama's own client reads every stream whole.",
    wires: ['ollama-chat'],
    run: (session) => checkClient(session, readAsOllama),
  },
  {
    name: 'client-copilot-models',
    expects: "Copilot's Ollama provider finds the models, without a key.",
    wires: ['ollama-chat'],
    run: checkDiscovery,
  },
];
