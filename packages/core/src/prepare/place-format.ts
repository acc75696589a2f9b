import type { Message } from '../chat/message.ts';
import type { ChatRequest, OutputFormat } from '../chat/request.ts';
import type { Warning } from '../chat/warning.ts';
import type { Plan } from '../plan/plan.ts';
import type { UpstreamWire } from '../wires/wire.ts';

/** A request whose form of the answer is asked for where the upstream understands it. */
export interface PlacedFormat {
  readonly request: ChatRequest;
  /** It is asked for in words, by a field or not. */
  readonly taught: boolean;
  readonly warnings: readonly Warning[];
}

/**
 * Asks for the form of the answer by the upstream's field where its wire has one; most servers then let the model write
 * nothing else. It is asked in words as well, unless the rule says `native`, of a model that knows only text and on a wire
 * whose field servers ignore: its server may not know it. It is asked for in words alone, and that is told, where the wire has no field, where the model rule
 * says `taught`, and where tools are taught as text, because a schema would forbid the model to write its calls.
 */
export function placeFormat(
  request: ChatRequest,
  {
    plan,
    wire,
    vendor = false,
    isHeld = false,
  }: {
    readonly plan: Pick<Plan, 'rule' | 'dialect'>;
    readonly wire: Pick<UpstreamWire, 'outputFormats' | 'ignoresFormats'>;
    /** The wire's own vendor answers. */
    readonly vendor?: boolean | undefined;
    /** The server is told of calls and the form of the answer together. */
    readonly isHeld?: boolean;
  },
): PlacedFormat {
  if (request.outputFormat === undefined) return { request, taught: false, warnings: [] };
  const { outputFormat: format, ...rest } = request;
  const hasTools = request.tools.length > 0 && request.toolChoice !== 'none';
  const reason = reasonToTeach({
    byRule: plan.rule.outputFormat === 'taught',
    byTools: plan.dialect !== undefined && hasTools && !isHeld,
    byWire: wire.outputFormats !== undefined && !wire.outputFormats.includes(format.type),
  });
  const isIgnored = wire.ignoresFormats === true && !vendor && plan.rule.passthrough !== 'always';
  const isUnsure = plan.dialect !== undefined || isIgnored;
  const taught = reason !== undefined || (isUnsure && plan.rule.outputFormat === 'auto');
  if (!taught) return { request, taught, warnings: [] };
  const messages = addSystemText(request.messages, teachFormat(format, { withTools: hasTools }));
  if (reason === undefined) return { request: { ...request, messages }, taught, warnings: [] };
  const message = `The form of the answer was asked for in words: ${reason}.`;
  return { request: { ...rest, messages }, taught, warnings: [{ code: 'field-dropped', message }] };
}

function reasonToTeach(by: {
  readonly byRule: boolean;
  readonly byTools: boolean;
  readonly byWire: boolean;
}): string | undefined {
  if (by.byRule) return 'the model rule says so';
  if (by.byTools) return 'the model writes its calls as text, which a schema would forbid';
  return by.byWire ? "the upstream's wire has no field for it" : undefined;
}

/** The words that ask for the form of an answer, where no field can. `withTools`: the model may also call a tool. */
export function teachFormat(format: OutputFormat, { withTools }: { readonly withTools: boolean }): string {
  const when = withTools ? 'When you answer instead of calling a tool, your' : 'Your';
  const only = `${when} answer must be one JSON value and nothing else: no words around it and no code fence.`;
  if (format.type === 'json') return only;
  const about = [format.name, format.description].filter((text) => text !== undefined && text !== '').join(': ');
  const heading = about === '' ? 'It must fit this JSON Schema:' : `It must fit this JSON Schema (${about}):`;
  return `${only}\n${heading}\n${JSON.stringify(format.schema)}`;
}

/** The messages with one more system text, after those that are in front. */
export function addSystemText(messages: readonly Message[], text: string): readonly Message[] {
  return afterSystem(messages, [{ role: 'system', content: [{ type: 'text', text }] }]);
}

/** The messages with others put after the system messages at their front. */
export function afterSystem(messages: readonly Message[], others: readonly Message[]): readonly Message[] {
  const other = messages.findIndex(({ role }) => role !== 'system');
  const front = other < 0 ? messages.length : other;
  return others.length === 0 ? messages : [...messages.slice(0, front), ...others, ...messages.slice(front)];
}
