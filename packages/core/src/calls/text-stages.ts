import type { ChatEvent } from '../chat/event.ts';
import type { Message } from '../chat/message.ts';
import type { ChatRequest } from '../chat/request.ts';
import { requiresCall } from '../chat/requires-call.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { callEndsThinking } from '../dialects/models.ts';
import { onlyDeclared } from '../plan/call-policy.ts';
import type { ModelRule } from '../plan/rules.ts';
import type { CallIds } from '../prepare/call-ids.ts';
import { type CallNonce, policyWithNonce } from '../prepare/call-nonce.ts';
import { createNonceNames } from '../prepare/nonce-names.ts';
import { type StageFactory, through } from '../stream/stage.ts';
import type { Lesson } from '../upstream/adapted-answer.ts';
import { createAnswerTags } from './answer-tags.ts';
import { createFinalAnswer, readMarks } from './final-answer.ts';
import { createParse, parseContextOf } from './parse.ts';
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
  readonly heard: () => readonly Message[];
  /** Told when nothing of what the model goes on to write will be delivered. */
  readonly over: () => void;
  /** What its tools' names end with. */
  readonly nonce?: CallNonce | undefined;
  /** Hears of calls in other dialects than the one that was taught. */
  readonly lesson?: Pick<Lesson, 'wrote'> | undefined;
}

/** Takes each step in a turn of its own. */
function inTurns(steps: Iterator<void> | undefined): void {
  if (steps === undefined) return;
  const next = (): void => {
    if (steps.next().done !== true) setTimeout(next, 0);
  };
  setTimeout(next, 0);
}

/** Reads what a model wrote that knows only text, of the request that it was asked. */
export function createTextStages(asked: ChatRequest, options: TextStagesOptions): StageFactory<ChatEvent, ChatEvent> {
  const { rule, model, dialect, callIds, heard, over, nonce, lesson } = options;
  const { withTools } = rule.finalAnswer;
  const marks = readMarks(rule.finalAnswer, heard);
  let isAnswered = false;
  let isUnclosed = false;
  const { policy = {}, ...known } = parseContextOf(asked, { ...rule, finalAnswer: { marks, withTools } });
  const context = {
    ...known,
    policy: nonce === undefined ? policy : policyWithNonce(policy),
    answered: () => {
      isAnswered = true;
    },
    unclosed: () => {
      isUnclosed = callEndsThinking(model);
    },
    over,
  };
  // What reads the calls of these tools is made while the upstream thinks.
  if (asked.tools.length > 0) inTurns(dialect.makeAhead?.(context));
  let stages = createParse({ dialect, context, callIds, foreign: (id) => lesson?.wrote(id) });
  // What is no call at first sight has to name a tool that there is.
  const reading = { dialect, context: { ...context, policy: onlyDeclared(context.policy) }, callIds };
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
