import type { ChatEvent, FinishReason } from '../chat/event.ts';
import { movedBlock } from '../chat/moved-block.ts';
import { type ToolDefinition, toolsByName } from '../chat/tool.ts';
import { quoteName, type Warning, type WarningCode } from '../chat/warning.ts';
import { ArgumentsReader } from '../json/arguments-reader.ts';
import { SchemaView } from '../json/schema.ts';
import type { CallIds } from '../prepare/call-ids.ts';
import { isPlainId } from '../prepare/carried-ids.ts';
import type { WireNames } from '../prepare/wire-names.ts';
import type { Sink, Stage, StageFactory } from '../stream/stage.ts';

type CallStart = Extract<ChatEvent, { readonly type: 'tool-call-start' }>;
type CallDelta = Extract<ChatEvent, { readonly type: 'tool-call-delta' }>;
type MessageEnd = Extract<ChatEvent, { readonly type: 'message-end' }>;

export interface ValidateOptions {
  /** As the client declared them. */
  readonly tools: readonly ToolDefinition[];
  readonly callIds: Pick<CallIds, 'claim'>;
  /** What the upstream calls them, where that differs. */
  readonly names?: WireNames | undefined;
}

/**
 * Validates native calls: the name becomes the declared one, the id unique, the arguments valid JSON of the types that the
 * schema asks for. Valid arguments leave as they were written, while they are written. A call that breaks or breaks off
 * is cut, and what was written for it follows as text. So is the last call of a reply that reached a limit if it has no
 * arguments and needs some: vLLM writes `{}` for a call that was cut before them. Everything else passes as the same
 * object.
 */
export function createCallValidator(options: ValidateOptions): StageFactory<ChatEvent, ChatEvent> {
  return (sink) => new Validate(options, sink);
}

/**
 * `open`: arguments leave as they are read. `cut`: what comes leaves as text. `doubtful`: the upstream says that a call is
 * whole which lacks all arguments that it needs; whether that is so, the end of the reply tells.
 */
type CallState = 'none' | 'open' | 'cut' | 'doubtful';

class Validate implements Stage<ChatEvent> {
  readonly #options: ValidateOptions;
  readonly #sink: Sink<ChatEvent>;
  /** Made for the first call: most streams that wait have none yet. */
  #names: ToolNames | undefined;
  /** How many text blocks have been put in; every later block moves back by so much. */
  #added = 0;
  #state: CallState = 'none';
  #block = 0;
  #name = '';
  #reader: ArgumentsReader | undefined;
  #written: string[] = [];
  #validated: string[] = [];
  #delta: CallDelta | undefined;
  #restTold = false;
  #wholeCalls = 0;
  /** The call lacks something if it has no arguments. */
  #needsArguments = false;
  /** Arguments of such a call that may be all there is, and what was said of them. */
  #held = '';
  #heldWarnings: Warning[] = [];

  constructor(options: ValidateOptions, sink: Sink<ChatEvent>) {
    this.#options = options;
    this.#sink = sink;
  }

