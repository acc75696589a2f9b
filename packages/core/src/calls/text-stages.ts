import type { ChatEvent } from '../chat/event.ts';
import type { Message } from '../chat/message.ts';
import type { ChatRequest } from '../chat/request.ts';
import { requiresCall } from '../chat/request.ts';
import type { Dialect, ParsePolicy } from '../dialects/dialect.ts';
import { callEndsThinking } from '../dialects/known-models.ts';
import { inTurns } from '../pause.ts';
import { onlyDeclared } from '../plan/call-policy.ts';
import type { ModelRule } from '../plan/rules.ts';
import type { CallIds } from '../prepare/call-ids.ts';
import { type CallNonce, createNonceNames, policyWithNonce } from '../prepare/call-nonce.ts';
import { type StageFactory, through } from '../stream/stage.ts';
import type { Learning } from '../upstream/adapted-answer.ts';
import { createAnswerTags } from './answer-tags.ts';
import { createFinalAnswer, readMarks } from './final-answer.ts';
import { createCallParser, parseContextOf } from './parse-text.ts';
import { createReasonedCalls } from './reasoned-calls.ts';
import { createRequiredCall } from './required-call.ts';
import { createTwinCalls } from './twin-calls.ts';

/** What it takes to read a model that knows only text. */
export interface TextStagesOptions {
  readonly rule: ModelRule;
  /** The model's name at its upstream. */
  readonly model: string;
  readonly dialect: Dialect;
  readonly callIds: CallIds;
  /** All that the model has been told. */
  readonly messagesSeen: () => readonly Message[];
  /** Told when nothing of what the model goes on to write will be delivered. */
  readonly over: () => void;
  /** What its tools' names end with. */
  readonly nonce?: CallNonce | undefined;
  /** Hears of calls in other dialects than the one that was taught. */
  readonly learning?: Pick<Learning, 'wrote'> | undefined;
}

type ContextOptions = Pick<TextStagesOptions, 'rule' | 'messagesSeen' | 'nonce'>;

function contextOf(asked: ChatRequest, { rule, messagesSeen, nonce }: ContextOptions) {
  const marks = readMarks(rule.finalAnswer, messagesSeen);
  const { policy = {}, ...known } = parseContextOf(asked, { ...rule, finalAnswer: { ...rule.finalAnswer, marks } });
  return { policy: nonce === undefined ? policy : policyWithNonce(policy), ...known };
}

/** What is no call at first sight has to name a tool that there is. */
function withDeclared<Context extends { readonly policy: Partial<ParsePolicy> }>(context: Context): Context {
  return { ...context, policy: onlyDeclared(context.policy) };
}

/** Makes what reads the calls of these tools step by step; what is kept for them is not made again. */
export function* makeTextParser(
  asked: ChatRequest,
  options: ContextOptions & Pick<TextStagesOptions, 'dialect'>,
): Iterable<void> {
  if (asked.tools.length === 0) return;
  const context = contextOf(asked, options);
  for (const each of requiresCall(asked) ? [context, withDeclared(context)] : [context]) {
    yield* options.dialect.makeAhead?.(each) ?? [];
  }
}

/** Reads what a model wrote that knows only text, of the request that it was asked. */
export function createTextStages(asked: ChatRequest, options: TextStagesOptions): StageFactory<ChatEvent, ChatEvent> {
  const { rule, model, dialect, callIds, over, nonce, learning } = options;
  const { withTools } = rule.finalAnswer;
  let isAnswered = false;
  let isUnclosed = false;
  const context = {
    answered: () => {
      isAnswered = true;
    },
    unclosed: () => {
      isUnclosed = callEndsThinking(model);
    },
    over,
    ...contextOf(asked, options),
  };
  // What reads the calls of these tools is made while the upstream thinks.
  if (asked.tools.length > 0 && dialect.makeAhead !== undefined) void inTurns(dialect.makeAhead(context));
  let stages = createCallParser({ dialect, context, callIds, foreign: (id) => learning?.wrote(id) });
  const reading = { dialect, context: withDeclared(context), callIds };
  if (requiresCall(asked))
    stages = through(stages, createRequiredCall({ ...reading, request: asked, onlyNamed: nonce !== undefined }));
  const { reasoning } = rule.policy;
  if (reasoning !== 'never')
    stages = through(
      stages,
      createReasonedCalls(reading, reasoning, () => isUnclosed),
    );
  if (nonce !== undefined) stages = through(stages, createNonceNames(nonce));
  stages = createTwinCalls(stages);
  if (rule.constrainCalls === 'choice' && asked.tools.length > 0) stages = through(stages, createAnswerTags());
  if (withTools !== 'run-tools')
    stages = through(
      stages,
      createFinalAnswer(withTools, () => isAnswered),
    );
  return stages;
}
