import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { Sink } from '@dragoman/core';
import type { PartReader } from './read-parts.ts';

type Parts = ReadableStream<LanguageModelV4StreamPart>;

/**
 * The parts of `source` as the reader lets them out. It is read only as fast as its own reader asks, and stops when that
 * one cancels. Where it fails, what was held back leaves before the failure.
 */
export function readingStream(source: Parts, open: (sink: Sink<LanguageModelV4StreamPart>) => PartReader): Parts {
  const from = source.getReader();
  let read: LanguageModelV4StreamPart[] = [];
  const reader = open((part) => read.push(part));
  let failure: { readonly thrown: unknown } | undefined;
  let over = false;

  const readOn = async (): Promise<void> => {
    try {
      const { done, value } = await from.read();
      if (value !== undefined) reader.read(value);
      if (!done) return;
    } catch (thrown) {
      failure = { thrown };
    }
    over = true;
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