  push(event: ChatEvent): void {
    if (this.#state === 'doubtful') this.#judge(event);
    switch (event.type) {
      case 'tool-call-start':
        this.#start(event);
        return;
      case 'tool-call-delta':
        this.#arguments(event);
        return;
      case 'tool-call-end':
        this.#end();
        return;
      case 'tool-call-cut':
        this.#cut();
        this.#closeCut();
        return;
      case 'message-end':
        this.#sink({ ...event, finishReason: this.#finishReason(event) });
        return;
      default:
        this.#sink(movedBlock(event, this.#added));
    }
  }

  end(): void {
    if (this.#state === 'doubtful') this.#cutDoubtful();
    this.#cut();
    this.#closeCut();
  }

  #start(event: CallStart): void {
    const { tools, callIds, names } = this.#options;
    this.#names ??= new ToolNames(tools);
    const tool = this.#names.find(names?.declaredName(event.name) ?? event.name);
    if (tool.repaired) this.#warning('name-repaired', `${quoteName(event.name)} was read as ${quoteName(tool.name)}.`);
    if (event.callId === '') this.#warning('id-repaired', `The call of ${quoteName(tool.name)} came without an id.`);
    const callId = callIds.claim(tool.name, event.callId);
    if (event.callId !== '' && callId !== event.callId) {
      const why = isPlainId(event.callId) ? 'that was already used' : 'that clients cannot take';
      this.#warning('id-repaired', `The call of ${quoteName(tool.name)} came with an id ${why}.`);
    }
    this.#open(event.block + this.#added, tool);
    this.#sink({ type: 'tool-call-start', block: this.#block, callId, name: tool.name });
  }

  #open(block: number, tool: NamedTool): void {
    this.#state = 'open';
    this.#block = block;
    this.#name = tool.name;
    this.#written = [];
    this.#validated = [];
    this.#restTold = false;
    this.#needsArguments = tool.schema.required.length > 0;
    this.#held = '';
    this.#reader = new ArgumentsReader({
      schema: tool.schema,
      emit: (json) => this.#emit(json),
      warning: (code, message) => {
        if (this.#needsArguments && this.#held !== '') this.#heldWarnings.push({ code, message });
        else this.#warning(code, message);
      },
    });
  }

  #arguments(event: CallDelta): void {
    if (event.text === '') return;
    if (this.#state === 'cut') {
      this.#sink({ type: 'text-delta', block: this.#block, text: event.text });
      return;
    }
    const reader = this.#reader;
    if (this.#state !== 'open' || reader === undefined) return;
    this.#written.push(event.text);
    this.#delta = event;
    const at = reader.state === 'open' ? reader.read(event.text, 0) : 0;
    if (reader.state === 'broken') this.#cut('its arguments are not JSON');
    else if (reader.state === 'done' && !this.#restTold && !isBlank(event.text, at)) {
      this.#restTold = true;
      this.#warning('json-repaired', `What followed the arguments of ${quoteName(this.#name)} was left out.`);
    }
  }

  #emit(json: string): void {
    if (json === '') return;
    this.#validated.push(json);
    if (this.#needsArguments) {
      this.#held += json;
      if (isEmptyObject(this.#held)) return;
      this.#needsArguments = false;
    }
    this.#release(this.#held === '' ? json : this.#held);
    this.#held = '';
  }

  #release(json: string): void {
    const delta = this.#delta;
    const same = delta !== undefined && delta.text === json && delta.block === this.#block;
    this.#sink(same ? delta : { type: 'tool-call-delta', block: this.#block, text: json });
  }

  /** Whether a call without its arguments was meant so: it was unless the reply stopped short after it. */
  #judge(event: ChatEvent): void {
    switch (event.type) {
      case 'usage':
      case 'warning':
      case 'conversation':
        return;
      case 'message-end':
        if (event.unmarked === true || event.finishReason === 'length' || event.finishReason === 'content-filter') {
          this.#cutDoubtful();
        } else this.#endWhole();
        return;
      case 'error':
        this.#cutDoubtful();
        return;
      default:
        this.#endWhole();
    }
  }

  #endWhole(): void {
    for (const { code, message } of this.#heldWarnings) this.#warning(code, message);
    if (this.#held !== '') this.#release(this.#held);
    this.#wholeCalls += 1;
    this.#sink({ type: 'tool-call-end', block: this.#block, arguments: this.#validated.join('') });
    this.#close();
  }

  #cutDoubtful(): void {
    const why = 'the reply stopped before its arguments';
    this.#warning('call-cut', `The call of ${quoteName(this.#name)} was not delivered: ${why}.`);
    this.#sink({ type: 'tool-call-cut', block: this.#block });
    this.#close();
  }

  #end(): void {
    if (this.#state === 'open' && this.#reader !== undefined) {
      this.#delta = undefined;
      this.#reader.end();
      if (this.#reader.state === 'done') {
        if (this.#needsArguments) this.#state = 'doubtful';
        else this.#endWhole();
        return;
      }
      this.#cut('its arguments are not complete');
    }
    this.#closeCut();
  }

  /**
   * What was written becomes a block of text, which stays open for what may still come of the call. Whoever cuts a call
   * reports it: without a reason the wire's reader did.
   */
  #cut(reason?: string): void {
    if (this.#state !== 'open') return;
    this.#state = 'cut';
    if (reason !== undefined) {
      this.#warning(
        'call-cut',
        `The call of ${quoteName(this.#name)} could not be read: ${reason}. It was delivered as text.`,
      );
    }
    this.#sink({ type: 'tool-call-cut', block: this.#block });
    this.#added += 1;
    this.#block += 1;
    this.#sink({ type: 'text-start', block: this.#block });
    const text = this.#written.join('');
    if (text !== '') this.#sink({ type: 'text-delta', block: this.#block, text });
  }

  #closeCut(): void {
    if (this.#state === 'cut') this.#sink({ type: 'text-end', block: this.#block });
    this.#close();
  }

  #close(): void {
    this.#state = 'none';
    this.#reader = undefined;
    this.#delta = undefined;
    this.#written = [];
    this.#validated = [];
    this.#held = '';
    this.#heldWarnings = [];
    this.#needsArguments = false;
  }

  #warning(code: WarningCode, message: string): void {
    this.#sink({ type: 'warning', warning: { code, message } });
  }

  /** Some upstreams say `stop` after calls, and what they called a call may have been cut. */
  #finishReason(event: MessageEnd): FinishReason {
    if (event.finishReason === 'stop' || event.finishReason === 'tool-calls') {
      return this.#wholeCalls > 0 ? 'tool-calls' : 'stop';
    }
    return event.finishReason;
  }
}

