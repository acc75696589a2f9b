/**
 * Every deviation that was repaired, dropped or left as text. Model mistakes are data: each becomes one of these, and
 * reaches the log, `parse --jsonl`, `explain` and traces. `docs/errors.md` explains each; a test compares the two.
 */
export const warningCodes = [
  // What the model wrote, told by dialects
  'call-cut', // a call broke off or could not be read; its text was delivered as text
  'call-foreign', // a call in another form than the model was taught, which its rule allows; it was delivered
  'call-rescued', // a call in the text of a model that calls natively; delivered as a call, unless it came natively, too
  'call-repeated', // a call that the upstream had read by itself was in the text, too; delivered once
  'call-repaired', // the markup of a call was wrong or missing, and the call has only one reading
  'call-undeclared', // a call to a tool that the client did not declare
  'call-missing', // a call was required and none came
  'call-misfit', // the arguments of a strict tool's call do not fit its schema; it was delivered
  'call-nudged', // a call was required and did not come; the model was asked for it once more
  'answer-nudged', // an answer was not the JSON that was asked for; the model was asked for it once more
  'call-surplus', // more calls than the client allows, or of others than it named; they stayed text
  'call-in-reasoning', // call syntax inside reasoning; fired only where the model rule says so
  'call-in-fence', // call syntax in documentation (code, a quotation, a comment, a sentence); never fired
  'name-repaired', // the tool's name differed in case, separators or prefix
  'json-repaired', // arguments were not quite JSON and have one reading
  'value-coerced', // a value was brought to the type that the schema asks for
  'value-kept', // a value does not fit its schema and was kept as a string
  'parameter-unknown', // a parameter that the schema does not name; kept
  'parameter-repeated', // a parameter, or a key in one or in the call itself, came twice; the first one counts
  'parameter-missing', // a required parameter is missing, or one whose opener a value holds; the call was delivered
  'call-text', // text inside a call but outside its parameters; not delivered
  'field-ignored', // a field beside name and arguments; not delivered
  'marker-dropped', // a marker without its partner; not delivered
  'result-fabricated', // the model went on to invent a tool's result, or a user's turn; everything after it was dropped
  'text-dropped', // text that the model rule leaves out: after calls, or marks of older prompts
  'format-missed', // an answer that was to be JSON is none; it was delivered
  'limit-reached', // a buffer reached its limit; what follows stayed text
  // What the request held, told by wires and prompting
  'field-dropped', // the upstream's wire cannot say it
  'field-deprecated', // a setting that has no meaning any more
  'tool-dropped', // a tool without a name or with a broken schema
  'text-escaped', // what was said before held this dialect's markers; they were escaped
  'result-missing', // a call without a result; a placeholder stands for it
  'result-orphan', // a result without its call
  'result-repeated', // two results for one call; the last one counts
  'result-moved', // results that were not directly after their calls; now they are
  'result-capped', // a result was longer than the limit
  'message-empty', // a message without any content; left out
  'part-dropped', // an image for a model that reads only text
  'system-long', // very long system text
  'loop-noted', // the model repeats calls whose results don't change; it was told so
  'loop-stopped', // a loop of calls has reached its limit; the model was asked once more, and nothing is called
  // What an answer showed of its model, told by the engine
  'model-learnt', // the next requests of the model go by it, and this one did if its upstream had refused it
  // Where the request went, told by the engine for upstreams that keep conversations
  'conversation-branched', // the conversation had gone on already; the request became a branch
  'conversation-queued', // another request was under way there; this one waited and went after its reply
  'conversation-replayed', // the upstream had not seen this history; all of it was sent into a new conversation
  // What the upstream sent, told by its wire
  'id-repaired', // a call came without an id, with a used one, or with two
  'end-unmarked', // a stream was closed in good order without the mark that ends a reply; what came counts as whole
  'empty-reply', // a reply ended well without text and without a call
  'event-unreadable', // something in a stream was no event of its API; the stream went on
  'bytes-replaced', // bytes of a reply were not UTF-8; U+FFFD stands for them
] as const;

/** Which kind of deviation a warning is. */
export type WarningCode = (typeof warningCodes)[number];

/** One deviation: what it was, and where. */
export interface Warning {
  readonly code: WarningCode;
  /** One sentence; names things, quotes at most a few characters of foreign text. */
  readonly message: string;
  /** Where in the model's reply, in UTF-16 units from its start, when that is known. */
  readonly at?: number;
}

/** The most of a foreign name that a message quotes, in UTF-16 units. */
const longestQuoted = 64;

/** A name that a model or a client made up, for a message: in quotation marks, and short however long it is. */
export function quoteName(name: unknown): string {
  const text = typeof name === 'string' ? name : String(JSON.stringify(name));
  return JSON.stringify(text.length > longestQuoted ? `${text.slice(0, longestQuoted)}…` : text);
}

/** How many calls a reply may have, for a message. */
export function allowedCalls(most: number): string {
  if (most === 0) return 'No call is allowed';
  return most === 1 ? 'Only one call is allowed' : `Only ${most} calls are allowed`;
}
