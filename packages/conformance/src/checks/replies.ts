import { isObjectText } from '../read-json.ts';
import type { Session } from '../session.ts';
import { type Answer, readTool } from '../wires/probe.ts';
import { type Check, type Decision, found, type Judged, judge, refusalOf, toolWires } from './check.ts';
import { requests } from './requests.ts';

type Request = (typeof requests)[keyof typeof requests];

/** Asks, or takes what was answered before, and judges it. */
async function judged(session: Session, request: Request): Promise<Judged> {
  const exchange = await session.reply(request);
  const named = 'tool' in request && request.tool === 'named';
  const usage = 'usage' in request && session.probe.usageOnDemand;
  return judge(exchange, session.probe, { stream: request.stream, named, usage });
}

async function checkText(session: Session, request: Request): Promise<Decision> {
  const { departures, answer } = await judged(session, request);
  const isEmpty = answer !== undefined && answer.text === '';
  return { departures: isEmpty ? [...departures, found('note', 'the model wrote no text')] : departures };
}

async function checkUsage(session: Session): Promise<Decision> {
  const { departures, answer } = await judged(session, requests.usageStreamed);
  const isTold = departures.some(({ level }) => level === 'violation');
  if (answer === undefined || answer.counted || isTold) return { departures };
  return { departures: [...departures, found('violation', 'no token counts came')] };
}

async function checkCalls(session: Session, request: Request, least = 1): Promise<Decision> {
  const exchange = await session.reply(request);
  const refused = refusalOf(exchange, session.probe);
  if (refused !== undefined) return { skipped: refused };
  const { departures, answer } = await judged(session, request);
  const count = answer?.calls.length ?? 0;
  if (answer !== undefined && count < least && !departures.some(({ level }) => level === 'violation')) {
    if ('tool' in request && request.tool === 'named') {
      return { departures: [...departures, found('note', 'a call was demanded, and none came')] };
    }
    return { skipped: count === 0 ? 'the model made no call' : `the model made ${count} call` };
  }
  return { departures: answer === undefined ? departures : [...departures, ...strangeCalls(answer)] };
}

function strangeCalls({ calls }: Answer) {
  const strange = calls.filter(({ name }) => name !== readTool.name);
  const broken = calls.filter(({ arguments: text }) => isObjectText(text) && !text.includes('"path"'));
  return [
    ...strange.map(({ name }) => found('note', `a call names the tool ${name}, which was not declared`)),
    ...broken.map(() => found('note', 'a call lacks the argument that the schema requires')),
  ];
}

export const replyChecks: readonly Check[] = [
  {
    name: 'text-whole',
    expects: 'Status 200, JSON, and every field that the API promises in a whole answer.',
    run: (session) => checkText(session, requests.textWhole),
  },
  {
    name: 'text-streamed',
    expects: 'A stream with the right content type, framing, order, numbers and end; its pieces add up to its wholes.',
    run: (session) => checkText(session, requests.textStreamed),
  },
  {
    name: 'usage',
    expects: 'Token counts come in a stream that was asked for them.',
    run: checkUsage,
  },
  {
    name: 'call-whole',
    expects: 'A tool call in a whole answer has an id, a name, arguments that are a JSON object, and the right finish.',
    wires: toolWires,
    run: (session) => checkCalls(session, requests.callWhole),
  },
  {
    name: 'call-streamed',
    expects: 'A streamed tool call opens with index, id and name, and its pieces add up to a JSON object.',
    wires: toolWires,
    run: (session) => checkCalls(session, requests.callStreamed),
  },
  {
    name: 'call-demanded',
    expects: 'A tool that tool_choice names is called.',
    wires: ['openai-chat', 'openai-responses', 'anthropic-messages'],
    run: (session) => checkCalls(session, requests.callDemanded),
  },
  {
    name: 'calls-parallel',
    expects: 'Several calls in one reply have indices and ids of their own.',
    wires: toolWires,
    run: (session) => checkCalls(session, requests.callsParallel, 2),
  },
];
