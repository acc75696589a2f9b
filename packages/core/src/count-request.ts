import type { Usage } from './chat/event.ts';
import type { ChatRequest } from './chat/request.ts';
import { countPrompt } from './client/count-prompt.ts';
import { DragomanError, toDragomanError } from './errors.ts';
import { listedAs } from './plan/model-entries.ts';
import { planRequest } from './plan/plan.ts';
import { upstreamWireOf } from './plan/plug-ins.ts';
import type { EngineSetup } from './plan/setup.ts';
import { askJson } from './upstream/ask-json.ts';
import { clockOf } from './upstream/deadlines.ts';
import { type PreparedRequest, prepareRequest } from './upstream/write-rendered.ts';
import type { TokenCounting, WrittenRequest } from './wires/wire.ts';

/** Milliseconds that an upstream may take to count, whatever its replies may take: a client waits to send its prompt. */
const longestWait = 10_000;

/** How long a prompt is. */
export interface TokenCount {
  readonly inputTokens: number;
  readonly source: Usage['source'];
  /** Why an upstream that can count did not, so that we had to. */
  readonly failure?: DragomanError;
}

/**
 * How many tokens a request's prompt has as its upstream would see it, tools and placed system text included. An upstream
 * that counts without answering is asked; where there is none, or where it fails, the tokenizer counts, which knows other
 * tokens than most models, and none for images. Rejects as `planRequest` and `prepareRequest` throw, and with the reason of `signal`.
 */
export async function countRequestTokens(
  request: ChatRequest,
  setup: EngineSetup,
  signal?: AbortSignal,
): Promise<TokenCount> {
  const prepared = prepareRequest(request, { plan: planRequest(request, setup), setup });
  const question = questionOf(prepared, setup);
  const asked = question === undefined ? undefined : await askUpstream(prepared, { question, setup, signal });
  if (typeof asked === 'number') return { inputTokens: asked, source: 'upstream' };
  const inputTokens = await countPrompt(prepared.request, setup.countTokens);
  return { inputTokens, source: 'counted', ...(asked === undefined ? {} : { failure: asked }) };
}

/** How an upstream is asked for the count, and what the request is there. */
interface Question {
  readonly counting: TokenCounting;
  readonly written: Pick<WrittenRequest, 'path' | 'body' | 'headers'>;
}

function questionOf(prepared: PreparedRequest, setup: EngineSetup): Question | undefined {
  const { plan, wire, upstream, upstreamRequest, request } = prepared;
  if (wire.counting !== undefined) {
    // What a dialect taught is text that any tokenizer counts as well.
    return prepared.dialect === undefined ? { counting: wire.counting, written: upstreamRequest } : undefined;
  }
  const { counts } = listedAs(plan.model, upstream) ?? {};
  if (counts === undefined) return undefined;
  const { counting, writeRequest } = upstreamWireOf(counts, setup);
  return counting && { counting, written: writeRequest(request, plan.model, {}) };
}

interface Asking {
  readonly question: Question;
  readonly setup: EngineSetup;
  readonly signal: AbortSignal | undefined;
}

/** The upstream's own count, or why there is none. */
async function askUpstream(
  { upstream, wire }: PreparedRequest,
  { question: { counting, written }, setup, signal }: Asking,
): Promise<number | DragomanError> {
  const late = new AbortController();
  const { connect, total } = upstream.deadlines;
  const deadlines = { connect, firstToken: 0, idle: 0, total: Math.min(total || longestWait, longestWait) };
  const watch = clockOf(setup).watch(deadlines, (reason) => late.abort(reason));
  const leave = (): void => late.abort(signal?.reason);
  signal?.addEventListener('abort', leave);
  try {
    signal?.throwIfAborted();
    const { path, body, headers } = written;
    const asked = counting.writeRequest({ path, body, ...(headers === undefined ? {} : { headers }), warnings: [] });
    const answered = await askJson(
      { upstream: upstream.name, ...asked },
      { transport: upstream.transport, wire, signal: late.signal },
    );
    return counting.readCount(answered) ?? new DragomanError('upstream-unreadable', 'The answer tells no count.');
  } catch (thrown) {
    signal?.throwIfAborted();
    return toDragomanError(thrown);
  } finally {
    watch.stop();
    signal?.removeEventListener('abort', leave);
  }
}
