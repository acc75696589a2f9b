import type { ChatRequest } from '../chat/request.ts';
import { requiresCall } from '../chat/request.ts';
import type { ToolDefinition } from '../chat/tool.ts';
import { quoteName, type Warning } from '../chat/warning.ts';
import { findMisfit, misfitWords } from '../json/find-misfit.ts';
import type { AnswerSink } from '../upstream/answer-sink.ts';

/**
 * Tells before a good end that the call which the request needs did not come. Many servers take `tool_choice` and let
 * the model write what it likes all the same. The very same sink where nothing is required.
 */
export function reportMissingCall(sink: AnswerSink, request: ChatRequest): AnswerSink {
  if (!requiresCall(request)) return sink;
  const { toolChoice } = request;
  const required = typeof toolChoice === 'object' ? toolChoice.name : undefined;
  let name = '';
  let hasCalled = false;
  return withEvents(sink, (event) => {
    if (event.type === 'tool-call-start') name = event.name;
    else if (event.type === 'tool-call-end') hasCalled ||= required === undefined || name === required;
    else if (event.type === 'message-end' && !hasCalled) sink.event({ type: 'warning', warning: missing(required) });
    sink.event(event);
  });
}

/** The same sink, which hears of events this way. */
function withEvents(sink: AnswerSink, event: AnswerSink['event']): AnswerSink {
  return {
    ...(sink.relay === undefined ? {} : { relay: sink.relay }),
    watch: sink.watch,
    prepared: (notes, relayed) => sink.prepared?.(notes, relayed),
    event,
    flush: () => sink.flush(),
  };
}

function missing(required: string | undefined): Warning {
  const wanted = required === undefined ? 'a call' : `a call of ${quoteName(required)}`;
  return { code: 'call-missing', message: `The request needs ${wanted}, and the reply has none.` };
}

/**
 * Tells after each call of a strict tool that its arguments do not fit, where they do not: not every server holds a model to that.
 * The very same sink where no tool is strict.
 */
export function reportMisfits(sink: AnswerSink, { tools }: Pick<ChatRequest, 'tools'>): AnswerSink {
  if (!tools.some(({ strict }) => strict === true)) return sink;
  const strict = new Map(tools.filter((tool) => tool.strict === true).map((tool) => [tool.name, tool]));
  let tool: ToolDefinition | undefined;
  return withEvents(sink, (event) => {
    sink.event(event);
    if (event.type === 'tool-call-start') tool = strict.get(event.name);
    else if (event.type === 'tool-call-end' && tool !== undefined) {
      const warning = misfitOf(tool, event.arguments);
      if (warning !== undefined) sink.event({ type: 'warning', warning });
    }
  });
}

function misfitOf({ name, inputSchema }: ToolDefinition, given: string): Warning | undefined {
  const misfit = findMisfit(JSON.parse(given), inputSchema);
  if (misfit === undefined || misfit === 'unjudged') return undefined;
  const message = `The arguments of a call of the strict tool ${quoteName(name)} do not fit its schema: ${misfitWords(misfit)}.`;
  return { code: 'call-misfit', message };
}
