import { type Deadlines, DragomanError, type ErrorCode, type UpstreamRequest } from '@dragoman/core';
import { type After, afterTimeout } from '../after.ts';
import type { HttpTransport } from './http.ts';
import { type AttemptWatch, type Outcome, RepeatedExchange, type RepeatRules } from './repeated-exchange.ts';

/** The longest wait, in milliseconds. An upstream that asks for a longer one is not asked again. */
const longestWait = 10_000;

/** How often and how soon. Milliseconds. */
export interface RetryRules {
  /** How often a request is sent at most. */
  readonly attempts: number;
  /** The wait before the second attempt; each further one is twice as long. Default: a second. */
  readonly first?: number | undefined;
}

export interface RetryOptions {
  readonly rules: RetryRules;
  /**
   * What each attempt has until something of its answer counts; an attempt that runs into one is over. No attempt begins
   * after the total, which counts from the first one. Default: none.
   */
  readonly deadlines?: Deadlines | undefined;
  /** Hears, in words, why and when a request is sent again. */
  readonly report: (message: string) => void;
  /** Default: by the clock. */
  readonly after?: After;
}

/** Failures that may pass. */
const passing: readonly ErrorCode[] = [
  'upstream-unreachable',
  'upstream-rate-limited',
  'upstream-overloaded',
  'upstream-failed',
  'upstream-cut',
  'connect-timeout',
  'first-token-timeout',
  'idle-timeout',
];

/**
 * A transport that sends a request again when the upstream answers 429 or 5xx, or cannot be reached; and, of a request that
 * says how its answer is judged, when what comes shows nothing but a failure, or nothing in time. What it refuses in any
 * other way is refused again and counts, and so does an answer of which something has been shown.
 */
export function createRetryingTransport(transport: HttpTransport, options: RetryOptions): HttpTransport {
  const { rules, deadlines, report, after = afterTimeout } = options;
  return {
    send: (request, receiver) => {
      const startedAt = Date.now();
      const left = () => (deadlines?.total ? startedAt + deadlines.total - Date.now() : Number.POSITIVE_INFINITY);
      const again = (outcome: Outcome, attempt: number) => {
        if (attempt >= rules.attempts || !mayPass(outcome, request)) return undefined;
        const delay = delayAfter(outcome, { attempt, rules });
        if (delay === undefined || delay >= left()) return undefined;
        report(`the upstream "${request.upstream}" ${inWords(outcome)}; the request is sent again in ${delay} ms`);
        return delay;
      };
      return new RepeatedExchange({ transport, rules: rulesFor(request, { again, deadlines }), receiver, after });
    },
    makeReady: () => transport.makeReady?.(),
    close: () => transport.close(),
  };
}

function rulesFor(
  request: UpstreamRequest,
  { again, deadlines }: Pick<RepeatRules, 'again'> & Pick<RetryOptions, 'deadlines'>,
): RepeatRules {
  const { repeats } = request;
  const watch: Pick<RepeatRules, 'watch'> =
    deadlines === undefined ? {} : { watch: (late) => watchAttempt(deadlines, late) };
  if (repeats === undefined) return { next: () => request, again, ...watch };
  let sent = false;
  const next = () => {
    const anew = sent ? repeats.anew?.() : undefined;
    sent = true;
    return anew === undefined ? request : { ...request, ...anew };
  };
  return {
    next,
    again,
    judge: ({ status, contentType, retryAfter }) => repeats.judge(status, contentType, retryAfter),
    ...watch,
  };
}

function mayPass(outcome: Outcome, { repeats }: UpstreamRequest): boolean {
  if (!('error' in outcome)) return outcome.status === 429 || outcome.status >= 500;
  const { error, head } = outcome;
  if (!passing.includes(error.code)) return false;
  if (repeats?.onlyRefused !== true || error.code === 'upstream-unreachable') return true;
  return head !== undefined && (head.contentType === 'application/json' || head.status >= 400) && head.status < 500;
}

function inWords(outcome: Outcome): string {
  const status = 'error' in outcome ? outcome.head?.status : outcome.status;
  if (status !== undefined && status >= 300) return `answered ${status}`;
  return 'error' in outcome ? `failed (${outcome.error.code})` : `answered ${status}`;
}

/** Undefined where the upstream wants to be left alone for longer than anybody waits. */
function delayAfter(
  outcome: Outcome,
  { attempt, rules }: { readonly attempt: number; readonly rules: RetryRules },
): number | undefined {
  const head = 'error' in outcome ? outcome.head : outcome;
  const error = 'error' in outcome ? outcome.error : undefined;
  const { first = 1_000 } = rules;
  const asked = (error?.retryAfter ?? head?.retryAfter ?? 0) * 1000;
  if (asked > longestWait) return undefined;
  return Math.max(asked, Math.min(longestWait, first * 2 ** (attempt - 1)));
}

/** Watches one attempt, in the same words as the deadlines of a reply. */
function watchAttempt({ connect, firstToken, idle }: Deadlines, late: (error: DragomanError) => void): AttemptWatch {
  const timers = new Map<ErrorCode, ReturnType<typeof setTimeout>>();
  const stop = (code: ErrorCode) => clearTimeout(timers.get(code));
  const start = (code: ErrorCode, milliseconds: number, words: string) => {
    stop(code);
    if (milliseconds === 0) return;
    const error = () => new DragomanError(code, `The upstream ${words} ${milliseconds / 1000} s.`);
    timers.set(
      code,
      setTimeout(() => late(error()), milliseconds),
    );
  };
  const read = () => {
    if (firstToken === 0) start('idle-timeout', idle, 'fell silent for');
  };
  start('connect-timeout', connect, 'did not answer within');
  start('first-token-timeout', firstToken, 'wrote nothing within');
  return {
    started() {
      stop('connect-timeout');
      read();
    },
    read,
    stop() {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