/** Whether JSON text is an object without members, or its beginning. */
function isEmptyObject(json: string): boolean {
  for (const letter of json) if (!'{} \t\r\n'.includes(letter)) return false;
  return true;
}

function isBlank(text: string, from: number): boolean {
  for (let at = from; at < text.length; at += 1) if (!' \t\r\n'.includes(text.charAt(at))) return false;
  return true;
}

/** The declared tool that a call's name stands for. */
interface NamedTool {
  readonly name: string;
  readonly schema: SchemaView;
  /** The name as it came differed from the declared one. */
  readonly repaired: boolean;
}

/**
 * The declared tools by the names that native calls come with. Exact names first; then without regard to case, `-` and
 * `_`; then without a prefix or a trailing index that some upstreams add. A near miss counts only if exactly one declared
 * tool fits; a name that fits none stays as it is.
 */
class ToolNames {
  readonly #tools: ReadonlyMap<string, ToolDefinition>;
  /** Plain spelling to declared name; undefined where two tools share it. */
  readonly #plain = new Map<string, string | undefined>();

  constructor(tools: readonly ToolDefinition[]) {
    this.#tools = toolsByName(tools);
    for (const name of this.#tools.keys()) {
      const plain = plainName(name);
      this.#plain.set(plain, this.#plain.has(plain) ? undefined : name);
    }
  }

  find(written: string): NamedTool {
    const bare = bareName(written);
    for (const name of [written, this.#plain.get(plainName(written)), bare, this.#plain.get(plainName(bare))]) {
      const tool = name === undefined ? undefined : this.#tools.get(name);
      if (tool !== undefined) {
        return { name: tool.name, schema: SchemaView.of(tool.inputSchema), repaired: tool.name !== written };
      }
    }
    return { name: written, schema: SchemaView.any, repaired: false };
  }
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll('-', '').replaceAll('_', '');
}

/** `functions.read:0` as `read`. */
function bareName(name: string): string {
  let from = 0;
  for (const prefix of ['call_functions.', 'functions.']) {
    if (!name.startsWith(prefix)) continue;
    from = prefix.length;
    break;
  }
  const colon = name.lastIndexOf(':');
  return name.slice(from, colon > from && isDigits(name.slice(colon + 1)) ? colon : name.length);
}

function isDigits(text: string): boolean {
  for (const letter of text) if (letter < '0' || letter > '9') return false;
  return text !== '';
}
