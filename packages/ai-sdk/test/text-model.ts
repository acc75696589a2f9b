import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { type Cuts, cutText } from '@dragoman/testkit';

/** What a text model says to one request: a text, or the parts that its provider makes of it. */
export type Said = string | readonly LanguageModelV4Content[];

export interface TextModelOptions {
  readonly modelId?: string;
  /** Where streams cut each text. Default: random places. */
  readonly cuts?: Cuts;
  readonly finish?: LanguageModelV4GenerateResult['finishReason'];
}

/** A model behind the AI SDK that knows no tools, and what it was asked. */
export interface TextModel extends LanguageModelV4 {
  readonly asked: readonly LanguageModelV4CallOptions[];
}

export const usage = {
  inputTokens: { total: 7, noCache: 7, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};

/** Answers one request after the other with what was written down beforehand. */
export function textModel(replies: readonly Said[], options: TextModelOptions = {}): TextModel {
  const { modelId = 'some-model', cuts = { seed: 7, max: 9 } } = options;
  const finishReason = options.finish ?? { unified: 'stop' as const, raw: 'stop' };
  const asked: LanguageModelV4CallOptions[] = [];
  const answer = (request: LanguageModelV4CallOptions): readonly LanguageModelV4Content[] => {
    const said = replies[asked.length];
    asked.push(request);
    if (said === undefined) throw new Error(`There is no reply to request ${asked.length}.`);
    return typeof said === 'string' ? [{ type: 'text', text: said }] : said;
  };
  return {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId,
    supportedUrls: {},
    asked,
    doGenerate: async (request) => ({ content: [...answer(request)], finishReason, usage, warnings: [] }),
    doStream: async (request) => ({
      stream: streamOf([
        { type: 'stream-start', warnings: [] },
        ...answer(request).flatMap((part, index) => partsOf(part, { id: `b${index}`, cuts })),
        { type: 'finish', finishReason, usage },
      ]),
    }),
  };
}

function partsOf(
  part: LanguageModelV4Content,
  { id, cuts }: { readonly id: string; readonly cuts: Cuts },
): readonly LanguageModelV4StreamPart[] {
  if (part.type !== 'text' && part.type !== 'reasoning') return [part];
  const kind = part.type;
  return [
    { type: `${kind}-start`, id },
    ...cutText(part.text, cuts).map((delta) => ({ type: `${kind}-delta` as const, id, delta })),
    { type: `${kind}-end`, id },
  ];
}

/** The parts one by one, as they are asked for. */
export function streamOf(parts: readonly LanguageModelV4StreamPart[]): ReadableStream<LanguageModelV4StreamPart> {
  const left = [...parts];
  return new ReadableStream({
    pull(controller) {
      const part = left.shift();
      if (part === undefined) controller.close();
      else controller.enqueue(part);
    },
  });
}

/** All that the model was told in a request, as one text. */
export function toldIn(request: LanguageModelV4CallOptions | undefined): string {
  const texts = (request?.prompt ?? []).map(({ role, content }) => {
    if (typeof content === 'string') return `${role}: ${content}`;
    return `${role}: ${content.map((part) => ('text' in part ? part.text : `[${part.type}]`)).join('\n')}`;
  });
  return texts.join('\n\n');
}
