import { z } from 'zod';
import { didYouMean } from '../../config/nearest-name.ts';
import { ownCommand } from '../how-started.ts';
import { CommandError } from '../terminal.ts';
import type { OfferedModel } from './connection.ts';

/** Milliseconds until a gateway has told its models. */
const patience = 5_000;

export interface AskedGateway {
  /** Its address without a path. */
  readonly url: string;
  /** Its key, where it needs one and it is at hand. */
  readonly key?: string;
}

const entry = z.object({
  id: z.string().min(1),
  owned_by: z.string().optional(),
  context_window: z.int().positive().optional(),
  max_output_tokens: z.int().positive().optional(),
  images: z.boolean().optional(),
  reasoning: z.boolean().optional(),
  /** Which no other server says. */
  tool_calling: z.boolean().optional(),
});
const list = z.object({ data: z.array(entry) });

type Entry = z.output<typeof entry>;

/** What a running gateway tells of its models: own ones, or the demo where it has no other. */
export interface ToldList {
  readonly models: readonly OfferedModel[];
  /** Every id, for whoever names one. */
  readonly ids: readonly string[];
  /** It is one of ours, and not another server at that address. */
  readonly isOurs: boolean;
}

/** Asks a gateway for its models. Rejects with CommandError, whose message says why there is no list. */
export async function askGateway(gateway: AskedGateway): Promise<ToldList> {
  const { data } = await read(gateway, '/v1/models', list);
  const own = data.filter(({ owned_by }) => owned_by !== 'demo');
  const offered = own.length > 0 ? own : data.filter(({ id }) => id === 'demo');
  return {
    models: offered.map(offer),
    ids: data.map(({ id }) => id),
    isOurs: data.some(({ tool_calling }) => tool_calling !== undefined),
  };
}

/** So many models are named where none is like the wanted one. */
const mostTold = 5;

/** Asks for one model, which need not be in the list. Rejects with CommandError, with the nearest name of `ids`. */
export async function askForModel(gateway: AskedGateway, id: string, ids: readonly string[]): Promise<OfferedModel> {
  try {
    return offer(await read(gateway, `/v1/models/${encodeURIComponent(id)}`, entry));
  } catch (thrown) {
    if (!(thrown instanceof CommandError)) throw thrown;
    const has = ids.length > mostTold ? [...ids.slice(0, mostTold), `${ids.length - mostTold} more`] : ids;
    const cure = didYouMean(id, ids) || `. It has: ${has.join(', ')}.`;
    throw new CommandError(`The gateway at ${gateway.url} has no model ${JSON.stringify(id)}${cure}`);
  }
}

function offer({ id, context_window, max_output_tokens, images = false, reasoning = false }: Entry): OfferedModel {
  return {
    ...{ id, images, reasoning },
    ...(context_window === undefined ? {} : { contextWindow: context_window }),
    ...(max_output_tokens === undefined ? {} : { maxOutput: max_output_tokens }),
  };
}

async function read<Shape extends z.ZodType>(
  { url, key }: AskedGateway,
  path: string,
  shape: Shape,
): Promise<z.output<Shape>> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const answer = await fetch(`${url}${path}`, { headers, signal: AbortSignal.timeout(patience) }).catch(
    () => undefined,
  );
  if (answer === undefined)
    throw new CommandError(`No gateway answers at ${url}. Start one (${ownCommand} serve), or correct the address.`);
  if (answer.status === 401) {
    const cure = 'name the variable that holds it with --key-env, and set it';
    throw new CommandError(`The gateway at ${url} ${key === undefined ? 'wants a key' : 'refuses the key'}; ${cure}.`);
  }
  const parsed = shape.safeParse(await answer.json().catch(() => undefined));
  if (answer.ok && parsed.success) return parsed.data;
  throw new CommandError(`${url}${path} answers with status ${answer.status} and no list of models.`);
}
