import { docPage } from '../how-started.ts';
import type { Client, FilePlace, Place, ShellWord, Step, Way } from './connection.ts';
import { withSettings } from './settings-text.ts';

/** Something to copy, in the language that its text is written in. */
export interface Block {
  readonly intro: string;
  readonly language: 'json' | 'toml' | 'yaml' | 'sh' | 'ts';
  readonly text: string;
}

/** What to do to point a client at a gateway, as blocks for a screen and for the client's page. */
export function blocksOf(way: Way, place: Place): readonly Block[] {
  return way.steps(place).map(blockOf);
}

/** The blocks of a client's page by API: for a gateway without a configuration, which needs no key. */
export function blocksForPage({ ways }: Client): ReadonlyMap<string, readonly Block[]> {
  const demo = { id: 'demo', contextWindow: 32_768, maxOutput: 4096, images: false, reasoning: false };
  const place: Place = { url: 'http://127.0.0.1:11434', models: [demo] };
  return new Map(ways.map((way) => [way.api, blocksOf(way, place)]));
}

/** The same as the command line prints it. */
export function renderConnection(client: Client, { way, place }: { readonly way: Way; readonly place: Place }): string {
  const blocks = blocksOf(way, place).map(({ intro, text }) => `${intro}\n\n${text.trimEnd()}\n`);
  return [...blocks, ...keyNotes(way, place), `More about it: ${docPage(`clients/${client.id}`)}\n`].join('\n');
}

/** What becomes of the gateway's key; nothing when it has none. */
export function keyNotes({ keyNote }: Way, { keyVariable }: Place): readonly string[] {
  if (keyVariable === undefined) return [];
  return [`${keyNote ?? `The gateway's key is taken from the variable ${keyVariable}.`}\n`];
}

function blockOf(step: Step): Block {
  switch (step.kind) {
    case 'file': {
      const { format } = step.file;
      return {
        intro: `In ${shownPath(step.file.place)}:`,
        language: format === 'jsonc' ? 'json' : format,
        text: withSettings(step.file).trimEnd(),
      };
    }
    case 'variables': {
      const lines = Object.entries(step.values).map(([name, word]) => `export ${name}=${shellWord(word)}`);
      return { intro: 'In its environment:', language: 'sh', text: lines.join('\n') };
    }
    case 'command':
      return { intro: 'On the command line:', language: 'sh', text: step.words.map(shellWord).join(' ') };
    case 'program':
      return {
        intro: step.language === 'ts' ? 'In a program:' : 'On the command line:',
        language: step.language,
        text: step.text,
      };
  }
}

/** The file as people know it: on Linux, below the home. */
function shownPath({ home: [first] }: FilePlace): string {
  return `~/${first}`;
}

function shellWord(word: ShellWord): string {
  if (typeof word !== 'string') return `"$${word.variable}"`;
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return /["$`\\!]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : `"${word}"`;
}
