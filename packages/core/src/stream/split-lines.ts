import { DragomanError } from '../errors.ts';
import type { StageFactory } from './stage.ts';

/** What bounds a decoder's memory. */
export interface FrameLimit {
  /** The longest line or frame, in UTF-16 units. Default: `defaultMaxFrame`. */
  readonly maxFrame?: number;
  /**
   * Hears once of a line or frame beyond the limit (`reply-too-large`). The decoder lets nothing more out after that;
   * whoever owns the stream stops it and ends the stages with this error.
   */
  readonly fail: (error: DragomanError) => void;
}

/** 16 Mi UTF-16 units: far above any real frame, low enough that a stream without line ends can't fill the memory. */
export const defaultMaxFrame = 16 * 1024 * 1024;

/** The error for a frame beyond the limit. */
export function frameTooLong(maxFrame: number): DragomanError {
  return new DragomanError('reply-too-large', `An event of the stream is longer than ${maxFrame} characters.`);
}

/**
 * Text into lines without their ends, which are LF, CR LF or CR, also when a cut parts CR from LF. What stands after the
 * last line end is a line too, also when the stream was cut. Each character is looked at a constant number of times:
 * fragments of an unfinished line wait in a list and are joined once.
 */
export function splitLines(limit: FrameLimit): StageFactory<string, string> {
  const maxFrame = limit.maxFrame ?? defaultMaxFrame;
  return (sink) => {
    let fragments: string[] = [];
    let waiting = 0;
    /** The last chunk ended in CR: an LF at the start of the next one belongs to it. */
    let afterReturn = false;
    let failed = false;

    const keep = (fragment: string) => {
      waiting += fragment.length;
      if (waiting > maxFrame) {
        failed = true;
        fragments = [];
        limit.fail(frameTooLong(maxFrame));
      } else if (fragment !== '') fragments.push(fragment);
    };
    const finishLine = () => {
      if (failed) return;
      const line = fragments.length === 1 ? (fragments[0] ?? '') : fragments.join('');
      fragments = [];
      waiting = 0;
      sink(line);
    };

    return {
      push: (text) => {
        if (failed || text === '') return;
        let from = 0;
        if (afterReturn && text.startsWith('\n')) from = 1;
        afterReturn = false;
        let feed = text.indexOf('\n', from);
        let back = text.indexOf('\r', from);
        while ((feed >= 0 || back >= 0) && !failed) {
          const isReturn = back >= 0 && (feed < 0 || back < feed);
          const at = isReturn ? back : feed;
          keep(text.slice(from, at));
          finishLine();
          from = at + 1;
          if (isReturn && from === text.length) afterReturn = true;
          else if (isReturn && feed === from) from += 1;
          if (feed >= 0 && feed < from) feed = text.indexOf('\n', from);
          if (back >= 0 && back < from) back = text.indexOf('\r', from);
        }
        if (!failed) keep(text.slice(from));
      },
      end: () => {
        if (!failed && waiting > 0) finishLine();
      },
    };
  };
}
