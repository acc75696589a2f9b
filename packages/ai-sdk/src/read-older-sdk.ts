import type {
  LanguageModelV2FinishReason,
  LanguageModelV2Middleware,
  LanguageModelV2StreamPart,
  LanguageModelV2Usage,
  LanguageModelV3Middleware,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { createMiddleware, type Version } from './dragoman.ts';
import type { DragomanOptions } from './options.ts';

/**
 * The parts of version 5 of the SDK: why a reply ended is a word alone, and usage a list of numbers. All else that is read
 * or written here has the same form in each version.
 */
const version5: Version = {
  read: (part) => {
    const older: LanguageModelV2StreamPart | LanguageModelV4StreamPart = part;
    return isOlderFinish(older)
      ? { ...older, finishReason: readReason(older.finishReason), usage: readUsage(older.usage) }
      : part;
  },
  write: (part) => (part.type === 'finish' ? asLatest(writeFinish(part)) : part),
};

type OlderFinish = Extract<LanguageModelV2StreamPart, { type: 'finish' }>;
type Finish = Extract<LanguageModelV4StreamPart, { type: 'finish' }>;

function isOlderFinish(part: { readonly type: string; readonly finishReason?: unknown }): part is OlderFinish {
  return part.type === 'finish' && typeof part.finishReason === 'string';
}

/** What runs through the middleware is that of its version; its types are those of the latest. */
function asLatest(part: ReturnType<typeof writeFinish>): LanguageModelV4StreamPart {
  return part as unknown as LanguageModelV4StreamPart;
}

function readReason(reason: LanguageModelV2FinishReason): LanguageModelV4FinishReason {
  return { unified: reason === 'unknown' ? 'other' : reason, raw: reason };
}

function readUsage(usage: LanguageModelV2Usage): LanguageModelV4Usage {
  const { inputTokens, outputTokens, totalTokens, reasoningTokens, cachedInputTokens } = usage;
  return {
    inputTokens: { total: inputTokens, noCache: undefined, cacheRead: cachedInputTokens, cacheWrite: undefined },
    outputTokens: { total: outputTokens, text: undefined, reasoning: reasoningTokens },
    ...(totalTokens === undefined ? {} : { raw: { totalTokens } }),
  };
}

function writeFinish({ finishReason, usage, ...rest }: Finish) {
  const { unified, raw } = finishReason;
  const { inputTokens, outputTokens, raw: counted } = usage;
  return {
    ...rest,
    finishReason: writeReason(unified, raw),
    usage: {
      inputTokens: inputTokens.total,
      outputTokens: outputTokens.total,
      totalTokens: typeof counted?.totalTokens === 'number' ? counted.totalTokens : undefined,
      reasoningTokens: outputTokens.reasoning,
      cachedInputTokens: inputTokens.cacheRead,
    },
  };
}

function writeReason(
  unified: LanguageModelV4FinishReason['unified'],
  raw: string | undefined,
): LanguageModelV2FinishReason {
  // What was read as "other" may have been unknown.
  return unified === 'interrupted' || (unified === 'other' && raw === 'unknown') ? 'unknown' : unified;
}

/** For version 5 of the SDK: its own type of middleware, whose parts have the forms above. */
export function forVersion5(options: DragomanOptions): LanguageModelV2Middleware {
  const { specificationVersion: _, ...middleware } = createMiddleware(options, version5);
  return { ...middleware, middlewareVersion: 'v2' } as unknown as LanguageModelV2Middleware;
}

/** For version 6 of the SDK, whose parts are among those of the latest. */
export function forVersion6(options: DragomanOptions): LanguageModelV3Middleware {
  const middleware = createMiddleware(options);
  return { ...middleware, specificationVersion: 'v3' } as unknown as LanguageModelV3Middleware;
}
