import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4Middleware,
  LanguageModelV4StreamPart,
  SharedV4Warning,
} from '@ai-sdk/provider';
import {
  anyDialect,
  askTextModel,
  type Dialect,
  dialectOfModel,
  findDialect,
  MemoryCallIdStore,
  readAny,
  type Sink,
  type TextModelTurn,
  taughtDialect,
  type Warning,
} from '@dragoman/core';
import { checkOptions, readCallOptions, writeCallOptions } from './call-options.ts';
import { KeptMetadata } from './kept-metadata.ts';
import { KeptParts } from './kept-parts.ts';
import type { DragomanOptions } from './options.ts';
import { PartReader } from './read-parts.ts';
import { contentOf, partsOf } from './whole-reply.ts';
import { PartWriter } from './write-parts.ts';

/** So many characters of ids are remembered that a call's id cannot carry. */
const rememberedIds = 1_000_000;

/**
 * Middleware for `wrapLanguageModel` that gives a model native tool calling which writes its calls as text: tools and
 * past calls are told in its own form, and what it writes becomes calls while it writes it. Throws DragomanError
 * `config-invalid`, naming the option, for one that does not exist or has a wrong value.
 */
export function dragoman(options: DragomanOptions = {}): LanguageModelV4Middleware {
  return createMiddleware(options);
}

/** How the parts of a version of the SDK are read as those of the latest, and written as its own. */
export interface Version {
  readonly read: (part: LanguageModelV4StreamPart) => LanguageModelV4StreamPart;
  readonly write: (part: LanguageModelV4StreamPart) => LanguageModelV4StreamPart;
}

const asItIs: Version = { read: (part) => part, write: (part) => part };

/** `dragoman` for a version of the SDK. */
export function createMiddleware(options: DragomanOptions, version = asItIs): LanguageModelV4Middleware {
  checkOptions(options);
  const { dialect: named, ...given } = options;
  const rule = { ...given, images: true };
  const dialect = named === undefined || named === anyDialect ? undefined : findDialect(named);
  const callIds = new MemoryCallIdStore({ maxSize: rememberedIds }).of('');
  const turns = new WeakMap<LanguageModelV4CallOptions, TextModelTurn>();
  return {
    specificationVersion: 'v4',
    transformParams: async ({ params, model, type }) => {
      const kept = new KeptParts();
      const request = readCallOptions(params, { kept, model: model.modelId, stream: type === 'stream' });
      const turn = askTextModel(request, { dialect: dialect ?? dialectOf(model, named), rule, callIds });
      const told = writeCallOptions(params, turn.request, kept);
      turns.set(told, { ...turn, warnings: [...request.warnings, ...turn.warnings] });
      return told;
    },
    wrapGenerate: async ({ doGenerate, params }) => {
      const turn = turns.get(params);
      const result = await doGenerate();
      return turn === undefined ? result : readWhole(result, { turn, version });
    },
    wrapStream: async ({ doStream, params }) => {
      const turn = turns.get(params);
      const result = await doStream();
      return turn === undefined ? result : { ...result, stream: readingStream(result.stream, readerOf(turn, version)) };
    },
  };
}

/** What its name tells is enough, unless all forms are to be read. */
function dialectOf({ modelId }: LanguageModelV4, named: DragomanOptions['dialect']): Dialect {
  const known = dialectOfModel(modelId, { takesTools: false });
  const taught = findDialect(known ?? taughtDialect);
  return known === undefined || named === anyDialect ? readAny(taught) : taught;
}

function readWhole(
  result: LanguageModelV4GenerateResult,
  { turn, version }: { readonly turn: TextModelTurn; readonly version: Version },
): LanguageModelV4GenerateResult {
  const parts: LanguageModelV4StreamPart[] = [];
  const reader = readerOf(turn, version)((part) => parts.push(part));
  for (const part of partsOf(result)) reader.read(part);
  reader.end();
  const start = parts.find((part) => part.type === 'stream-start');
  const finish = parts.findLast((part) => part.type === 'finish');
  return {
    ...result,
    content: contentOf(parts),
    ...(finish && { finishReason: finish.finishReason }),
    ...(finish?.providerMetadata && { providerMetadata: finish.providerMetadata }),
    warnings: start?.warnings ?? result.warnings,
  };
}

function readerOf({ read, warnings }: TextModelTurn, version: Version): OpenReader {
  const told = warnings.map(warningOf);
  return (to, over) => {
    const sink: typeof to = (part) => to(version.write(part));
    const kept = new KeptMetadata();
    const writer = new PartWriter(sink, kept);
    const reader = new PartReader({
      stage: read((event) => writer.write(event), over),
      pass: sink,
      kept,
      warnings: told,
    });
    return {
      read: (part) => reader.read(version.read(part)),
      stop: () => reader.stop(),
      end: (failure) => reader.end(failure),
    };
  };
}

function warningOf({ code, message }: Warning): SharedV4Warning {
  return { type: 'other', message: `${code}: ${message}` };
}

/** Makes the reader of one reply. `over` is told when nothing of what the model goes on to write will be delivered. */
type OpenReader = (
  sink: Sink<LanguageModelV4StreamPart>,
  over?: () => void,
) => Pick<PartReader, 'read' | 'stop' | 'end'>;

type Parts = ReadableStream<LanguageModelV4StreamPart>;

/**
 * The parts of `source` as the reader lets them out. It is read only as fast as its own reader asks, and stops when that
 * one cancels, or when nothing more of it would be delivered. Where it fails, what was held back leaves before the failure.
 */
function readingStream(source: Parts, open: OpenReader): Parts {
  const from = source.getReader();
  let read: LanguageModelV4StreamPart[] = [];
  let isDone = false;
  const reader = open(
    (part) => read.push(part),
    () => {
      isDone = true;
    },
  );
  let failure: { readonly thrown: unknown } | undefined;
  let over = false;

  const readOn = async (): Promise<void> => {
    try {
      const { done, value } = await from.read();
      if (value !== undefined) reader.read(value);
      if (!done && !isDone) return;
      // How the provider takes it is nothing that the reply depends on.
      if (!done) await from.cancel().catch(() => {});
    } catch (thrown) {
      failure = { thrown };
    }
    over = true;
    if (isDone) reader.stop();
    reader.end(failure);
  };

  return new ReadableStream(
    {
      async pull(controller) {
        while (read.length === 0 && !over) await readOn();
        // A stream that fails drops what nobody has taken yet, so a failure has to wait for the next read.
        if (read.length > 0) for (const part of read) controller.enqueue(part);
        else if (failure === undefined) controller.close();
        else controller.error(failure.thrown);
        read = [];
      },
      cancel: (reason) => from.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
