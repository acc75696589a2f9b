import { type Deadlines, usualTimeouts } from '@dragoman/core';
import type { Config, UpstreamConfig } from './schema.ts';

/** The deadlines of an upstream's replies: its own, those of the whole configuration, or what suits where it stands. */
export function deadlinesOf(entry: UpstreamConfig, { timeouts }: Pick<Config, 'timeouts'>): Deadlines {
  const { baseUrl, quirks } = entry;
  const silences = usualTimeouts({ baseUrl, noStream: quirks.noStream === true });
  const { connect, firstToken, idle, total } = { ...silences, ...timeouts, ...entry.timeouts };
  return { connect, firstToken, idle, total };
}

const forWhole = usualTimeouts({ noStream: true });

/** Whether they leave the time for whole answers, of which nothing comes before the end. */
export function allowWhole({ connect, firstToken }: Deadlines): boolean {
  return (connect === 0 || connect >= forWhole.connect) && (firstToken === 0 || firstToken >= forWhole.firstToken);
}
