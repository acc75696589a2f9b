import { type Issue, quoteName } from '../chat/issue.ts';
import { owesCall } from '../chat/owes-call.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { AnswerSink } from '../upstream/answer-sink.ts';

/**
 * Tells in front of a good end that the call which the request needs did not come. Many servers take `tool_choice` and let
 * the model write what it likes all the same. The very same sink where nothing is owed.
 */
export function tellMissingCall(sink: AnswerSink, request: ChatRequest): AnswerSink {
  if (!owesCall(request)) return sink;
  const { toolChoice } = request;
  const owed = typeof toolChoice === 'object' ? toolChoice.name : undefined;
  let name = '';
  let hasCalled = false;
  return {
    ...(sink.relay === undefined ? {} : { relay: sink.relay }),
    watch: sink.watch,
    prepared: (notes, relayed) => sink.prepared?.(notes, relayed),
    event: (event) => {
      if (event.type === 'tool-call-start') name = event.name;
      else if (event.type === 'tool-call-end') hasCalled ||= owed === undefined || name === owed;
      else if (event.type === 'message-end' && !hasCalled) sink.event({ type: 'warning', issue: missing(owed) });
      sink.event(event);
    },
    flush: () => sink.flush(),
  };
}

function missing(owed: string | undefined): Issue {
  const wanted = owed === undefined ? 'a call' : `a call of ${quoteName(owed)}`;
  return { code: 'call-missing', message: `The request needs ${wanted}, and the reply has none.` };
}
