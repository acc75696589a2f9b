import type { Turn } from '../wires/probe.ts';

type Request = Omit<Turn, 'model'>;

const hello = [{ role: 'user', text: 'Say hello in one short sentence.' }] as const;
/** What makes a model call the tool. */
export const readReadme = { role: 'user', text: 'Read the file README.md with the tool read_file.' } as const;
/** The same once more in the same conversation, for another file. */
export const readLicense = { role: 'user', text: 'Now read the file LICENSE with the tool read_file.' } as const;
const readBoth = {
  role: 'user',
  text: 'Read the files README.md and LICENSE with the tool read_file, both at once.',
} as const;

/** The requests that several checks look at. */
export const requests = {
  textWhole: { entries: hello, stream: false },
  textStreamed: { entries: hello, stream: true },
  usageStreamed: { entries: hello, stream: true, usage: true },
  callWhole: { entries: [readReadme], stream: false, tool: 'offered' },
  callStreamed: { entries: [readReadme], stream: true, tool: 'offered' },
  callDemanded: { entries: [readReadme], stream: true, tool: 'named' },
  callsParallel: { entries: [readBoth], stream: true, tool: 'offered' },
} as const satisfies Readonly<Record<string, Request>>;
