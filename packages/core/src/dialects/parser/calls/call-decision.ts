import { allowedCalls, quoteName, type WarningCode } from '../../../chat/warning.ts';
import { SchemaView } from '../../../json/schema.ts';
import type { ParsePolicy } from '../../dialect.ts';
import { isForwardable, isNoTool, type KnownTool, type ToolTable } from './tool-table.ts';

/** The tool that models call to give their answer, unless the client has declared one of that name. */
export const finalAnswer = 'final_answer';

/** What is reported of a call: the code of the warning and its words. */
export interface Report {
  readonly code: WarningCode;
  readonly message: string;
}

/** What is known of a name that a model has written. */
export interface Naming {
  /** The id that the model gave the call. */
  readonly nativeId?: string | undefined;
  /** It may be the words of a sentence: only a declared tool is meant. Default false. */
  readonly inWords?: boolean;
}

/** What becomes of a call whose name is known. */
export type CallDecision =
  /** It runs. Without a tool it is passed on under the name that the model wrote. */
  | { readonly kind: 'call'; readonly tool: KnownTool | undefined; readonly report: Report | undefined }
  | { readonly kind: 'answer' }
  /** Of what stays text for the same reason again nothing is reported. */
  | { readonly kind: 'text'; readonly report: Report | undefined }
  /** It is left out; the message says why. */
  | { readonly kind: 'drop'; readonly report: Report };

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
    const { answers, only, maxCalls } = this.#by.policy;
    const tool = this.#by.tools.find(written);
    if (tool === undefined && written === finalAnswer && answers !== 'text') return { kind: 'answer' };
    const refused = tool === undefined ? this.#refuse(written, inWords) : undefined;
    if (refused !== undefined) return refused;
    const name = quoteName(tool?.name ?? written);
    if (only !== undefined && tool?.name !== only)
      return this.#surplus(`Only a call of ${quoteName(only)} was asked for, and the model called ${name}`);
    if (count >= maxCalls) return this.#tooMany(maxCalls);
    if (tool === undefined)
      return { kind: 'call', tool, report: { code: 'call-undeclared', message: `${unknown(written)}.` } };
    const report: Report | undefined = tool.repaired
      ? { code: 'name-repaired', message: `${quoteName(written)} was read as ${name}.` }
      : undefined;
    return { kind: 'call', tool, report };
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
    if (undeclared === 'drop' || forwards) return { kind: 'drop', report };
    return { kind: 'text', report: staysText(report) };
  }

  #surplus(message: string): CallDecision {
    const report: Report = { code: 'call-surplus', message };
    return this.#by.policy.surplus === 'drop' ? { kind: 'drop', report } : { kind: 'text', report: staysText(report) };
  }

  #tooMany(maxCalls: number): CallDecision {
    const allowed = allowedCalls(maxCalls);
    if (this.#by.policy.surplus === 'drop') return this.#surplus(`${allowed}, and the model made another one`);
    const report: Report | undefined = this.#surplusReported
      ? undefined
      : { code: 'call-surplus', message: `${allowed}; the rest stays text.` };
    this.#surplusReported = true;
    return { kind: 'text', report };
  }
}

function unknown(written: string): string {
  return `The model called ${quoteName(written)}, which is not declared`;
}

function staysText({ code, message }: Report): Report {
  return { code, message: `${message}; it stays text.` };
}
