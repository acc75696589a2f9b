import { allowedCalls, quoteName } from '../../../chat/warning.ts';
import { SchemaView } from '../../../json/schema.ts';
import type { ParsePolicy } from '../../dialect.ts';
import type { Report } from '../call-warnings.ts';
import { isForwardable, isNoTool, type KnownTool, type ToolTable } from './tool-table.ts';

/** The tool that models call to give their answer, unless the client has declared one of that name. */
export const finalAnswer = 'final_answer';

/** What is known of a name that a model has written. */
export interface Naming {
  /** The id that the model gave the call. */
  readonly nativeId?: string | undefined;
  /** It may be the words of a sentence: only a declared tool is meant. Default false. */
  readonly inWords?: boolean;
}

/** What becomes of a call whose name is known. */
export interface CallDecision {
  readonly outcome: DecidedOutcome;
  /** The tool that runs. Without one a call is passed on under the name that the model wrote. */
  readonly tool?: KnownTool | undefined;
  /** Why it is read so. Of what stays text for the same reason again nothing is reported. */
  readonly report?: Report | undefined;
}

/** What the name of a call may come to. */
export type DecidedOutcome =
  /** It runs: its arguments leave as they are read. */
  | 'live'
  /** Not a call after all (undeclared, one too many, too long): what the model wrote leaves as text. */
  | 'muted'
  /** The same where the policy leaves it out: it is kept, and reported at its end. */
  | 'dropped'
  /** The model's way of saying its answer (`final_answer`): kept until it is whole, then its value leaves as text. */
  | 'held-answer';

/** What is decided by. */
interface CallDecisionsOptions {
  readonly tools: ToolTable;
  readonly policy: ParsePolicy;
}

/** Decides by its name, and by what was asked for, whether a call runs. */
export class CallDecisions {
  readonly #by: CallDecisionsOptions;
  #surplusReported = false;
  #definitionReported = false;

  constructor(by: CallDecisionsOptions) {
    this.#by = by;
  }

  /** The schema of the tool that this name stands for; of any where it is not declared. */
  schemaOf(written: string): SchemaView {
    return this.#by.tools.find(written)?.schema ?? SchemaView.any;
  }

  declares(written: string): boolean {
    return this.#by.tools.find(written) !== undefined;
  }

  /** `count`: calls that run so far. */
  of(written: string, { inWords = false }: Naming, count: number): CallDecision {
    const { answers, only, maxCalls, surplus } = this.#by.policy;
    const tool = this.#by.tools.find(written);
    if (tool === undefined && written === finalAnswer && answers !== 'text') return { outcome: 'held-answer' };
    const decision = tool === undefined ? this.#refuse(written, inWords) : undefined;
    if (decision !== undefined) return decision;
    const name = quoteName(tool?.name ?? written);
    const isOther = only !== undefined && tool?.name !== only;
    if (isOther || (count >= maxCalls && surplus === 'drop')) {
      const message = isOther
        ? `Only a call of ${quoteName(only)} was asked for, and the model called ${name}`
        : `${allowedCalls(maxCalls)}, and the model made another one`;
      return refused({ code: 'call-surplus', message }, surplus);
    }
    if (count >= maxCalls) return this.#tooMany(maxCalls);
    const report: Report = tool
      ? { code: 'name-repaired', message: `${quoteName(written)} was read as ${name}.` }
      : { code: 'call-undeclared', message: `${unknown(written)}.` };
    return { outcome: 'live', tool, ...(tool?.repaired !== false && { report }) };
  }

  /** What is reported of a call of `finalAnswer` whose arguments are no answer. */
  ofNoAnswer(): Report {
    return staysText({ code: 'call-undeclared', message: unknown(finalAnswer) });
  }

  /** What is reported of a tool's definition, which is no call. Only the first one is reported. */
  ofDefinition(written: string): Report | undefined {
    if (this.#definitionReported) return undefined;
    this.#definitionReported = true;
    return staysText({ code: 'call-cut', message: `${quoteName(written)} is defined here and not called` });
  }

  /** The decision on a call of an undeclared tool that is not passed on. */
  #refuse(written: string, inWords: boolean): CallDecision | undefined {
    const { undeclared } = this.#by.policy;
    const forwards = undeclared === 'forward' && !inWords && isForwardable(written);
    if (forwards && !isNoTool(written)) return undefined;
    const report: Report = { code: 'call-undeclared', message: unknown(written) };
    return refused(report, forwards ? 'drop' : undeclared);
  }

  #tooMany(maxCalls: number): CallDecision {
    const report: Report = { code: 'call-surplus', message: `${allowedCalls(maxCalls)}; the rest stays text.` };
    const isFirst = !this.#surplusReported;
    this.#surplusReported = true;
    return { outcome: 'muted', ...(isFirst && { report }) };
  }
}

function refused(report: Report, how: ParsePolicy['undeclared']): CallDecision {
  return how === 'drop' ? { outcome: 'dropped', report } : { outcome: 'muted', report: staysText(report) };
}

function unknown(written: string): string {
  return `The model called ${quoteName(written)}, which is not declared`;
}

function staysText({ code, message }: Report): Report {
  return { code, message: `${message}; it stays text.` };
}
