import { dialectOfModel, taughtDialect } from '../dialects/known-models.ts';
import { dialectOfTemplate } from '../dialects/together/dialect-of-template.ts';
import { anyDialect } from '../dialects/together/read-any.ts';
import type { ModelFacts } from '../stores/fact-store.ts';
import type { ListedModel, UpstreamWire } from '../wires/wire.ts';
import type { ModelEntry } from './model-entries.ts';
import { dialectOf, isDialect } from './plug-ins.ts';
import type { EngineSetup } from './setup.ts';

/** How a model calls tools. */
export interface CallingMode {
  /** What it is taught to write; absent where its calls are native. */
  readonly dialect?: string;
  /** `auto` where the calls of all dialects are read beside. */
  readonly reads?: typeof anyDialect;
  /** Why, in words. */
  readonly reason: string;
}

interface Around {
  readonly setup: EngineSetup;
  readonly wire: UpstreamWire;
}

/**
 * Decides how a model calls tools. The first that knows decides: its rule, what its server's answers have shown, what the
 * server says of it, its name; and where nobody knows, it is given tools natively, and its answers will show. Throws
 * DragomanError `config-invalid` for a dialect that does not exist.
 */
export function callingModeOf(entry: ModelEntry, around: Around): CallingMode {
  const { toolCalling, upstreamName: name = entry.model } = entry.rule;
  if (toolCalling === 'native') return { reason: 'the model rule says native' };
  if (toolCalling === 'auto') return foundOut(entry, { ...around, name });
  if (toolCalling === 'text') {
    const { dialect: taught, reason } = taughtBecause('the model rule says text', entry, { ...around, name });
    return { dialect: taught, reads: anyDialect, reason };
  }
  const { dialect } = toolCalling;
  dialectOf(dialect, around.setup);
  return { dialect, reason: `the model rule says ${dialect}` };
}

/** Why a model is taught its tools that was given them natively. */
const shown: Readonly<Record<Exclude<NonNullable<ModelFacts['tools']>, 'called'>, string>> = {
  refused: 'the upstream has refused tools for',
  ignored: 'the upstream has ignored the tools of',
  written: 'a call stood in the text of',
};

function foundOut(entry: ModelEntry, around: Around & { readonly name: string }): CallingMode {
  const { wire, name } = around;
  const quoted = `"${name}"`;
  if (wire.textOnly === true) return taughtBecause(`${wire.id} carries only text`, entry, around);
  const { facts, listed } = entry;
  if (facts?.tools === 'called') return { reason: `calls of ${quoted} have come natively` };
  if (facts?.tools !== undefined) return taughtBecause(`${shown[facts.tools]} ${quoted}`, entry, around);
  if (listed?.toolCalling === true) return { reason: `the upstream lists ${quoted} as calling tools natively` };
  if (listed?.toolCalling === false) {
    return taughtBecause(`the upstream lists ${quoted} as taking no tools`, entry, around);
  }
  const dialect = dialectOfModel(name, { takesTools: true });
  if (dialect !== undefined) return { dialect, reason: `models named like ${quoted} write ${dialect}` };
  return { reason: `nothing says how ${quoted} calls tools, so natively until an answer shows otherwise` };
}

/** The dialect that a model of this name is known to write is read alone; beside a guess, all are. */
function taughtBecause(
  why: string,
  { facts, listed }: ModelEntry,
  { name, setup }: Around & { readonly name: string },
): CallingMode & { readonly dialect: string } {
  const { dialect: written } = facts ?? {};
  if (written !== undefined && isDialect(written, setup)) {
    return { dialect: written, reads: anyDialect, reason: `${why}, and it has written ${written}` };
  }
  const known = dialectOfModel(name, { takesTools: false });
  if (known !== undefined) return { dialect: known, reason: `${why}, and models named like "${name}" write ${known}` };
  const seeming = listed === undefined ? undefined : templateDialectOf(listed);
  if (seeming !== undefined) {
    return { dialect: seeming, reads: anyDialect, reason: `${why}, and its chat template seems to write ${seeming}` };
  }
  return { dialect: taughtDialect, reads: anyDialect, reason: `${why}, so it is taught ${taughtDialect}` };
}

/** A template is looked through once for each list that tells it. */
const seemingOf = new WeakMap<ListedModel, { readonly dialect: string | undefined }>();

function templateDialectOf(listed: ListedModel): string | undefined {
  const { template } = listed;
  if (template === undefined) return undefined;
  const seen = seemingOf.get(listed) ?? { dialect: dialectOfTemplate(template) };
  seemingOf.set(listed, seen);
  return seen.dialect;
}
