import type { Departure } from '../departures.ts';
import type { Session } from '../session.ts';
import type { Answer, Entry } from '../wires/probe.ts';
import { type Check, type Decision, found, type Judged, judge, toolWires } from './check.ts';
import { readLicense, readReadme, requests } from './requests.ts';

/** The conversation up to the result of the first calls; undefined when the model made none. */
async function untilResult(
  session: Session,
): Promise<{ readonly first: Answer; readonly entries: Entry[] } | undefined> {
  for (const request of [requests.callStreamed, requests.callWhole]) {
    const { answer } = judge(await session.reply(request), session.probe, { stream: request.stream });
    if (answer === undefined || answer.calls.length === 0) continue;
    const results = answer.calls.map((call) => ({ call, text: 'The code word is lighthouse.' }));
    const asked: Entry = { role: 'assistant', text: answer.text, calls: answer.calls };
    return { first: answer, entries: [readReadme, asked, { role: 'results', results }] };
  }
  return undefined;
}

async function judgeEntries(session: Session, entries: readonly Entry[]): Promise<Judged> {
  const exchange = await session.reply({ entries, stream: true, tool: 'offered' });
  return judge(exchange, session.probe, { stream: true });
}

async function checkResult(session: Session): Promise<Decision> {
  const turn = await untilResult(session);
  if (turn === undefined) return { skipped: 'the model made no call' };
  const { departures, answer } = await judgeEntries(session, turn.entries);
  const isEmpty = answer !== undefined && answer.text === '' && answer.calls.length === 0;
  return { departures: isEmpty ? [...departures, found('note', 'the model had nothing to say to it')] : departures };
}

async function checkIds(session: Session): Promise<Decision> {
  const departures = await repeatedReplyIds(session);
  const turn = await untilResult(session);
  if (turn === undefined) return departures.length > 0 ? { departures } : { skipped: 'the model made no call' };
  const { answer: second } = await judgeEntries(session, turn.entries);
  if (second === undefined) return departures.length > 0 ? { departures } : { skipped: 'the second turn failed' };
  const said: Entry = { role: 'assistant', text: second.text === '' ? 'Done.' : second.text, calls: [] };
  const { answer: third } = await judgeEntries(session, [...turn.entries, said, readLicense]);
  const used = new Set(turn.first.calls.map(({ id }) => id));
  const again = third?.calls.filter(({ id }) => id !== '' && used.has(id)) ?? [];
  return {
    departures: [...departures, ...again.map(({ id }) => found('violation', `the id ${id} of a call comes again`))],
  };
}

async function repeatedReplyIds(session: Session): Promise<Departure[]> {
  const seen = new Set<string>();
  const departures: Departure[] = [];
  for (const request of [requests.textWhole, requests.textStreamed, requests.callWhole, requests.callStreamed]) {
    const { answer } = judge(await session.reply(request), session.probe, { stream: request.stream });
    const id = answer?.id ?? '';
    if (id !== '' && seen.has(id)) departures.push(found('violation', `two replies have the id ${id}`));
    seen.add(id);
  }
  return departures;
}

export const turnChecks: readonly Check[] = [
  {
    name: 'result',
    expects: 'A turn with the call and its result, under the id that the server gave, is answered.',
    wires: toolWires,
    run: checkResult,
  },
  {
    name: 'ids',
    expects: 'Replies have ids of their own, and the id of a call does not come again later in its conversation.',
    wires: toolWires,
    run: checkIds,
  },
];
