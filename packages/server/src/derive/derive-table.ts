import { checkTable, type Dialect, type DialectTable, defineTable } from '@dragoman/core';
import { readTurns, type Turns } from './call-region.ts';
import { chooseVariant, type Written } from './choose-variant.ts';
import { type BuiltIn, compareBuiltIn, renderRound, writesAlike } from './compare-built-in.ts';
import { findReasoning, findResult, findTurnEnds } from './find-around.ts';
import { callText, findCall } from './find-call.ts';
import type { Mention } from './find-mention.ts';
import { readSamples, type SampleReading } from './read-samples.ts';
import { plainConversations, type Render, sampleCalls, sampleTools } from './samples.ts';

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
    ...(written.saysText ? [] : ['the template writes no text before calls; it is read wherever it stands']),
    ...(result === undefined ? ['results have no frame of their own in their turn; <tool_response> is written'] : []),
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
