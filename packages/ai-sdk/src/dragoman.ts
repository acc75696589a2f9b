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
  type Issue,
  MemoryCallIdStore,
  type NamedDialect,
  readAny,
  type TextModelTurn,
  type TextRule,
  taughtDialect,
} from '@dragoman/core';
import { checkOptions } from './check-options.ts';
import { KeptMetadata } from './kept-metadata.ts';
import { KeptParts } from './kept-parts.ts';
import { readCallOptions } from './read-call-options.ts';
import { PartReader } from './read-parts.ts';
import { type OpenReader, readingStream } from './reading-stream.ts';
import { contentOf, partsOf } from './whole-reply.ts';
import { writeCallOptions } from './write-call-options.ts';
import { PartWriter } from './write-parts.ts';

/** What somebody says of the model; all of it may be left out. `docs/configuration.md` explains each field of a model rule. */
export interface DragomanOptions extends Omit<TextRule, 'images'> {
  /**
   * How the model writes its calls: the id of a dialect, or a dialect of your own. Default: what models of its name were
   * trained to write. One that the name does not tell is taught what most open models know, and read in every form; with
   * `auto` any model is.
   */
  readonly dialect?: NamedDialect;
}

/** So many characters of ids are remembered that a call's id cannot carry. */
const rememberedIds = 1_000_000;

/**
 * Middleware for `wrapLanguageModel` that gives a model native tool calling which writes its calls as text: tools and
 * past calls are told in its own form, and what it writes becomes calls while it writes it. Throws GatewayError
 * `config-invalid`, naming the option, for one that does not exist or has a wrong value.
 */
export function dragoman(options: DragomanOptions = {}): LanguageModelV4Middleware {
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
      turns.set(told, { ...turn, issues: [...request.issues, ...turn.issues] });
      return told;
    },
    wrapGenerate: async ({ doGenerate, params }) => {
      const turn = turns.get(params);
      const result = await doGenerate();
      return turn === undefined ? result : readWhole(result, turn);
    },
    wrapStream: async ({ doStream, params }) => {
      const turn = turns.get(params);
      const result = await doStream();
      return turn === undefined ? result : { ...result, stream: readingStream(result.stream, readerOf(turn)) };
    },
  };
}

/** What its name tells is enough, unless all forms are to be read. */
function dialectOf({ modelId }: LanguageModelV4, named: DragomanOptions['dialect']): Dialect {
  const known = dialectOfModel(modelId, { takesTools: false });
  const taught = findDialect(known ?? taughtDialect);
  return known === undefined || named === anyDialect ? readAny(taught) : taught;
}

function readWhole(result: LanguageModelV4GenerateResult, turn: TextModelTurn): LanguageModelV4GenerateResult {
  const parts: LanguageModelV4StreamPart[] = [];
  const reader = readerOf(turn)((part) => parts.push(part));
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

function readerOf({ read, issues }: TextModelTurn): OpenReader {
  const warnings = issues.map(warningOf);
  return (sink, over) => {
    const kept = new KeptMetadata();
    const writer = new PartWriter(sink, kept);
    return new PartReader({ stage: read((event) => writer.write(event), over), pass: sink, kept, warnings });
  };
}

function warningOf({ code, message }: Issue): SharedV4Warning {
  return { type: 'other', message: `${code}: ${message}` };
}
