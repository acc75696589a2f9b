import { Departures } from '../departures.ts';
import type { Exchange } from '../exchange.ts';
import { readJson } from '../read-json.ts';
import type { Session } from '../session.ts';
import { type Check, type Decision, judge, troubleOf } from './check.ts';
import { requests } from './requests.ts';

/** Which statuses an error may have: `good` are the API's own, `fair` are in use elsewhere. */
interface Statuses {
  readonly good: readonly number[];
  readonly fair: readonly number[];
}

const badRequest: Statuses = { good: [400], fair: [413, 415, 422] };
const noModel: Statuses = { good: [404], fair: [400, 403, 422] };
const noKey: Statuses = { good: [401], fair: [403] };

/** Judges what should be an error in the API's own form. */
function judgeError(exchange: Exchange, session: Session, { good, fair }: Statuses): Decision {
  const out = new Departures();
  if (exchange.kind !== 'reply') {
    out.violate(troubleOf(exchange));
    return { departures: out.all() };
  }
  const { status, contentType, text } = exchange;
  out.next(text);
  const isFair = fair.includes(status);
  if (!good.includes(status))
    out.report(isFair ? 'note' : 'violation', `the status is ${status} instead of ${good[0]}`);
  if (!good.includes(status) && !isFair) return { departures: out.all() };
  const body = readJson(text);
  if (body === undefined) {
    out.violate('the error is not JSON');
    return { departures: out.all() };
  }
  if (contentType !== 'application/json') out.note(`the content type is ${contentType} instead of application/json`);
  const form = session.probe.checkError(body).map((departure) => ({ ...departure, frame: text }));
  return { departures: [...out.all(), ...form] };
}

async function checkModel(session: Session): Promise<Decision> {
  const { probe } = session;
  const unknown = 'no-such-model-as-this';
  const exchange = await session.post(JSON.stringify(probe.write({ ...requests.textWhole, model: unknown })));
  if (exchange.kind === 'reply' && exchange.status === 200) {
    return { skipped: 'the server answers whatever the model is called' };
  }
  return judgeError(exchange, session, noModel);
}

async function checkKey(session: Session): Promise<Decision> {
  const exchange = await session.post(session.bodyOf(requests.textWhole), { key: 'sk-this-is-no-key-0000' });
  if (exchange.kind === 'reply' && exchange.status === 200) return { skipped: 'the server asks for no key' };
  return judgeError(exchange, session, noKey);
}

async function checkAbort(session: Session): Promise<Decision> {
  const body = session.bodyOf(requests.textStreamed);
  const first = await session.post(body, { breakOff: true });
  if (first.kind !== 'reply' || first.status !== 200) {
    return { departures: judge(first, session.probe, { stream: true }).departures };
  }
  const next = await session.post(session.bodyOf(requests.textWhole));
  return { departures: judge(next, session.probe, { stream: false }).departures };
}

export const failureChecks: readonly Check[] = [
  {
    name: 'error-json',
    expects: 'A body that is not JSON gets 400 and an error in the form of the API.',
    run: async (session) => judgeError(await session.post('{"model": '), session, badRequest),
  },
  {
    name: 'error-type',
    expects: 'A conversation of the wrong type gets 400 and an error in the form of the API.',
    run: async (session) => {
      const body = JSON.stringify(session.probe.writeWrongly(session.model));
      return judgeError(await session.post(body), session, badRequest);
    },
  },
  {
    name: 'error-model',
    expects: 'A model that does not exist gets 404 and an error in the form of the API.',
    run: checkModel,
  },
  {
    name: 'error-key',
    expects: 'A wrong key gets 401 and an error in the form of the API, where keys are asked for.',
    run: checkKey,
  },
  {
    name: 'abort',
    expects: 'After a client has gone in the middle of a stream, the next request is answered.',
    run: checkAbort,
  },
];
