import type { Dialect } from '../dialects/dialect.ts';
import type { TableParser } from '../dialects/table/table-dialect.ts';
import type { ModelRule, PromptRule, ResultRule } from '../plan/rules.ts';
import type { ToldRequest } from '../prepare/render-history.ts';
import type { CallIdStore } from '../stores/call-id-store.ts';

/** How a conversation is to be written for a text model. What is left out is the gateway's default. */
export interface RenderingOptions extends Partial<Omit<PromptRule, 'prompts' | 'inject' | 'results'>> {
  /** What is left out of it is the gateway's default, too. */
  readonly results?: Partial<ResultRule>;
  /** The reply will be read with `policy.names` other than `exact`: markers are escaped in any letter case. */
  readonly anyCase?: boolean;
  /** Where the reading of earlier replies kept the ids that the model gave its calls. Default: as there. */
  readonly callIds?: CallIdStore;
  /** The dialect that the model writes. */
  readonly dialect: Dialect | TableParser;
}

/** A conversation to be written; a `ChatRequest` is one. Without `tools` none are taught. */
export type Conversation = Pick<ToldRequest, 'messages'> & Partial<ToldRequest>;

/** What of a model rule counts where somebody else sends the requests. */
type TextRuleField =
  | 'callDeltas'
  | 'exampleCall'
  | 'finalAnswer'
  | 'images'
  | 'limits'
  | 'opened'
  | 'outputFormat'
  | 'policy'
  | 'reasoning'
  | 'reminder'
  | 'constrainCalls'
  | 'results'
  | 'systemLabels'
  | 'systemText';

/** What somebody says of a model; the gateway's defaults stand for the rest. */
export type TextRule = Partial<Omit<Pick<ModelRule, TextRuleField>, NestedField>> & {
  readonly [Field in NestedField]?: Partial<ModelRule[Field]>;
};

/** Fields whose own fields may be left out. */
type NestedField = 'finalAnswer' | 'policy' | 'results';
