import type { ChatEvent } from '../chat/event.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { ToolDefinition } from '../chat/tool.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { createRequiredJsonParser } from '../dialects/required-json.ts';
import { tellsUnwanted } from '../plan/call-policy.ts';
import { type StageFactory, through } from '../stream/stage.ts';
import { createCallParser, type ParseOptions } from './parse-text.ts';

/** Always the same list, so that what is made for it is made once. */
const noTools: readonly ToolDefinition[] = [];

/** What it takes to read a call that is required. */
export interface RequiredCallOptions extends Omit<ParseOptions, 'dialect'> {
  /** The form that the model was taught. */
  readonly dialect: Dialect;
  readonly request: Pick<ChatRequest, 'toolChoice'>;
  /** The names of tools hold a nonce, so nothing without one may count. Default false. */
  readonly onlyNamed?: boolean;
}

/**
 * For a reply that needs a call: reads one that is plain JSON out of what the model's own dialect has left as text. After
 * a call nothing is required any more, and JSON is text, also after one that is refused: its text may hold any JSON. So is what
 * was written for a call that has begun and broken off: it has been shown once.
 */
export function createRequiredCall(options: RequiredCallOptions): StageFactory<ChatEvent, ChatEvent> {
  const { dialect, request, callIds } = options;
  const { opened: _, answered: __, over: ___, ...context } = options.context;
  const required = {
    choice: request.toolChoice,
    // Those that hold a tool's name show a call of the dialect: with many tools they are thousands.
    strays: dialect.markers(noTools),
    onlyNamed: options.onlyNamed === true,
  };
  const outcome: CallOutcome = { hasCalled: false, isBroken: false };
  const parse = createCallParser({
    dialect: { createParser: (given) => createRequiredJsonParser(given, required) },
    context: {
      ...context,
      policy: { ...context.policy, answers: 'text' },
      mayOpen: () => !outcome.hasCalled && !outcome.isBroken,
    },
    callIds,
    endsAtCalls: true,
  });
  return through(noticeCalls(outcome), parse);
}

/** What has become of the calls in the dialect's own form. */
interface CallOutcome {
  /** One is whole, or is none that the client wants. */
  hasCalled: boolean;
  /** The text that is passed on now is what was written for one that broke off. */
  isBroken: boolean;
}

function noticeCalls(outcome: CallOutcome): StageFactory<ChatEvent, ChatEvent> {
  let justCut = false;
  return (sink) => ({
    push: (event) => {
      outcome.hasCalled ||= event.type === 'tool-call-end' || tellsUnwanted(event);
      // What was written for a call follows its cut in one piece.
      outcome.isBroken = justCut && event.type === 'text-delta';
      justCut = event.type === 'tool-call-cut' || (justCut && event.type === 'text-start');
      sink(event);
    },
    end: () => {},
  });
}
