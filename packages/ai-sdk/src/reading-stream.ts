import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { Sink } from '@dragoman/core';
import type { PartReader } from './read-parts.ts';

/** Makes the reader of one reply. `over` is told when nothing of what the model goes on to write will be delivered. */
export type OpenReader = (
  sink: Sink<LanguageModelV4StreamPart>,
  over?: () => void,
) => Pick<PartReader, 'read' | 'stop' | 'end'>;

type Parts = ReadableStream<LanguageModelV4StreamPart>;

/**
 * The parts of `source` as the reader lets them out. It is read only as fast as its own reader asks, and stops when that
 * one cancels, or when nothing more of it would be delivered. Where it fails, what was held back leaves before the failure.
 */
export function readingStream(source: Parts, open: OpenReader): Parts {
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
