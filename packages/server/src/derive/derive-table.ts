import { checkTable, type Dialect, type DialectTable, defineTable, dialects, knownModels } from '@dragoman/core';
import { readTurns, type Turns } from './call-region.ts';
import { chooseVariant, type Written } from './choose-variant.ts';
import { findReasoning, findResult, findTurnEnds } from './find-around.ts';
import { callText, findCall } from './find-call.ts';
import type { Mention } from './find-mention.ts';
import { readSamples, type SampleReading } from './read-samples.ts';
import { plainConversations, type Render, type SampleCall, sampleCalls, sampleTools } from './samples.ts';
import { tokensIn } from './tokens.ts';

/** How sure a derived table is. `none`: there is no table. */
export type Confidence = 'high' | 'medium' | 'low' | 'none';

/** What was found out of a chat template. */
export interface Derivation {
  readonly table?: DialectTable;
  readonly builtIn: BuiltIn;
  /** The prompt opens the model's thinking: the model rule needs `opened`. */
  readonly opened: boolean;
  readonly confidence: Confidence;
  /** What the source of a template that writes no calls says of them. */
  readonly mention?: Mention;
  /** What the renderings show. */
  readonly seen: readonly string[];
  /** What they do not prove. */
  readonly assumed: readonly string[];
  /** Where the table and the renderings disagree. */
  readonly contradicted: readonly string[];
}

const noCall = 'no rendering holds a call: the template does not write past calls';

const nothing = { builtIn: { alsoRead: [] }, opened: false, confidence: 'none', seen: [], assumed: [] } as const;

/** Derives a dialect from what a chat template makes of the samples. `eos`: the token that ends a text, if it is known. */
export function deriveTable(render: Render, eos = ''): Derivation {
  const turns = readTurns(render);
  if (turns === undefined) return { ...nothing, contradicted: ['the template writes no plain conversation'] };
  const written = chooseVariant(render);
  if (written === undefined) {
    const shown = [render(plainConversations.asked), render(plainConversations.said)];
    const tools = shown.some((text) => text !== undefined && sampleTools.some(({ name }) => text.includes(name)))
      ? 'it shows the tools to the model'
      : 'it does not show the tools to the model either';
    return { ...nothing, contradicted: [`${noCall}; ${tools}`] };
  }
  const builtIn = compareBuiltIn(written, turns);
  const reasoning = findReasoning(render, turns);
  const opened = reasoning?.opened ?? false;
  const found = findCall(written, turns);
  const unsayable = (): Derivation => {
    const form = JSON.stringify(callText(written, turns, 'one')?.trim() ?? '');
    return { ...nothing, builtIn, opened, contradicted: [`no form writes calls as the template does: ${form}`] };
  };
  if (found === undefined) return unsayable();
  const turnEnds = [...findTurnEnds(turns, eos), ...(found.turnEnd === undefined ? [] : [found.turnEnd])];
  const result = findResult(render, written.variant, { turns, turnEnds });
  const table: DialectTable = {
    call: found.call,
    ...(found.section === undefined ? {} : { section: found.section }),
    ...(reasoning === undefined ? {} : { reasoning: reasoning.reasoning }),
    ...(result === undefined ? {} : { result }),
    ...(turnEnds.length === 0 ? {} : { turnEnds }),
  };
  // What such a table lacks is said in words of the search, which nobody who reads the report has seen.
  if (checkTable(table).length > 0) return unsayable();
  const dialect = defineTable('derived', table);
  const readings = [...readSamples(dialect, written, turns)];
  const seen = [...(found.seen ?? []), ...seenOf(written, readings)];
  const assumed = [
    ...(found.assumed ?? []),
    ...(written.saysText ? [] : ['the template writes no text before calls; it is read wherever it is']),
    ...(result === undefined ? ['nothing marks a result in its turn; <tool_response> is written'] : []),
  ];
  const contradicted = [
    ...readings.filter(({ right }) => !right).map(({ sample }) => `the table reads ${sample} wrongly`),
    ...(writesAlike(dialect, written, turns) ? [] : [difference(dialect, written, turns)]),
  ];
  return {
    table,
    builtIn,
    opened,
    confidence: confidenceOf(readings, assumed, contradicted),
    seen,
    assumed,
    contradicted,
  };
}

