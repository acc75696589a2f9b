import { Departures } from '../departures.ts';
import { readJson } from '../read-json.ts';
import type { Session } from '../session.ts';
import { type Check, type Decision, troubleOf } from './check.ts';

async function checkModels(session: Session): Promise<Decision> {
  const exchange = await session.get(session.probe.modelList.path);
  const out = new Departures();
  if (exchange.kind !== 'reply') {
    out.violate(troubleOf(exchange));
    return { departures: out.all() };
  }
  const { status, contentType, text } = exchange;
  if (status === 404 || status === 405 || status === 501) return { absent: true };
  out.next(text);
  if (status !== 200) out.violate(`the status is ${status} instead of 200`);
  else if (contentType !== 'application/json') {
    out.violate(`the content type is ${contentType || 'missing'} instead of application/json`);
  } else {
    const ids = session.probe.modelList.read(readJson(text));
    if (ids === undefined) out.violate('is not a list of models');
    else if (new Set(ids).size < ids.length) out.violate('lists a model twice');
    else if (!ids.includes(session.model)) out.note(`the model ${session.model} is not in the list`);
  }
  return { departures: out.all() };
}

export const modelChecks: readonly Check[] = [
  {
    name: 'models',
    expects: 'The list of models has the form of the API, names each model once, and holds the one that is used.',
    run: checkModels,
  },
];
