import type { ToolDefinition } from '../../chat/tool.ts';
import { type Repair, type RepairName, repairs } from '../parser/call-warnings.ts';
import type { CallsForm, GrammarForm } from '../parser/grammar.ts';
import {
  allWhole,
  type RepairOf,
  repairBefore,
  repairedCalls,
  repairedClosers,
} from '../parser/markers/repaired-literals.ts';
import type { DialectTable, LiteralForm } from '../table.ts';
import { readLiterals } from './literals.ts';

/** What reports how markers are written, for tables that call some of their literals repairs, or have several closers of JSON. */
export interface MarkerRepairs {
  readonly closer: typeof closerRepair;
  readonly calls: typeof withRepairs;
  readonly form: typeof repairedForm;
}

/** Reports how markers are written. */
export const markerRepairs: MarkerRepairs = { closer: closerRepair, calls: withRepairs, form: repairedForm };

/** What is wrong with the closer that ends at `end`, after this opener. */
function closerRepair(
  text: string,
  end: number,
  {
    opener,
    closers,
    repairOf = allWhole,
  }: { readonly opener: string; readonly closers: readonly string[]; readonly repairOf?: RepairOf | undefined },
): Repair | undefined {
  return repairBefore(text, end, repairedClosers(opener, closers, repairOf));
}

/** Calls that report what is wrong with their opener. `bare`: with one that is none of these. */
export function withRepairs(form: CallsForm, openers: readonly LiteralForm[], bare?: RepairName): CallsForm {
  if (bare === undefined && openers.every(({ repair }) => repair === undefined)) return form;
  const known = new Map(openers.map(({ text, repair }) => [text, repair]));
  return repairedCalls(form, (literal) => sentence(known.has(literal) ? known.get(literal) : bare));
}

function sentence(name: RepairName | undefined): Repair | undefined {
  return name && repairs[name];
}

/** The form of this table, which reports what is wrong with markers other than openers of calls and of values, too. */
function repairedForm(form: GrammarForm, table: DialectTable, tools: () => readonly ToolDefinition[]): GrammarForm {
  const { call, also = [], section, strays } = table;
  const inCall = [call, ...also].flatMap(({ closer, block, ...form }) => [
    closer,
    block?.opener,
    block?.closer,
    ...(form.form === 'header' ? [form.separator] : []),
    ...(form.form === 'tags' ? [form.parameter.closer] : []),
  ]);
  const others = [...inCall, section?.opener, section?.closer, strays].flatMap((each) => readLiterals(each, tools));
  const wrong = new Map(others.flatMap(({ text, repair }) => (repair ? [[text, repairs[repair]] as const] : [])));
  if (wrong.size === 0) return form;
  const repairOf = (literal: string) => wrong.get(literal);
  return { ...form, repairOf, calls: form.calls.map((each) => repairedCalls(each, repairOf)) };
}