function seenOf({ variant }: Written, readings: readonly SampleReading[]): readonly string[] {
  const right = readings.filter((each) => each.right).length;
  const form = variant.arguments === 'object' ? 'an object' : 'JSON text';
  return [
    `the template takes arguments as ${form}`,
    `${right} of ${readings.length} renderings are read back as they were put in`,
  ];
}

function difference(dialect: Dialect, written: Written, turns: Turns): string {
  const text = callText(written, turns, 'two')?.trim();
  const own = renderRound(dialect, sampleCalls(written.variant).two);
  return `the template writes two calls as ${JSON.stringify(text)}, the table as ${JSON.stringify(own)}`;
}

function confidenceOf(
  readings: readonly SampleReading[],
  assumed: readonly string[],
  contradicted: readonly string[],
): Confidence {
  const right = readings.filter((each) => each.right).length;
  if (right * 2 < readings.length) return 'low';
  if (right < readings.length) return 'medium';
  return contradicted.length === 0 && assumed.length < 2 ? 'high' : 'medium';
}

/** Built-in dialects that fit a template. */
interface BuiltIn {
  /** The one that reads all of it and writes calls as it does, but for white space. */
  readonly same?: string;
  /** Others that read all of it, those first that most models write. */
  readonly alsoRead: readonly string[];
}

/** Which built-in dialects read everything that the template writes. */
function compareBuiltIn(written: Written, turns: Turns): BuiltIn {
  const models = ({ id }: Dialect) => knownModels.filter(({ dialect }) => dialect === id).length;
  const readers = [...dialects.values()]
    .filter((dialect) => readsAll(dialect, written, turns))
    .sort((one, other) => models(other) - models(one));
  const same = readers.find((dialect) => writesAlike(dialect, written, turns));
  const alsoRead = readers.filter((dialect) => dialect !== same).map(({ id }) => id);
  return { ...(same === undefined ? {} : { same: same.id }), alsoRead };
}

/** Most dialects are out with the first sample. */
function readsAll(dialect: Dialect, written: Written, turns: Turns): boolean {
  let reads = false;
  for (const { right } of readSamples(dialect, written, turns)) {
    if (!right) return false;
    reads = true;
  }
  return reads;
}

/** Whether a dialect writes the calls of the samples as the template does, but for white space and kinds of quotes. */
function writesAlike(dialect: Dialect, written: Written, turns: Turns): boolean {
  const calls = sampleCalls(written.variant);
  return (['one', 'two'] as const).every((sample) => {
    const text = callText(written, turns, sample);
    if (text === undefined || !calls[sample].every(({ name }) => text.includes(name))) return true;
    return isAlike(bare(text), bare(renderRound(dialect, calls[sample])));
  });
}

/** The same but for a token after it, by which the template ends the turn. */
function isAlike(text: string, own: string): boolean {
  const rest = text.startsWith(own) ? text.slice(own.length) : undefined;
  return rest === '' || (rest !== undefined && own !== '' && tokensIn(rest).join('') === rest);
}

/** The calls of a sample as a dialect writes them. */
function renderRound(dialect: Dialect, calls: readonly SampleCall[]): string {
  const past = calls.map(({ id, name, values }, ordinal) => ({
    callId: id,
    nativeId: id,
    name,
    arguments: JSON.stringify(values),
    ordinal,
  }));
  return dialect.renderCalls(past, sampleTools);
}

function bare(text: string): string {
  return [...text.replaceAll("'", '"')].filter((sign) => sign.trim() !== '').join('');
}
