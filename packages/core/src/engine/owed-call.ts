import type { ChatEvent } from '../chat/event.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { createOwedJsonParser } from '../dialects/owed-json.ts';
import { type StageFactory, through } from '../stage.ts';
import { createParse, type ParseOptions } from './parse.ts';

/** What it takes to read a call that is owed. */
export interface OwedCallOptions extends Omit<ParseOptions, 'dialect'> {
  /** The form that the model was taught. */
  readonly dialect: Dialect;
  readonly request: Pick<ChatRequest, 'toolChoice'>;
  /** The names of tools hold a nonce, so nothing without one may count. Default false. */
  readonly onlyNamed?: boolean;
}

/**
 * For a reply that needs a call: reads one that is plain JSON out of what the model's own dialect has left as text. Behind
 * a call nothing is owed any more, and JSON is text.
 */
export function createOwedCall(options: OwedCallOptions): StageFactory<ChatEvent, ChatEvent> {
  const { dialect, request, callIds } = options;
  const { opened: _, answered: __, over: ___, ...context } = options.context;
  const owed = {
    choice: request.toolChoice,
    strays: dialect.markers(context.tools),
    onlyNamed: options.onlyNamed === true,
  };
  let hasCalled = false;
  const noticeCalls: StageFactory<ChatEvent, ChatEvent> = (sink) => ({
    push: (event) => {
      hasCalled ||= event.type === 'tool-call-end';
      sink(event);
    },
    end: () => {},
  });
  const parse = createParse({
    dialect: { createParser: (given) => createOwedJsonParser(given, owed) },
    context: { ...context, policy: { ...context.policy, answers: 'text' }, mayOpen: () => !hasCalled },
    callIds,
  });
  return through(noticeCalls, parse);
}
