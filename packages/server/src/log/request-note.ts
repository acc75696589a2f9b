import type { ChatEvent, PromptNotes, Usage } from '@dragoman/core';

/**
 * What the log line of one request will say. Filled while it is answered. Holds no bodies and no secrets. Every note has all fields from
 * the beginning: what reads and fills them is faster where all notes are of one kind.
 */
export class RequestNote {
  readonly requestId: string;
  readonly method: string;
  /** The route's pattern, so that lines can be counted by it. */
  route: string;
  /** The name of the caller's key; never the key. */
  key: string | undefined;
  model: string | undefined;
  upstream: string | undefined;
  dialect: string | undefined;
  stream: boolean | undefined;
  /** What the upstream wrote went to the client as it was. */
  relayed: boolean | undefined;
  /** How many tools the request declared. */
  tools: number | undefined;
  /** The user's words sound like tools, but none were declared. */
  toolIntent: boolean | undefined;
  /** System text that was moved into a user message. */
  system: PromptNotes['system'] | undefined;
  /** The results of tools that the request brought, and the calls that they were matched with. */
  results: PromptNotes['results'] | undefined;
  /** The template that the prompt was written by. */
  template: PromptNotes['template'] | undefined;
  /** What the server lets the model write, and how it was told. */
  constraint: PromptNotes['constraint'] | undefined;
  /** Milliseconds until the first event that a client would see. */
  firstEvent: number | undefined;
  /** Writes to the client. */
  chunks: number | undefined;
  calls: number | undefined;
  finish: string | undefined;
  usage: Usage | undefined;
  /** Warning codes with how often each came. */
  warnings: Record<string, number> | undefined;
  errorId: string | undefined;
  errorCode: string | undefined;
  error: string | undefined;
  upstreamStatus: number | undefined;
  /** What lies under an error of our own, for whoever repairs it. */
  cause: string | undefined;

  constructor({
    requestId,
    method,
    route,
    key,
  }: Pick<RequestNote, 'requestId' | 'method' | 'route'> & { key?: string | undefined }) {
    this.requestId = requestId;
    this.method = method;
    this.route = route;
    this.key = key;
  }
}

/** Whether a client would see this event, which makes the reply a success so far. */
export function isVisible(event: ChatEvent): boolean {
  switch (event.type) {
    case 'message-start':
    case 'conversation':
    case 'warning':
    case 'usage':
      return false;
    default:
      return true;
  }
}

export function notePrompt(
  note: RequestNote,
  { system, results, template, constraint, toolCalling }: PromptNotes,
  relayed: boolean,
): void {
  if (system !== undefined) note.system = system;
  if (results !== undefined) note.results = results;
  if (template !== undefined) note.template = template;
  if (constraint !== undefined) note.constraint = constraint;
  if (toolCalling !== undefined) note.dialect = toolCalling;
  // What was refused is sent again, and then its reply may have to be written anew.
  if (relayed || note.relayed === true) note.relayed = relayed;
}

export function noteWarning(note: RequestNote, code: string): void {
  note.warnings ??= {};
  note.warnings[code] = (note.warnings[code] ?? 0) + 1;
}

/** The warnings so far as a header tells them: `tool-dropped=1, part-dropped=2`; undefined where there are none. */
export function warningsOf({ warnings }: RequestNote): string | undefined {
  if (warnings === undefined) return undefined;
  return Object.entries(warnings)
    .map(([code, count]) => `${code}=${count}`)
    .join(', ');
}

/** Counts what matters of one event. `elapsed` tells the milliseconds since the request came. */
export function noteEvent(note: RequestNote, event: ChatEvent, elapsed: () => number): void {
  if (note.firstEvent === undefined && isVisible(event)) note.firstEvent = tenths(elapsed());
  switch (event.type) {
    case 'tool-call-end':
      note.calls = (note.calls ?? 0) + 1;
      return;
    case 'usage':
      note.usage = event.usage;
      return;
    case 'warning':
      noteWarning(note, event.warning.code);
      return;
    case 'message-end':
      note.finish = event.finishReason;
      return;
    default:
      return;
  }
}

/** Milliseconds as they are logged. */
export function tenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
